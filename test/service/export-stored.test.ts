import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { type RunningApp, runApp, storeUrlOf } from '../helpers/app.ts'
import { type Origin, startOrigin } from '../helpers/origin.ts'
import { putStore, v3Array, v3Group } from '../helpers/zarr-store.ts'

const EXAMPLES = new URL('../../examples/', import.meta.url)

type Reference = string | readonly [url: string, offset?: number, length?: number]
type References = Readonly<Record<string, Reference>>

let origin: Origin
let app: RunningApp
let store = ''
let stores = 0

before(async () => {
  origin = await startOrigin()
})
beforeEach(async () => {
  app = await runApp({}, { VZ_ALLOW_SOURCES: origin.base })
})
afterEach(async () => await app.close())
after(async () => await origin.close())

const get = async (url: string) => await app.http.inject({ method: 'GET', url })

async function exported(
  name: string,
): Promise<{ readonly refs: References; readonly metadata?: Readonly<Record<string, unknown>> }> {
  const answer = await get(`/export?url=${encodeURIComponent(origin.url(name))}`)
  assert.equal(answer.statusCode, 200, answer.payload)
  return answer.json()
}

function documentOf(refs: References, key: string): Readonly<Record<string, unknown>> {
  return JSON.parse(String(refs[key])) as Readonly<Record<string, unknown>>
}

/** Puts a hierarchy of one array, with objects below it, in the place of another. */
function putArray(document: Readonly<Record<string, unknown>>, objects: Readonly<Record<string, Uint8Array>>): void {
  store = `s${++stores}.zarr`
  const below = Object.fromEntries(Object.entries(objects).map(([key, bytes]) => [`a/${key}`, bytes]))
  putStore(origin, store, { 'zarr.json': v3Group({ a: document }), 'a/zarr.json': document, ...below })
}

const numbers = (...values: readonly number[]) => new Uint8Array(Int16Array.from(values).buffer)

describe('an export has the grid of the source', () => {
  test('each record of a NetCDF-3 variable is a chunk, and all of them are the values that are served', async () => {
    const file = readFileSync(new URL('sea-surface.nc', EXAMPLES))
    origin.put('a.nc', file)
    const { refs, metadata } = await exported('a.nc')
    assert.equal(metadata, undefined, 'nothing is left out')
    const { chunks, dtype, fill_value } = documentOf(refs, 'sst/.zarray')
    assert.deepEqual([chunks, dtype, fill_value], [[1, 36, 72], '>i2', -32768])
    const stored = Array.from({ length: 12 }, (_, record) => {
      const reference = refs[`sst/${record}.0.0`] ?? ''
      assert.ok(typeof reference !== 'string')
      const [url, offset = 0, length = 0] = reference
      assert.equal(url, origin.url('a.nc'))
      return file.subarray(offset, offset + length)
    })
    const raw = `${storeUrlOf(app, origin.url('a.nc')).slice(0, -1)};codecs=raw/`
    const served = await get(`${raw}sst/c/0/0/0`)
    assert.deepEqual(Buffer.concat(stored), served.rawPayload)
  })

  test('the inner chunks of shards, found by the index of each shard; an absent one is absent', async () => {
    const inner = { name: 'bytes', configuration: { endian: 'little' } }
    const shards = {
      name: 'sharding_indexed',
      configuration: { chunk_shape: [2], codecs: [inner], index_codecs: [inner], index_location: 'end' },
    }
    const chunk_grid = { name: 'regular', configuration: { chunk_shape: [4] } }
    const absent = 2n ** 64n - 1n
    const shard = (...index: readonly bigint[]) =>
      Buffer.concat([numbers(7, 8, 9, 10), new Uint8Array(BigUint64Array.from(index).buffer)])
    putArray(v3Array({ shape: [10], chunk_grid, codecs: [shards] }), {
      'c/0': shard(4n, 4n, 0n, 4n),
      'c/2': shard(absent, absent, absent, absent),
    })
    const { refs } = await exported(`${store}/`)
    assert.deepEqual(documentOf(refs, 'a/.zarray')['chunks'], [2])
    const chunks = Object.keys(refs).filter((key) => /^a\/\d/.test(key))
    assert.deepEqual(chunks, ['a/0', 'a/1'])
    assert.deepEqual(refs['a/0'], [origin.url(`${store}/a/c/0`), 4, 4])
    assert.deepEqual(refs['a/1'], [origin.url(`${store}/a/c/0`), 0, 4])
  })

  test('axes that Zarr v2 can not turn keep the order of the source, with their names', async () => {
    const codecs = [
      { name: 'transpose', configuration: { order: [1, 2, 0] } },
      { name: 'bytes', configuration: { endian: 'little' } },
    ]
    const chunk_grid = { name: 'regular', configuration: { chunk_shape: [3, 2, 2] } }
    const names = { dimension_names: ['band', 'y', 'x'] }
    putArray(v3Array({ shape: [3, 4, 2], chunk_grid, codecs, ...names }), { 'c/0/1/0': Buffer.alloc(24) })
    const { refs } = await exported(`${store}/`)
    const { shape, chunks, order } = documentOf(refs, 'a/.zarray')
    assert.deepEqual([shape, chunks, order], [[4, 2, 3], [2, 2, 3], 'C'])
    assert.deepEqual(documentOf(refs, 'a/.zattrs')['_ARRAY_DIMENSIONS'], ['y', 'x', 'band'])
    assert.deepEqual(refs['a/1.0.0'], [origin.url(`${store}/a/c/0/1/0`)])
    assert.equal(refs['a/0.0.0'], undefined)
  })
})

