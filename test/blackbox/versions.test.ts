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

test('VERSION-3: chunks of a Zarr folder whose metadata was replaced are 409 until zarr.json is asked for', async () => {
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

test('VERSION-5: a pinned store whose origin tells no versions is never immutable, and asks before each answer', async () => {
  const patient = await runApp({}, { VZ_ALLOW_SOURCES: origin.base })
  const ask = async (url: string, headers: Record<string, string> = {}) => await patient.http.inject({ url, headers })
  const head = { rows: 400, columns: 100 }
  const file = Buffer.from(netcdf3File(head))
  const other = Buffer.from(file)
  // Within the head that is hashed, but behind the first structures.
  other.writeFloatBE(77, 60_000)
  try {
    origin.put('untold.nc', { bytes: file })
    const store = storeOf('untold.nc')
    const first = await ask(`${store}zarr.json`)
    const [, version = ''] = /;version=([\w-]+)\//.exec(String(first.headers.link)) ?? []
    const pinned = `${store.slice(0, -1)};version=${version}/`
    const keys = ['zarr.json', 'temperature/c/0/0', 'temperature/c/0/0']
    for (const key of keys) {
      const answer = await ask(pinned + key)
      assert.equal(answer.statusCode, 200, key)
      assert.match(String(answer.headers['cache-control']), /no-cache/, key)
      const held = await ask(pinned + key, { 'if-none-match': String(answer.headers.etag) })
      assert.deepEqual([held.statusCode, String(held.headers['cache-control']).includes('immutable')], [304, false])
    }
    const told = (await ask(`/inspect?url=${encodeURIComponent(origin.url('untold.nc'))}`)).body
    assert.match(told, /version-guessed/)
    for (const [at, key] of keys.entries()) {
      const name = `untold${at}.nc`
      origin.put(name, { bytes: file })
      const link = String((await ask(`${storeOf(name)}zarr.json`)).headers.link)
      const url = `${storeOf(name).slice(0, -1)};${/version=[\w-]+/.exec(link)?.[0]}/${key}`
      assert.equal((await ask(url)).statusCode, 200, key)
      origin.put(name, { bytes: other })
      assert.equal((await ask(url)).statusCode, 409, `${key}, replaced`)
    }
  } finally {
    await patient.close()
  }
})

test('a pinned store is immutable only as far as its version says what the bytes are', async () => {
  putStore(origin, 'refs', { 'zarr.json': v3Array(), 'c/0': Buffer.from([1, 0, 2, 0]) })
  origin.put('refs/c/1', { bytes: Buffer.from([3, 0, 4, 0]) })
  for (const [name, told] of [
    ['told', { etag: '"1"' }],
    ['untold', {}],
  ] as const) {
    origin.put(`refs/${name}.bin`, { bytes: Buffer.alloc(100_000, 1), ...told })
    const zarray = {
      zarr_format: 2,
      shape: [4],
      chunks: [4],
      dtype: '|u1',
      compressor: null,
      fill_value: 0,
      order: 'C',
    }
    const refs = {
      '.zgroup': '{"zarr_format":2}',
      'a/.zarray': JSON.stringify({ ...zarray, filters: null }),
      'a/0': [origin.url(`refs/${name}.bin`), 90_000, 4],
    }
    origin.put(`refs/${name}.json`, Buffer.from(JSON.stringify({ version: 1, refs })))
  }
  for (const [source, key, expected] of [
    ['refs/', 'zarr.json', true],
    // Objects and data files may be replaced without the documents, whose version is all that the URL names (issue 26).
    ['refs/', 'c/0', false],
    ['refs/', 'c/1', false],
    ['refs/told.json', 'a/c/0', false],
    ['refs/untold.json', 'a/c/0', false],
  ] as const) {
    const { headers } = await get(`${storeOf(source)}zarr.json`)
    const [, version = ''] = /;version=([\w-]+)\//.exec(String(headers.link)) ?? []
    const answer = await get(`${storeOf(source).slice(0, -1)};version=${version}/${key}`)
    assert.equal(answer.statusCode, 200, `${source} ${key}`)
    assert.equal(String(answer.headers['cache-control']).includes('immutable'), expected, `${source} ${key}`)
  }
})

test('a source without validators and ranges has the version of all its bytes, which are read anyway', async () => {
  const bytes = Buffer.from(netcdf3File({ rows: 400, columns: 100 }))
  const tags: string[] = []
  for (const last of [1, 2, 1]) {
    // Behind the head.
    bytes.writeFloatBE(last, bytes.length - 4)
    origin.put('whole.nc', { bytes: Buffer.from(bytes), ranges: false })
    const process = await runApp({}, { VZ_ALLOW_SOURCES: origin.base })
    const answer = await process.http.inject({ url: `${storeOf('whole.nc')}temperature/c/0/0` })
    assert.equal(answer.statusCode, 200)
    tags.push(String(answer.headers.etag))
    await process.close()
  }
  assert.deepEqual([tags[0] === tags[1], tags[0] === tags[2]], [false, true])
})

test('the ETag of a chunk is weak where two versions may have one name, and no part is added to bytes of such', async () => {
  const bytes = Buffer.from(netcdf3File({ rows: 400, columns: 100 }))
  const young = new Date(Date.now() - 5000).toUTCString()
  const old = new Date(Date.now() - 600_000).toUTCString()
  for (const [name, told, isWeak] of [
    ['tag', { etag: '"a"' }, false],
    ['old', { lastModified: old }, false],
    ['young', { lastModified: young }, true],
    ['weak', { etag: 'W/"a"' }, true],
    ['nothing', {}, true],
    ['whole', { ranges: false }, false],
  ] as const) {
    origin.put(`tag-${name}.nc`, { bytes, ...told })
    const chunk = `${storeOf(`tag-${name}.nc`)}temperature/c/0/0`
    const { etag } = (await get(chunk)).headers
    assert.equal(String(etag).startsWith('W/'), isWeak, `${name} ${etag}`)
    assert.equal((await get(chunk, { 'if-none-match': String(etag) })).statusCode, 304, name)
    const part = await get(chunk, { range: 'bytes=0-3', 'if-range': String(etag) })
    assert.equal(part.statusCode, isWeak ? 200 : 206, name)
  }
})
