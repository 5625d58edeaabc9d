import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { formats, openVirtual, virtualStore } from '../../src/index.ts'
import { KeptReader, ReaderFailure, ReaderProcess } from '../../src/verify/readers/reader-process.ts'
import { READERS, WITHOUT_READER } from '../../src/verify/readers/readers.ts'
import type { VerifyReport } from '../../src/verify/report.ts'
import { verifySource } from '../../src/verify/verify.ts'
import { openSweep, type Sweep, sourcesIn, sweptSources } from '../corpus/verify-sweep.ts'

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url))

test('every format has an independent reader, or it is said by name why it has none', () => {
  for (const { name } of formats)
    assert.notEqual(Object.hasOwn(READERS, name), Object.hasOwn(WITHOUT_READER, name), name)
})

describe('independent readers', () => {
  let sweep: Sweep
  let folder: string
  const readers = new KeptReader()
  before(async () => {
    sweep = await openSweep('/')
    folder = mkdtempSync(join(tmpdir(), 'vz-readers-'))
  })
  after(async () => {
    readers.close()
    await sweep.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const reportOf = async (path: string): Promise<VerifyReport> => {
    const report = await sweep.report(path)
    assert.ok(report !== undefined && report !== 'late', path)
    return report
  }

  test('the examples are confirmed wherever there is a reader, with one process for all of them', async () => {
    const { counts, told } = await sweptSources(
      sweep,
      sourcesIn(EXAMPLES, (name) => name !== 'catalog.yaml'),
    )
    assert.deepEqual(told, [])
    assert.ok(counts.confirmed >= 200, JSON.stringify(counts))
  })

  for (const [path, arrays, reader] of [
    [join(EXAMPLES, 'chlorophyll.zarr/'), 4, /^zarrita \d/],
    [join(EXAMPLES, 'rivers.zarr.zip'), 3, /^zarrita \d/],
    [join(EXAMPLES, 'currents.nc.dmrpp'), 7, /^h5wasm \d/],
  ] as const) {
    test(`${path.slice(EXAMPLES.length)} is confirmed by a reader that finds its chunks by itself`, async () => {
      const report = await reportOf(path)
      assert.match(report.reader ?? '', reader)
      assert.equal(report.totals.differs + report.totals.fault, 0, JSON.stringify(report.arrays))
      assert.ok(report.totals.confirmed >= arrays, JSON.stringify(report.totals))
    })
  }

  test('a set of references in JSON is confirmed, relative URLs and templates too', async () => {
    const bytes = Buffer.from(Float64Array.from({ length: 6 }, (_, i) => i / 4).buffer)
    writeFileSync(join(folder, 'values.bin'), bytes)
    const array = { zarr_format: 2, shape: [6], chunks: [3], dtype: '<f8', order: 'C', compressor: null, filters: null }
    const refs = {
      '.zgroup': '{"zarr_format":2}',
      'v/.zarray': JSON.stringify({ ...array, fill_value: 'NaN' }),
      'v/.zattrs': '{"_ARRAY_DIMENSIONS":["x"]}',
      'v/0': ['values.bin', 0, 24],
      'v/1': ['{{u}}', 24, 24],
    }
    const path = join(folder, 'refs.json')
    writeFileSync(path, JSON.stringify({ version: 1, templates: { u: 'values.bin' }, refs }))
    const report = await reportOf(path)
    assert.match(report.reader ?? '', /^@zarrita\/storage \d/)
    assert.equal(report.arrays['v']?.result, 'confirmed', JSON.stringify(report.arrays['v']))
    assert.equal(report.totals.values, 6)
  })

  test('a byte of a folder that is patched on the way is found each time', async () => {
    const original = join(folder, 'original.zarr')
    const name = 'plain/0.0'
    const document = { zarr_format: 2, shape: [2, 3], chunks: [2, 3], dtype: '<f4', order: 'C', fill_value: 0 }
    mkdirSync(join(original, 'plain'), { recursive: true })
    writeFileSync(join(original, '.zgroup'), '{"zarr_format":2}')
    writeFileSync(join(original, 'plain/.zarray'), JSON.stringify({ ...document, compressor: null, filters: null }))
    writeFileSync(
      join(original, '.zmetadata'),
      JSON.stringify({
        zarr_consolidated_format: 1,
        metadata: { '.zgroup': { zarr_format: 2 }, 'plain/.zarray': { ...document, compressor: null, filters: null } },
      }),
    )
    writeFileSync(join(original, name), Buffer.from(Float32Array.of(1, 2, 3, 4, 5, 6).buffer))
    for (let at = 0; at < 24; at += 5) {
      const copy = join(folder, `patched-${at}`)
      cpSync(original, copy, { recursive: true })
      const bytes = readFileSync(join(copy, name))
      bytes[at] = (bytes[at] ?? 0) ^ 4
      writeFileSync(join(copy, name), bytes)
      const { version } = await openVirtual(`${copy}/`)
      const report = await verifySource({
        store: virtualStore(`${copy}/`),
        source: copy,
        format: 'zarr',
        version,
        sample: 1,
        async openReader() {
          const reader = readers.take()
          return { reader, name: await reader.open('zarr', `${original}/`) }
        },
      })
      assert.equal(report.arrays['plain']?.result, 'differs', `byte ${at}`)
      assert.equal(report.totals.differs, 1)
    }
  })

  test("WebAssembly's memory is bounded as all other is", async () => {
    const { default: h5wasm } = await import('h5wasm/node')
    await h5wasm.ready
    const path = join(folder, 'large.h5')
    const file = new h5wasm.File(path, 'w')
    const large = { name: 'v', data: [0], shape: [1], dtype: '<d', maxshape: [null], chunks: [1000] }
    file.create_dataset(large).resize([60_000_000])
    file.close()
    const reader = new ReaderProcess({ megabytes: 400 })
    await reader.open('hdf5', path)
    const wanted = { path: 'v', shape: [60_000_000], attributes: {} }
    assert.equal((await reader.read(wanted, { origin: [0], shape: [1000] })).length, 1000)
    await assert.rejects(reader.read(wanted, { origin: [0], shape: [60_000_000] }), /more than 400 MiB of memory/)
  })

  test('a reader that takes too much memory or time is ended, and said to be', async () => {
    const large = new ReaderProcess({ megabytes: 40 })
    await assert.rejects(large.open('hdf5', join(EXAMPLES, 'currents.nc')), (error: Error) => {
      assert.ok(error instanceof ReaderFailure)
      assert.match(error.message, /more than 40 MiB of memory/)
      return true
    })
    assert.ok(large.isOver)
    const slow = new ReaderProcess({ milliseconds: 1 })
    await assert.rejects(slow.open('hdf5', join(EXAMPLES, 'currents.nc')), /more than 0.001 seconds/)
    const next = readers.take()
    assert.match(await next.open('hdf5', join(EXAMPLES, 'currents.nc')), /^h5wasm/)
  })
})
