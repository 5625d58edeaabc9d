import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as zarr from 'zarrita'
import { openVirtual, virtualStore } from '../../src/index.ts'
import type { Box } from '../../src/model/virtual-store.ts'
import { memorySource } from '../../src/source/memory.ts'
import { isForetold } from '../../src/verify/foretold.ts'
import { KeptReader } from '../../src/verify/readers/reader-process.ts'
import type { ArrayReport, VerifyReport } from '../../src/verify/report.ts'
import { verifySource } from '../../src/verify/verify.ts'
import { valuesIn } from '../../src/verify/zarr-values.ts'

/** Made by fixtures/verify/make.py with tifffile, GDAL, h5py and netCDF4; what they hold is known by rules, or by what GDAL decodes. */
const FAULTS = fileURLToPath(new URL('../fixtures/verify/', import.meta.url))
const [ROWS, COLUMNS] = [32, 48]
const grid = (value: (y: number, x: number) => number) =>
  Array.from({ length: ROWS * COLUMNS }, (_, at) => value(Math.floor(at / COLUMNS), at % COLUMNS))
const gdal = JSON.parse(readFileSync(`${FAULTS}gdal.json`, 'utf8')) as {
  grey: number[]
  colours: number[]
  ycbcr: number[]
}

interface KnownFault {
  readonly file: string
  readonly format: string
  readonly array: string
  readonly values: readonly (number | string)[]
  readonly why: RegExp
}

const FOUND: readonly KnownFault[] = [
  {
    file: 'predictor2.tif',
    format: 'tiff',
    array: 'band_data',
    values: grid((y, x) => (y * 1009 + x * 37) % 65_536),
    why: /geotiff 3.0 undoes horizontal differencing/,
  },
  {
    file: 'predictor3.tif',
    format: 'tiff',
    array: 'band_data',
    values: grid((y, x) => y * 1.5 + x * 0.25),
    why: /geotiff 3.0 gives big-endian samples .* with their bytes swapped/,
  },
  {
    file: 'bits.tif',
    format: 'tiff',
    array: 'band_data',
    values: [...grid((y, x) => (x + y) % 2), ...grid((y, x) => (Math.floor(x / 3) + y) % 2)],
    why: /geotiff 3.0 unpacks several samples/,
  },
  { file: 'colours.tif', format: 'tiff', array: 'band_data', values: gdal.colours, why: /does not turn YCbCr/ },
  { file: 'ycbcr.tif', format: 'tiff', array: 'band_data', values: gdal.ycbcr, why: /does not turn YCbCr/ },
  {
    file: 'faults.h5',
    format: 'hdf5',
    array: 'records/count',
    values: Array.from({ length: 8 }, (_, i) => i * 1000 + 1),
    why: /h5wasm 0.10 takes big-endian members/,
  },
  {
    file: 'faults.h5',
    format: 'hdf5',
    array: 'records/height',
    values: Array.from({ length: 8 }, (_, i) => i * 0.5 - 1),
    why: /h5wasm 0.10 takes big-endian members/,
  },
  {
    file: 'faults.h5',
    format: 'hdf5',
    array: 'text',
    values: ['caf\u00e9', '\u009cuvre', 'plain'],
    why: /h5wasm 0.10 takes text that is no UTF-8 for windows-1252/,
  },
  {
    file: 'faults.h5',
    format: 'hdf5',
    array: 'bits',
    values: Array.from({ length: 12 }, (_, i) => i - 6),
    why: /h5wasm 0.10 gives integers of fewer bits/,
  },
  {
    file: 'records.nc',
    format: 'netcdf3',
    array: 'flag',
    values: Array.from({ length: 15 }, (_, i) => Math.floor(i / 3) * 10 + (i % 3)),
    why: /netcdfjs 4.0 steps over what fills records/,
  },
]

