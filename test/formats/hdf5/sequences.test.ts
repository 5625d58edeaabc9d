import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Elements } from '../../../src/codecs/codec.ts'
import type { VirtualArray, VirtualGroup } from '../../../src/model/virtual-store.ts'
import type { Source } from '../../../src/source/source.ts'
import { arrayAt, memberAt } from '../../helpers/members.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { FIXTURES, parseBytes, parseFixture } from './parse.ts'
import { readArray } from './read-array.ts'

/** Of the elements as doubles. */
function numbersOf(elements: Elements, { dataType }: VirtualArray): number[] {
  assert.ok(elements.kind === 'fixed' && 'bits' in dataType)
  const { buffer } = elements.bytes.slice()
  const views = { int8: Int8Array, uint16: Uint16Array, int16: Int16Array, int32: Int32Array, uint32: Uint32Array }
  const name = `${dataType.kind}${dataType.bits}`
  if (name === 'float32') return [...new Float32Array(buffer)]
  if (name === 'float64') return [...new Float64Array(buffer)]
  if (name === 'int64') return [...new BigInt64Array(buffer)].map(Number)
  const View = views[name as keyof typeof views]
  return [...new View(buffer)]
}

async function ragged(root: VirtualGroup, path: string, source: Source) {
  const [values, lengths] = [arrayAt(root, `${path}/values`), arrayAt(root, `${path}/lengths`)]
  return {
    values: numbersOf(await readArray(values, source), values),
    lengths: numbersOf(await readArray(lengths, source), lengths),
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)
/** The fixture's: sequence i has i % 5 elements, which count up over all of them. */
const lengthsOf = (count: number) => upTo(count).map((i) => i % 5)
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

test('sequences of numbers are a group of all values and of the lengths: run, chunked, unwritten, empty, scalar, long', async () => {
  const { root, source } = await parseFixture('sequences.h5')
  for (const [path, lengths] of [
    ['run', lengthsOf(20)],
    ['chunked', lengthsOf(42)],
    ['unwritten', [0, 0, 0, 0, ...lengthsOf(4), 0, 0]],
    ['empty', []],
    ['scalar', [3]],
  ] as const) {
    assert.deepEqual(await ragged(root, path, source), { values: upTo(sum(lengths)), lengths }, path)
  }
  const large = { values: [...upTo(3), ...upTo(30_000), ...upTo(2)], lengths: [3, 30_000, 2] }
  assert.deepEqual(await ragged(root, 'large', source), large)
})

test('CF 9.3.3: the lengths name the dimension of the values, and keep their own shape; attributes are of the values', async () => {
  const { root } = await parseFixture('sequences.h5')
  const [values, lengths] = [arrayAt(root, 'run/values'), arrayAt(root, 'run/lengths')]
  assert.deepEqual(values.dimensionNames, ['obs'])
  assert.equal(lengths.attributes.get('sample_dimension'), 'obs')
  assert.deepEqual(arrayAt(root, 'chunked/lengths').shape, [6, 7])
  assert.equal(values.attributes.get('units'), 'K')
  assert.deepEqual(values.sentinels.fillValue, { kind: 'number', value: 7 })
  assert.deepEqual(arrayAt(root, 'chunked/values').dataType, { kind: 'float', bits: 64 })
})

test('elements may be records and arrays; sequences of text are a listed skip', async () => {
  const { root, source } = await parseFixture('sequences.h5')
  const records = arrayAt(root, 'records/values')
  assert.deepEqual(records.dataType, {
    kind: 'structured',
    fields: [
      { name: 'a', type: { kind: 'int', bits: 16 } },
      { name: 'b', type: { kind: 'float', bits: 32 } },
    ],
  })
  const elements = await readArray(records, source)
  assert.ok(elements.kind === 'fixed')
  const view = new DataView(elements.bytes.buffer, elements.bytes.byteOffset)
  assert.deepEqual(
    [0, 6].map((at) => [view.getInt16(at, true), view.getFloat32(at + 2, true)]),
    [
      [1, 1.5],
      [2, 2.5],
    ],
  )
  assert.deepEqual(arrayAt(root, 'pairs/values').shape, [0, 2])
  assert.equal(memberAt(root, 'texts')?.kind, 'skipped')
})

test('a chunk of values reads what it needs of the heaps, and of a long sequence no more than its part', async () => {
  const { root, source } = await parseFixture('sequences.h5')
  const run = arrayAt(root, 'run/values')
  source.reset()
  await readArray(run, source)
  assert.equal(source.reads.length, 1, 'all sequences are in one heap')
  const large = arrayAt(root, 'large/values')
  source.reset()
  await readArray(large, source)
  const read = source.reads.reduce((total, { length }) => total + length, 0)
  assert.ok(read < 30_005 * 4 + 5 * 4096, `${read} bytes are read of ${30_005 * 4}`)
})

test('references that lead nowhere skip the sequences, or fail when they are read', async () => {
  const bytes = new Uint8Array(readFileSync(new URL('sequences.h5', FIXTURES)))
  const { root } = await parseBytes(bytes)
  const ref = await asStored(arrayAt(root, 'run/lengths')).chunks.at([0])
  assert.ok(ref.kind === 'range')
  const second = ref.offset + 16
  const nowhere = bytes.slice()
  nowhere.fill(0, second + 4, second + 12)
  const skipped = memberAt((await parseBytes(nowhere)).root, 'run')
  assert.ok(skipped?.kind === 'skipped')
  assert.match(skipped.reason, /nowhere/)
  const longer = bytes.slice()
  longer[second] = 200
  const parsed = await parseBytes(longer)
  assert.equal(arrayAt(parsed.root, 'run/values').shape[0], 239)
  await assert.rejects(readArray(arrayAt(parsed.root, 'run/values'), parsed.source), /global heap/)
})

test('the class time is seconds since 1970, in the byte order it has', async () => {
  const { root, source } = await parseFixture('sequences.h5')
  const time = arrayAt(root, 'time')
  assert.deepEqual(time.dataType, { kind: 'int', bits: 32 })
  assert.equal(time.attributes.get('units'), 'seconds since 1970-01-01')
  assert.deepEqual(numbersOf(await readArray(time, source), time), [0, 86_400, -1])
})
