import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { runCommand } from '../../src/server/commands/run.ts'
import { type RunningApp, runApp, storeUrlOf } from '../helpers/app.ts'
import { netcdf3File } from '../helpers/netcdf3-file.ts'
import { type Origin, startOrigin } from '../helpers/origin.ts'

const FIXTURES = new URL('../fixtures/kerchunk/lazy/', import.meta.url)

let origin: Origin
let app: RunningApp

before(async () => {
  origin = await startOrigin()
})
afterEach(async () => await app.close())
after(async () => await origin.close())

async function start(environment: Readonly<Record<string, string>> = {}): Promise<void> {
  app = await runApp({}, { VZ_ALLOW_SOURCES: origin.base, ...environment })
}

const get = async (url: string) => await app.http.inject({ method: 'GET', url })
const exportOf = async (url: string, more = '') => await get(`/export?url=${encodeURIComponent(url)}${more}`)

/** Documents and chunks of two stores are the same. */
async function assertSameStore(one: string, other: string): Promise<void> {
  const [a, b] = [(await get(`${one}zarr.json`)).json(), (await get(`${other}zarr.json`)).json()]
  assert.deepEqual(b, a)
  const metadata: Record<
    string,
    { node_type: string; shape: number[]; chunk_grid: { configuration: { chunk_shape: number[] } } }
  > = a.consolidated_metadata.metadata
  for (const [path, document] of Object.entries(metadata)) {
    if (document.node_type !== 'array') continue
    const grid = document.shape.map((length, axis) =>
      Math.ceil(length / (document.chunk_grid.configuration.chunk_shape[axis] ?? 1)),
    )
    for (const key of [
      ['c', ...grid.map(() => 0)],
      ['c', ...grid.map((length) => length - 1)],
    ].map((parts) => parts.join('/'))) {
      const [first, second] = [await get(`${one}${path}/${key}`), await get(`${other}${path}/${key}`)]
      assert.equal(second.statusCode, first.statusCode, `${path}/${key}`)
      if (first.statusCode === 200) assert.deepEqual(second.rawPayload, first.rawPayload, `${path}/${key}`)
    }
  }
}

const native = (name: string) => `${storeUrlOf(app, origin.url(name)).replace(/\/$/, '')};codecs=native/`