describe('known faults of independent readers', () => {
  const readers = new KeptReader()
  const reports = new Map<string, VerifyReport>()
  const reportOf = async (file: string, format: string, served = readFileSync(FAULTS + file)) => {
    const source = memorySource(`https://archive.example/${file}`, served, '"v1"')
    const { version } = await openVirtual(source)
    return await verifySource({
      store: virtualStore(source),
      source: source.url,
      format,
      version,
      sample: 1,
      async openReader() {
        const reader = readers.take()
        return { reader, name: await reader.open(format, FAULTS + file) }
      },
    })
  }
  before(async () => {
    for (const { file, format } of FOUND) if (!reports.has(file)) reports.set(file, await reportOf(file, format))
  })
  after(() => readers.close())
  const arrayOf = (file: string, array: string): ArrayReport => {
    const found = reports.get(file)?.arrays[array]
    assert.ok(found !== undefined, `${file} ${array}`)
    return found
  }

  for (const { file, array, values, why } of FOUND) {
    test(`${file} ${array}: what is served is what was written, what the reader gives is not`, async () => {
      const source = memorySource(`https://archive.example/${file}`, readFileSync(FAULTS + file), '"v1"')
      const opened = await zarr.open(zarr.root(virtualStore(source)).resolve(array), { kind: 'array' })
      const { shape } = opened
      assert.deepEqual([...Array.from(await valuesIn(opened, { origin: shape.map(() => 0), shape }))], values)
      const report = arrayOf(file, array)
      assert.equal(report.result, 'fault', JSON.stringify(report))
      assert.match(report.why ?? '', why)
    })
  }

  test('JPEG without YCbCr is decoded alike, but for rounding', async () => {
    const report = await reportOf('grey.tif', 'tiff')
    assert.ok(['confirmed', 'fault'].includes(report.arrays['band_data']?.result ?? ''), JSON.stringify(report.arrays))
  })

  test('zarrita takes texts in the order F for C, and scales 32 bits in 64', async () => {
    const folder = `${mkdtempSync(join(tmpdir(), 'vz-zarrita-'))}/`
    const array = (name: string, document: object, bytes: Uint8Array) => {
      mkdirSync(`${folder}${name}`)
      const all = { zarr_format: 2, compressor: null, filters: null, order: 'C', ...document }
      writeFileSync(`${folder}${name}/.zarray`, JSON.stringify(all))
      writeFileSync(`${folder}${name}/0`, bytes)
      return [`${name}/.zarray`, all] as const
    }
    try {
      const columns = Buffer.from('aaadddbbbeeecccfff')
      const scaling = { id: 'fixedscaleoffset', offset: 1000, scale: 10, dtype: '<f8', astype: '<f4' }
      const documents = [
        array('text', { shape: [2, 3], chunks: [2, 3], dtype: '|S3', fill_value: '', order: 'F' }, columns),
        array(
          'scaled',
          { shape: [3], chunks: [3], dtype: '<f8', fill_value: 0, filters: [scaling] },
          new Uint8Array(Float32Array.of(0, 1, 2.5).buffer),
        ),
      ]
      renameSync(`${folder}text/0`, `${folder}text/0.0`)
      const metadata = Object.fromEntries([['.zgroup', { zarr_format: 2 }], ...documents])
      writeFileSync(`${folder}.zgroup`, '{"zarr_format":2}')
      writeFileSync(`${folder}.zmetadata`, JSON.stringify({ zarr_consolidated_format: 1, metadata }))
      const store = virtualStore(folder)
      const { version } = await openVirtual(folder)
      const report = await verifySource({
        store,
        source: folder,
        format: 'zarr',
        version,
        sample: 1,
        async openReader() {
          const reader = readers.take()
          return { reader, name: await reader.open('zarr', folder) }
        },
      })
      const read = async (name: string, box: Box) =>
        Array.from(await valuesIn(await zarr.open(zarr.root(store).resolve(name), { kind: 'array' }), box))
      assert.deepEqual(await read('text', { origin: [0, 0], shape: [2, 3] }), [
        'aaa',
        'bbb',
        'ccc',
        'ddd',
        'eee',
        'fff',
      ])
      // As numcodecs computes it, in the type of what is stored.
      const scaled = [0, 1, 2.5].map((value) => Math.fround(Math.fround(value / 10) + 1000))
      assert.deepEqual(await read('scaled', { origin: [0], shape: [3] }), scaled)
      for (const name of ['text', 'scaled']) {
        assert.equal(report.arrays[name]?.result, 'fault', JSON.stringify(report.arrays[name]))
        assert.match(report.arrays[name]?.why ?? '', /^zarrita 0.7/)
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('what has no fault beside it is confirmed', () => {
    assert.equal(arrayOf('faults.h5', 'records/plain').result, 'confirmed')
  })

  test('what the library leaves of memory for chunks that nobody wrote is no value', () => {
    const { result, why = '' } = arrayOf('faults.h5', 'never')
    assert.equal(result, 'not-compared')
    assert.match(why, /other values each time/)
  })

  test('damaged luma of YCbCr is found, whatever the two decoders make of chroma', () => {
    const fault = { kind: 'luma', by: 2 } as const
    const sides = { box: { origin: [0, 0, 0], shape: [3, 1, 2] }, type: 'uint8' }
    // ITU-R BT.601: the Y of (10, 200, 90) is 130.65, that of (100, 100, 100) is 100.
    const served = [10, 100, 200, 100, 90, 100]
    assert.ok(isForetold(fault, { ...sides, served, source: [131, 100, 40, 128, 60, 128] }))
    assert.ok(!isForetold(fault, { ...sides, served, source: [131, 104, 40, 128, 60, 128] }))
    assert.ok(
      !isForetold(fault, { ...sides, served: [10, 100, 200, 100, 90, 130], source: [131, 100, 40, 128, 60, 128] }),
    )
  })

  test('a fault of the reader hides none of ours', async () => {
    const bytes = readFileSync(`${FAULTS}faults.h5`)
    const at = bytes.indexOf(Buffer.from([0x9c, 0x75, 0x76]))
    const patched = Uint8Array.from(bytes)
    patched[at + 1] = 0x55
    const { arrays } = await reportOf('faults.h5', 'hdf5', Buffer.from(patched))
    assert.equal(arrays['text']?.result, 'differs')
    // Another quantisation table of luma: each of its steps is doubled.
    const colours = Buffer.from(readFileSync(`${FAULTS}colours.tif`))
    const table = colours.indexOf(Buffer.from([0xff, 0xdb, 0x00, 0x43, 0x00])) + 5
    colours.set(
      colours.subarray(table, table + 64).map((step) => step * 2),
      table,
    )
    assert.equal((await reportOf('colours.tif', 'tiff', colours)).arrays['band_data']?.result, 'differs')
    const sides = { box: { origin: [0, 0], shape: [1, 4] }, type: 'uint16' }
    const fault = { kind: 'swapped-differences', columns: 4 } as const
    const served = [1, 2, 3, 4]
    // Each difference of 1 is 256 in the other order, and so are their sums again.
    assert.ok(isForetold(fault, { ...sides, served, source: served }))
    assert.ok(!isForetold(fault, { ...sides, served, source: [1, 2, 3, 5] }))
    assert.ok(!isForetold({ kind: 'swapped-bytes' }, { ...sides, served, source: [256, 512, 768, 1] }))
    assert.ok(isForetold({ kind: 'swapped-bytes' }, { ...sides, served, source: [256, 512, 768, 1024] }))
    assert.ok(!isForetold({ kind: 'rounded', by: 1 }, { ...sides, served, source: [1, 2, 3, 6] }))
  })
})
