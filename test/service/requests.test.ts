import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { folderDocumentsOf } from '../../src/formats/registry.ts'
import { type RunningApp, runApp, storeUrlOf } from '../helpers/app.ts'
import { netcdf3File } from '../helpers/netcdf3-file.ts'
import { type Origin, startOrigin } from '../helpers/origin.ts'

let origin: Origin
let app: RunningApp

before(async () => {
  origin = await startOrigin()
})
afterEach(async () => {
  await app.close()
  origin.heal()
})
after(async () => await origin.close())

/** A fresh service before the origin, which forgets what it has counted. */
async function start(environment: Record<string, string> = {}): Promise<void> {
  app = await runApp({}, { VZ_ALLOW_SOURCES: origin.base, ...environment })
  origin.forget()
}

const get = async (path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  await app.http.inject({ method, url: path, headers })
const storeOf = (name: string) => storeUrlOf(app, origin.url(name))

test('GEN-3: a cold open is at most 2 requests, a warm zarr.json none, a warm chunk one', async () => {
  origin.put('big.nc', netcdf3File({ rows: 1000, columns: 500 }))
  await start()
  const store = storeOf('big.nc')
  assert.equal((await get(`${store}zarr.json`)).statusCode, 200)
  assert.ok(origin.requests.length <= 2, `${origin.requests.length} requests`)
  assert.ok(origin.requests.every(({ method }) => method === 'GET'))
  origin.forget()
  assert.equal((await get(`${store}zarr.json`)).statusCode, 200)
  assert.equal((await get(`${store}temperature/zarr.json`)).statusCode, 200)
  assert.equal(origin.requests.length, 0)
  const chunk = await get(`${store}temperature/c/0/0`)
  assert.equal(chunk.statusCode, 200)
  assert.equal(origin.requests.length, 1)
})

test('100 concurrent cold opens are one parse, and each range is read once', async () => {
  origin.put('big.nc', netcdf3File({ rows: 1000, columns: 500 }))
  await start()
  origin.latencyMs = 20
  const answers = await Promise.all(Array.from({ length: 100 }, async () => await get(`${storeOf('big.nc')}zarr.json`)))
  origin.latencyMs = 0
  assert.ok(answers.every(({ statusCode }) => statusCode === 200))
  assert.ok(origin.requests.length <= 2, `${origin.requests.length} requests`)
  assert.equal(app.service.stores.statistics.opens, 1)
})

test('portable, native and raw stores of one source share its parse', async () => {
  origin.put('a.nc', netcdf3File())
  await start()
  for (const codecs of ['portable', 'native', 'raw']) {
    const store = `${storeOf('a.nc').slice(0, -1)};codecs=${codecs}/`
    assert.equal((await get(`${store}zarr.json`)).statusCode, 200)
  }
  assert.equal(app.service.stores.statistics.opens, 1)
})

test('HEAD of a chunk and a chunk the client holds cost no request', async () => {
  origin.put('a.nc', netcdf3File({ rows: 300, columns: 300 }))
  await start()
  const url = `${storeOf('a.nc')}temperature/c/0/0`
  const { headers } = await get(url)
  origin.forget()
  const head = await get(url, {}, 'HEAD')
  assert.equal(head.headers['content-length'], headers['content-length'])
  assert.equal((await get(url, { 'if-none-match': String(headers.etag) })).statusCode, 304)
  assert.equal(origin.requests.length, 0)
})

test('an old store is revalidated by a conditional request, not parsed again', async () => {
  origin.put('a.nc', netcdf3File())
  await start({ VZ_FRESH_SECONDS: '0' })
  assert.equal((await get(`${storeOf('a.nc')}zarr.json`)).statusCode, 200)
  origin.forget()
  assert.equal((await get(`${storeOf('a.nc')}zarr.json`)).statusCode, 200)
  assert.equal(origin.requests.length, 1)
  assert.equal(origin.requests[0]?.headers['if-none-match'], '"v1"')
  assert.equal(app.service.stores.statistics.opens, 1)
})

test('VERSION-3: after a change the chunks are 409 until zarr.json opens the new version', async () => {
  origin.put('a.nc', { bytes: netcdf3File({ rows: 200, columns: 200 }), etag: '"v1"' })
  await start()
  const store = storeOf('a.nc')
  const before = await get(`${store}zarr.json`)
  assert.equal((await get(`${store}temperature/c/0/0`)).statusCode, 200)
  origin.put('a.nc', { bytes: netcdf3File({ rows: 200, columns: 200, first: 7 }), etag: '"v2"' })
  for (let i = 0; i < 2; i++) {
    const refused = await get(`${store}temperature/c/0/0`)
    assert.equal(refused.statusCode, 409)
    assert.equal(refused.json().type, '/problems/source-changed')
  }
  const reopened = await get(`${store}zarr.json`)
  assert.equal(reopened.statusCode, 200)
  assert.notEqual(reopened.headers.link, before.headers.link)
  const chunk = await get(`${store}temperature/c/0/0`)
  assert.equal(chunk.statusCode, 200)
  assert.equal(chunk.rawPayload.readFloatBE(0), 7)
})

test('a pinned store whose source has moved on is 409, metadata and chunks', async () => {
  origin.put('a.nc', { bytes: netcdf3File(), etag: '"v1"' })
  await start({ VZ_FRESH_SECONDS: '0' })
  const store = storeOf('a.nc')
  const version = /;version=([\w-]+)\//.exec(String((await get(`${store}zarr.json`)).headers.link))?.[1]
  const pinned = `${store.slice(0, -1)};version=${version}/`
  assert.equal((await get(`${pinned}temperature/c/0/0`)).statusCode, 200)
  origin.put('a.nc', { bytes: netcdf3File({ first: 3 }), etag: '"v2"' })
  assert.equal((await get(`${pinned}zarr.json`)).statusCode, 409)
  assert.equal((await get(`${pinned}temperature/c/0/0`)).statusCode, 409)
})

test('a source that is gone is 404 for its metadata and 424 for its chunks', async () => {
  origin.put('a.nc', netcdf3File({ rows: 200, columns: 200 }))
  await start({ VZ_FRESH_SECONDS: '0' })
  const store = storeOf('a.nc')
  assert.equal((await get(`${store}zarr.json`)).statusCode, 200)
  origin.remove('a.nc')
  const chunk = await get(`${store}temperature/c/0/0`)
  assert.equal(chunk.statusCode, 424)
  assert.equal(chunk.json().type, '/problems/source-gone')
  assert.equal((await get(`${store}zarr.json`)).statusCode, 404)
})

test('a failed open is remembered for a moment: a bad URL is no way to hammer an origin', async () => {
  await start()
  for (let i = 0; i < 5; i++) assert.equal((await get(`${storeOf('nothing.nc')}zarr.json`)).statusCode, 404)
  const asked = origin.requests.length
  // The file, and each document that would make it a folder: once.
  assert.ok(asked <= 1 + folderDocumentsOf().length, `${asked} requests`)
})

test('URL-7: a gzipped NetCDF-3 file is inflated whole and served', async () => {
  origin.put('a.nc.gz', gzipSync(netcdf3File()))
  await start()
  const store = storeOf('a.nc.gz')
  assert.equal((await get(`${store}zarr.json`)).statusCode, 200)
  const chunk = await get(`${store}temperature/c/0/0`)
  assert.equal(chunk.rawPayload.readFloatBE(4), 1)
})

test('a gzip bomb is refused by the limit on whole files', async () => {
  origin.put('bomb.gz', gzipSync(Buffer.alloc(20 * 2 ** 20)))
  await start({ VZ_MAX_WHOLE_BYTES: '1000000' })
  assert.equal((await get(`${storeOf('bomb.gz')}zarr.json`)).statusCode, 413)
})

test('secrets of a source URL appear in no answer', async () => {
  origin.put('a.nc?token=canary-secret', netcdf3File())
  await start()
  const source = origin.url('a.nc?token=canary-secret')
  const store = storeUrlOf(app, source)
  const paths = [
    `${store}zarr.json`,
    `${store}`,
    `${store}nothing/zarr.json`,
    `${store}temperature/c/7/7`,
    `/inspect?url=${encodeURIComponent(source)}`,
    '/metrics',
    '/',
    '/datasets',
  ]
  for (const path of paths) {
    const answer = await get(path)
    const shown = JSON.stringify(answer.headers) + answer.body
    assert.ok(!shown.includes('canary-secret'), path)
  }
  origin.remove('a.nc?token=canary-secret')
  const failed = await get(`/inspect?url=${encodeURIComponent(`${source}x`)}`)
  assert.equal(failed.statusCode, 404)
  assert.ok(!failed.body.includes('canary-secret'))
})
