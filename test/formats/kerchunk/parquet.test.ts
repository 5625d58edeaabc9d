import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { VirtualZarrError } from '../../../src/errors.ts'
import { processorMilliseconds } from '../../helpers/processor-time.ts'
import { parseReferences, ZGROUP, zarray } from './parse.ts'

const FIXTURES = new URL('../../fixtures/kerchunk/', import.meta.url)
const HOME = 'https://example.com/set/'
const COUNT = 600
const failure = (code: string) => ({ name: 'VirtualZarrError', code })

/** A set of one array whose references are one file. */
function setOf(parq: Uint8Array, more: object = {}) {
  const metadata = { '.zgroup': JSON.parse(ZGROUP), 'a/.zarray': JSON.parse(zarray([COUNT], [1])) }
  const document = { metadata, record_size: COUNT, ...more }
  return parseReferences(document, `${HOME}.zmetadata`, new Map([[`${HOME}a/refs.0.parq`, parq]]))
}

/** Row `i` as `make.py` writes it. */
function expected(i: number, isRequired: boolean): object {
  const place = { offset: 5_000_000_000 + i * 1000, length: 900 + i }
  if (isRequired) {
    const isPlace = ![3, 5, 6].includes(i % 7)
    return { kind: isPlace ? 'range' : 'object', url: `${HOME}f${i % 5}`, ...(isPlace ? place : {}) }
  }
  if (i % 7 === 3) return { kind: 'missing' }
  if (i % 7 === 5) return { kind: 'inline', bytes: Uint8Array.of(i % 256, 255, 0, 128) }
  if (i % 7 === 6) return { kind: 'object', url: `${HOME}whole_${i}.bin`, isRequired: true }
  return { kind: 'range', url: `${HOME}file_${i % 3}.nc`, ...place }
}

const FILES = readdirSync(FIXTURES).filter((name) => name.endsWith('.parq'))

describe('Parquet sets', () => {
  for (const name of FILES) {
    test(`${name} holds the rows that its writer was given`, async () => {
      const { chunk, opened } = await setOf(readFileSync(new URL(name, FIXTURES)))
      assert.deepEqual(opened, [])
      for (let i = 0; i < COUNT; i++) {
        assert.partialDeepStrictEqual(await chunk('a', i), expected(i, name === 'arrow_required.parq'), `row ${i}`)
      }
      assert.deepEqual(opened, [`${HOME}a/refs.0.parq`])
    })
  }

  test('a set that fsspec wrote: records are opened when asked for, absent ones hold nothing', async () => {
    const file = (name: string) => readFileSync(new URL(`lazy/${name}`, FIXTURES))
    const files = new Map([0, 1, 3].map((n) => [`${HOME}a/refs.${n}.parq`, file(`a/refs.${n}.parq`)]))
    const { chunk, opened, root, array } = await parseReferences(file('.zmetadata'), `${HOME}.zmetadata`, files)
    assert.equal(root.attributes.get('title'), 'written by fsspec')
    assert.deepEqual(array('a').dimensionNames, ['y', 'x'])
    assert.partialDeepStrictEqual(await chunk('a', 0, 0), { offset: 0, length: 2, url: `${HOME}data.bin` })
    assert.partialDeepStrictEqual(await chunk('a', 0, 3), { bytes: Uint8Array.of(1, 0x80) })
    assert.deepEqual(opened, [`${HOME}a/refs.0.parq`])
    assert.partialDeepStrictEqual(await chunk('a', 2, 1), { offset: 4 })
    assert.partialDeepStrictEqual(await chunk('a', 4, 3), { offset: 8 })
    assert.deepEqual(await chunk('a', 3, 1), { kind: 'missing' })
    assert.deepEqual(await chunk('a', 0, 1), { kind: 'missing' })
    assert.equal(opened.length, 4)
  })

  test('concurrent chunks of one record read it once', async () => {
    const { chunk, opened } = await setOf(readFileSync(new URL('arrow_v1_zstd.parq', FIXTURES)))
    await Promise.all(Array.from({ length: 50 }, (_, i) => chunk('a', i)))
    assert.equal(opened.length, 1)
  })

  test('a file of references that fails is an error, and never a missing chunk', async () => {
    for (const bytes of [
      new Uint8Array(0),
      Buffer.from('PAR1'),
      Buffer.alloc(1000),
      readFileSync(new URL('arrow_plain.parq', FIXTURES)).subarray(0, 5000),
    ]) {
      const { chunk } = await setOf(bytes)
      await assert.rejects(async () => await chunk('a', 0), failure('malformed-source'))
    }
  })

  test('a row or a column that is not there is an error, and never a missing chunk or the begin of a file', async () => {
    const file = (name: string) => readFileSync(new URL(`odd/without_${name}.parq`, FIXTURES))
    for (const name of ['path', 'offset', 'size']) {
      const { chunk } = await setOf(file(name))
      await assert.rejects(async () => await chunk('a', 0), failure('malformed-source'), name)
    }
    // Nothing inline: fsspec reads it too.
    const { chunk } = await setOf(file('raw'))
    assert.partialDeepStrictEqual(await chunk('a', 3), { offset: 6, length: 2 })
    // As with a record_size that is not the one the set was written with: fsspec's index is out of bounds.
    await assert.rejects(async () => await chunk('a', 4), failure('malformed-source'))
  })

  test('metadata without a sound record_size is malformed', async () => {
    const parq = new Uint8Array(0)
    for (const size of [0, -1, 1.5, '2', null, 2 ** 40]) {
      await assert.rejects(setOf(parq, { record_size: size }), failure('malformed-source'), String(size))
    }
    await assert.rejects(setOf(parq, { metadata: {} }), failure('malformed-source'))
    await assert.rejects(setOf(parq, { metadata: [] }), failure('malformed-source'))
  })

  test('damaged files are errors of ours or other rows, quickly, whatever byte was changed', async () => {
    let random = 1
    const next = (most: number) => {
      random = (Math.imul(random, 1103515245) + 12345) >>> 0
      return Math.floor((random / 2 ** 32) * most)
    }
    for (const name of FILES) {
      const whole = readFileSync(new URL(name, FIXTURES))
      for (let round = 0; round < 40; round++) {
        const bytes = Buffer.from(whole)
        const at = round % 2 === 0 ? next(bytes.length) : bytes.length - 1 - next(Math.min(1000, bytes.length))
        bytes[at] = next(256)
        const started = processorMilliseconds()
        try {
          const { chunk } = await setOf(bytes)
          await chunk('a', next(COUNT))
        } catch (error) {
          assert.ok(error instanceof VirtualZarrError, `${name}, byte ${at}: ${error}`)
        }
        assert.ok(processorMilliseconds() - started < 1000, `${name}, byte ${at}: took too long`)
      }
    }
  })

  test('runs that claim to be endless make no more values than there are rows', async () => {
    const whole = readFileSync(new URL('arrow_v1_none.parq', FIXTURES))
    // Every run-length header is made as long as it can be said; the counts of pages and row groups stay.
    const before = process.memoryUsage().heapUsed
    for (let at = 30; at < 400; at++) {
      const bytes = Buffer.from(whole)
      bytes.set([0xfe, 0xff, 0xff, 0xff, 0x0f], at)
      try {
        const { chunk } = await setOf(bytes)
        await chunk('a', 0)
      } catch (error) {
        assert.ok(error instanceof VirtualZarrError, `byte ${at}: ${error}`)
      }
    }
    assert.ok(process.memoryUsage().heapUsed - before < 200e6)
  })
})
