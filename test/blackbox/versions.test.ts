import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type RunningApp, runApp } from '../helpers/app.ts'
import { netcdf3File } from '../helpers/netcdf3-file.ts'
import { type Origin, startOrigin } from '../helpers/origin.ts'
import { putStore, v3Array } from '../helpers/zarr-store.ts'

let origin: Origin
let app: RunningApp
before(async () => {
  origin = await startOrigin()
  app = await runApp({}, { VZ_ALLOW_SOURCES: origin.base, VZ_FRESH_SECONDS: '0' })
})
after(async () => {
  await app.close()
  await origin.close()
})

const storeOf = (source: string) => `/zarr/~${Buffer.from(origin.url(source)).toString('base64url')}/`
const get = async (url: string, headers: Record<string, string> = {}) => await app.http.inject({ url, headers })

test('RELIABILITY 1: chunks of a Zarr folder whose metadata was replaced are 409 until zarr.json is asked for', async () => {
  const store = storeOf('folder/')
  putStore(origin, 'folder', { 'zarr.json': v3Array(), 'c/0': Buffer.from([1, 0, 2, 0]) })
  assert.equal((await get(`${store}zarr.json`)).statusCode, 200)
  assert.equal((await get(`${store}c/0`)).statusCode, 200)
  const other = Buffer.from(JSON.stringify(v3Array({ data_type: 'uint16' })))
  origin.put('folder/zarr.json', { bytes: other, etag: '"v2"' })
  for (const key of ['c/0', 'c/1']) assert.equal((await get(store + key)).statusCode, 409, key)
  assert.equal((await get(`${store}zarr.json`)).json().data_type, 'uint16')
  assert.equal((await get(`${store}c/0`)).statusCode, 200)
  assert.equal((await get(`${store}c/1`)).statusCode, 404)
})

test('a Zarr folder that was deleted does not read as fill', async () => {
  const store = storeOf('deleted/')
  putStore(origin, 'deleted', { 'zarr.json': v3Array(), 'c/0': Buffer.from([1, 0, 2, 0]) })
  assert.equal((await get(`${store}c/0`)).statusCode, 200)
  for (const key of ['zarr.json', 'c/0']) origin.remove(`deleted/${key}`)
  assert.equal((await get(`${store}c/0`)).statusCode, 409)
  assert.equal((await get(`${store}zarr.json`)).statusCode, 404)
  assert.equal((await get(`${store}c/0`)).statusCode, 424)
})

test('fault 13: a source known by a weak tag alone has a new version, and new ETags, with a new tag', async () => {
  const store = storeOf('weak.nc')
  const size = { rows: 400, columns: 100 }
  const put = (first: number, tag: string) => {
    const bytes = Buffer.from(netcdf3File(size))
    // Far from the head, which is all that a hash would see.
    bytes.writeFloatBE(first, bytes.length - 4)
    origin.put('weak.nc', { bytes, etag: `W/"${tag}"` })
  }
  put(1, 'one')
  const [, version = ''] = /;version=([\w-]+)\//.exec(String((await get(`${store}zarr.json`)).headers.link)) ?? []
  const { etag = '' } = (await get(`${store}temperature/c/0/0`)).headers
  put(2, 'two')
  assert.equal((await get(`${store}temperature/c/0/0`, { 'if-none-match': String(etag) })).statusCode, 409)
  assert.equal((await get(`${store}zarr.json`)).statusCode, 200)
  assert.equal((await get(`${store}temperature/c/0/0`, { 'if-none-match': String(etag) })).statusCode, 200)
  assert.equal((await get(`${store.slice(0, -1)};version=${version}/temperature/c/0/0`)).statusCode, 409)
})