describe('/export', () => {
  test('an exported document is the same store again, fill values included', async () => {
    await start()
    origin.put('a.nc', netcdf3File())
    const exported = await exportOf(origin.url('a.nc'))
    assert.equal(exported.statusCode, 200, exported.payload)
    const document = exported.json()
    assert.equal(document.version, 1)
    origin.put('refs.json', exported.rawPayload)
    await assertSameStore(native('a.nc'), native('refs.json'))
  })

  test('what Zarr v2 says is written so, with dimension names, and _FillValue for readers that take no fill value for a mask', async () => {
    await start()
    const zarray = {
      zarr_format: 2,
      shape: [4],
      chunks: [2],
      dtype: '<f4',
      fill_value: -9999,
      order: 'C',
      compressor: { id: 'zlib', level: 1 },
      filters: null,
    }
    const refs = {
      '.zgroup': '{"zarr_format":2}',
      'a/.zarray': JSON.stringify(zarray),
      'a/.zattrs': '{"_ARRAY_DIMENSIONS":["x"],"units":"m"}',
      'a/1': ['x.bin', 10, 30],
    }
    origin.put('given.json', Buffer.from(JSON.stringify({ version: 1, refs })))
    const { refs: written } = (await exportOf(origin.url('given.json'))).json()
    assert.deepEqual(Object.keys(written).sort(), ['.zattrs', '.zgroup', 'a/.zarray', 'a/.zattrs', 'a/1'])
    // VirtualiZarr knows no compressors, only filters: so Kerchunk writes them.
    const filters = [zarray.compressor]
    const expected = { ...zarray, fill_value: -9999, filters, compressor: null, dimension_separator: '.' }
    assert.deepEqual(JSON.parse(written['a/.zarray']), expected)
    const attributes = { units: 'm', _FillValue: 'AAAAAICHw8A=', _ARRAY_DIMENSIONS: ['x'] }
    assert.deepEqual(JSON.parse(written['a/.zattrs']), attributes)
    assert.deepEqual(written['a/1'], [origin.url('x.bin'), 10, 30])
  })

  test('checksums that are not advertised are left off the ranges', async () => {
    await start()
    const zarray = {
      zarr_format: 2,
      shape: [4],
      chunks: [4],
      dtype: '<i4',
      fill_value: 0,
      order: 'C',
      compressor: null,
      filters: [{ id: 'fletcher32' }],
    }
    const refs = { '.zgroup': '{"zarr_format":2}', 'a/.zarray': JSON.stringify(zarray), 'a/0': ['x.bin', 100, 20] }
    origin.put('given.json', Buffer.from(JSON.stringify(refs)))
    const { refs: written } = (await exportOf(origin.url('given.json'))).json()
    const codecs = JSON.parse(written['a/.zarray'] ?? written['a/zarr.json'])
    const keepsChecksum = JSON.stringify(codecs).includes('fletcher32')
    assert.deepEqual(written['a/0'], [origin.url('x.bin'), 100, keepsChecksum ? 20 : 16])
  })

  test('what can not be exported is named, in the document and when nothing is left', async () => {
    await start()
    origin.put('a.nc.gz', gzipSync(netcdf3File()))
    const inflated = await exportOf(origin.url('a.nc.gz'))
    assert.equal(inflated.statusCode, 501)
    assert.match(inflated.json().detail, /compressed as a whole/)
    const zarray = (more: object) =>
      JSON.stringify({
        zarr_format: 2,
        shape: [4],
        chunks: [4],
        dtype: '<i4',
        fill_value: 0,
        order: 'C',
        compressor: null,
        filters: null,
        ...more,
      })
    const refs = {
      '.zgroup': '{"zarr_format":2}',
      'a/.zarray': zarray({}),
      'a/0': ['x.bin', 0, 16],
      'b/.zarray': zarray({ dtype: '|O', fill_value: null, filters: [{ id: 'json2' }] }),
      'b/0': ['x.bin', 0, 16],
    }
    origin.put('given.json', Buffer.from(JSON.stringify(refs)))
    const { metadata } = (await exportOf(origin.url('given.json'))).json()
    assert.match(metadata.virtual_zarr.not_exported.b, /json2/)
  })

  test('an origin that fails costs the export, and not the arrays whose values would be written into it', async () => {
    await start({ VZ_FRESH_SECONDS: '0' })
    origin.put('tiles.fits', readFileSync(new URL('../fixtures/fits/tiles.fits', import.meta.url)))
    const right = await exportOf(origin.url('tiles.fits'))
    assert.match(right.body, /base64:/)
    for (const fault of [{ kind: 'status', status: 403 }, { kind: 'html' }, { kind: 'multipart' }] as const) {
      const heal = origin.fault(fault, Number.POSITIVE_INFINITY, 'tiles.fits')
      const broken = await exportOf(origin.url('tiles.fits'))
      assert.equal(broken.statusCode, 502, `${fault.kind}: ${broken.body.slice(-500)}`)
      heal()
      assert.equal((await exportOf(origin.url('tiles.fits'))).body, right.body)
    }
  })

  test('GUARD-9: no query of a URL is written', async () => {
    await start()
    origin.put('a.nc?sig=CANARY', netcdf3File())
    const exported = await exportOf(`${origin.url('a.nc')}?sig=CANARY`)
    assert.equal(exported.statusCode, 501, exported.payload)
    assert.doesNotMatch(exported.payload, /CANARY/)
  })

  test('a Parquet set, as an archive: the same store again, inline bytes and absent chunks included', async () => {
    await start()
    const set = ['.zmetadata', 'a/refs.0.parq', 'a/refs.1.parq', 'a/refs.3.parq', 'data.bin']
    for (const name of set) origin.put(`set/${name}`, readFileSync(new URL(name, FIXTURES)))
    const exported = await exportOf(origin.url('set/'), '&to=kerchunk-parquet')
    assert.equal(exported.statusCode, 200, exported.payload)
    assert.equal(exported.headers['content-type'], 'application/zip')
    const members = membersOf(exported.rawPayload)
    assert.deepEqual([...members.keys()], ['a/refs.0.parq', '.zmetadata'])
    for (const [name, bytes] of members) origin.put(`again/${name}`, bytes)
    await assertSameStore(native('set/'), native('again/'))
  })

  test('an unknown target is 400', async () => {
    await start()
    assert.equal((await exportOf(origin.url('a.nc'), '&to=csv')).statusCode, 400)
  })
})

test('virtual-zarr export writes a document or the folder of a set, and exit codes', async () => {
  await start()
  const folder = mkdtempSync(join(tmpdir(), 'export-'))
  try {
    origin.put('a.nc', netcdf3File())
    const run = async (...words: string[]) => await runCommand(['export', origin.url('a.nc'), ...words], {})
    assert.equal(await run('--out', join(folder, 'refs.json')), 0)
    const written = JSON.parse(readFileSync(join(folder, 'refs.json'), 'utf8'))
    assert.deepEqual(written, (await exportOf(origin.url('a.nc'))).json())
    assert.equal(await run('--to', 'kerchunk-parquet'), 2)
    assert.equal(await run('--to', 'kerchunk-parquet', '--out', join(folder, 'set')), 0)
    assert.equal(JSON.parse(readFileSync(join(folder, 'set/.zmetadata'), 'utf8')).record_size, 10_000)
    assert.ok(pathToFileURL(folder))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

/** The stored members of an archive, by walking its local headers. */
function membersOf(zip: Buffer): Map<string, Buffer> {
  const members = new Map<string, Buffer>()
  for (let at = 0; zip.readUInt32LE(at) === 0x04034b50; ) {
    const [length, nameLength] = [zip.readUInt32LE(at + 18), zip.readUInt16LE(at + 26)]
    const start = at + 30 + nameLength
    members.set(zip.toString('utf8', at + 30, start), zip.subarray(start, start + length))
    at = start + length
  }
  return members
}