describe('fill values, of which Zarr v2 knows one', () => {
  const twoChunks = { 'c/0': numbers(1, 2), 'c/1': numbers(3, 4) }
  const fills = async () => {
    const { refs } = await exported(`${store}/`)
    return [documentOf(refs, 'a/.zarray')['fill_value'], documentOf(refs, 'a/.zattrs')['_FillValue'], refs['a/1']]
  }
  const second = () => [origin.url(`${store}/a/c/1`)]

  test('none is needed where no chunk is missing', async () => {
    putArray(v3Array({ fill_value: 5 }), twoChunks)
    assert.deepEqual(await fills(), [null, undefined, second()])
  })

  test('what is masked, where no chunk is missing', async () => {
    putArray(v3Array({ fill_value: 5, attributes: { _FillValue: -1 } }), twoChunks)
    assert.deepEqual(await fills(), [-1, -1, second()])
  })

  test('a missing chunk of zeros that are not masked', async () => {
    putArray(v3Array({ attributes: { _FillValue: -1 } }), { 'c/0': numbers(1, 2) })
    assert.deepEqual(await fills(), [null, -1, undefined])
    const packed = { data_type: 'float32', attributes: { _FillValue: 'AAAAAAAA8L8=' } }
    putArray(v3Array(packed), { 'c/0': new Uint8Array(Float32Array.of(1, 2).buffer) })
    // Readers of Zarr v2 don't decode the attribute.
    assert.deepEqual(await fills(), [null, -1, undefined])
  })

  test('a missing chunk that neither null nor the masked value stands for is written out', async () => {
    putArray(v3Array({ fill_value: 5, attributes: { _FillValue: -1 } }), { 'c/0': numbers(1, 2) })
    const written = `base64:${Buffer.from(numbers(5, 5)).toString('base64')}`
    assert.deepEqual(await fills(), [-1, -1, written])
  })

  test('an array with too much of it is left out, with the reason', async () => {
    const chunk_grid = { name: 'regular', configuration: { chunk_shape: [200_000] } }
    const wide = v3Array({ fill_value: 5, shape: [400_000], chunk_grid })
    const objects = { 'a/c/0': Buffer.alloc(400_000), 'b/c/0': numbers(1, 2) }
    putStore(origin, 'wide.zarr', { 'zarr.json': v3Group({ a: wide, b: v3Array() }), ...objects })
    const { refs, metadata } = await exported('wide.zarr/')
    assert.match(JSON.stringify(metadata), /"a":"its fill value is not its _FillValue/)
    assert.equal(refs['a/.zarray'], undefined)
    assert.notEqual(refs['b/.zarray'], undefined)
  })
})

test('small values that no reference can name are written into the export, as they are served', async () => {
  const document = v3Array({
    data_type: 'int16',
    codecs: [{ name: 'scale_offset', configuration: { offset: 3 } }, ...(v3Array()['codecs'] as unknown[])],
  })
  putArray(document, { 'c/0': numbers(1, 2), 'c/1': numbers(3, 4) })
  const { refs, metadata } = await exported(`${store}/`)
  assert.equal(metadata, undefined)
  assert.equal(refs['a/0'], `base64:${Buffer.from(numbers(4, 5)).toString('base64')}`)
})

test('a reference that leads nowhere costs its array, not the export', async () => {
  const zarray = {
    zarr_format: 2,
    shape: [2],
    chunks: [2],
    dtype: '<i2',
    compressor: null,
    fill_value: 0,
    order: 'C',
    filters: null,
  }
  const text = JSON.stringify(zarray)
  const refs = {
    '.zgroup': '{"zarr_format":2}',
    'a/.zarray': text,
    'a/0': ['../x.bin', 0, 4],
    'b/.zarray': text,
    'b/0': ['x.bin', 0, 4],
  }
  origin.put('below/given.json', Buffer.from(JSON.stringify(refs)))
  const written = await exported('below/given.json')
  assert.match(JSON.stringify(written.metadata), /"a":"the reference of this chunk leads out of the folder/)
  assert.deepEqual(written.refs['b/0'], [origin.url('below/x.bin'), 0, 4])
})
