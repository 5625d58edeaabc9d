import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { type RunningApp, runApp, storeUrlOf } from '../helpers/app.ts'
import { netcdf3File } from '../helpers/netcdf3-file.ts'

let app: RunningApp
before(async () => {
  app = await runApp({ 'grid.nc': netcdf3File() })
})
after(async () => await app.close())

const get = async (path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'OPTIONS' = 'GET') =>
  await app.http.inject({ method, url: path, headers })

test('GEN-1: the root document carries consolidated metadata equal to each array’s own', async () => {
  const store = storeUrlOf(app, 'grid.nc')
  const root = (await get(`${store}zarr.json`)).json()
  assert.equal(root.node_type, 'group')
  assert.equal(root.consolidated_metadata.kind, 'inline')
  for (const [path, document] of Object.entries(root.consolidated_metadata.metadata)) {
    assert.deepEqual((await get(`${store}${path}/zarr.json`)).json(), document, path)
  }
})

test('a document is sent in the coding the client accepts, each with its own ETag', async () => {
  const url = `${storeUrlOf(app, 'grid.nc')}zarr.json`
  const plain = await get(url)
  const decoders = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync }
  const tags = new Set([plain.headers.etag])
  for (const [coding, decode] of Object.entries(decoders)) {
    const coded = await get(url, { 'accept-encoding': coding })
    assert.equal(coded.headers['content-encoding'], coding)
    assert.equal(coded.headers.vary, 'Accept-Encoding')
    assert.equal(decode(coded.rawPayload).toString(), plain.body)
    tags.add(coded.headers.etag)
  }
  assert.equal(tags.size, 4)
})

test('a document whose ETag the client holds is 304 without a body', async () => {
  const url = `${storeUrlOf(app, 'grid.nc')}zarr.json`
  const { etag } = (await get(url)).headers
  const again = await get(url, { 'if-none-match': `"other", W/${etag}` })
  assert.equal(again.statusCode, 304)
  assert.equal(again.body, '')
  assert.equal(again.headers.etag, etag)
})

test('a document names its pinned form, which may be kept for ever', async () => {
  const url = `${storeUrlOf(app, 'grid.nc')}zarr.json`
  const plain = await get(url)
  assert.equal(plain.headers['cache-control'], 'public, no-cache, no-transform')
  const canonical = /^<http:\/\/[^/]+(\/zarr\/.*;version=[\w-]+\/zarr\.json)>; rel="canonical"$/.exec(
    String(plain.headers.link),
  )?.[1]
  assert.ok(canonical)
  const pinned = await get(canonical)
  assert.equal(pinned.statusCode, 200)
  assert.match(String(pinned.headers['cache-control']), /immutable/)
  assert.equal(pinned.body, plain.body)
})

test('GEN-6: a range of a chunk is that slice of the chunk', async () => {
  const url = `${storeUrlOf(app, 'grid.nc')}temperature/c/0/0`
  const whole = await get(url)
  assert.equal(whole.statusCode, 200)
  assert.equal(whole.headers['accept-ranges'], 'bytes')
  assert.equal(whole.headers['content-length'], String(whole.rawPayload.length))
  const size = whole.rawPayload.length
  const cases: [string, number, number][] = [
    ['bytes=0-9', 0, 10],
    ['bytes=5-', 5, size],
    ['bytes=-7', size - 7, size],
    [`bytes=3-${size + 100}`, 3, size],
    [`bytes=-${size + 5}`, 0, size],
  ]
  for (const [range, from, to] of cases) {
    const part = await get(url, { range })
    assert.equal(part.statusCode, 206, range)
    assert.equal(part.headers['content-range'], `bytes ${from}-${to - 1}/${size}`, range)
    assert.deepEqual(part.rawPayload, whole.rawPayload.subarray(from, to), range)
  }
  const outside = await get(url, { range: `bytes=${size}-` })
  assert.equal(outside.statusCode, 416)
  assert.equal(outside.headers['content-range'], `bytes */${size}`)
})

test('HEAD answers every key with the status, length and ETag of GET', async () => {
  const store = storeUrlOf(app, 'grid.nc')
  for (const key of ['zarr.json', 'temperature/zarr.json', 'temperature/c/0/0', 'temperature/c/9/9', '']) {
    const [whole, head] = [await get(store + key), await get(store + key, {}, 'HEAD')]
    assert.equal(head.statusCode, whole.statusCode, key)
    assert.equal(head.headers['content-length'], whole.headers['content-length'], key)
    assert.equal(head.headers.etag, whole.headers.etag, key)
  }
})

test('a chunk whose ETag the client holds is 304', async () => {
  const url = `${storeUrlOf(app, 'grid.nc')}temperature/c/0/0`
  const { etag } = (await get(url)).headers
  assert.match(String(etag), /^"[^"]+"$/)
  assert.equal((await get(url, { 'if-none-match': String(etag) })).statusCode, 304)
  assert.equal((await get(url, { 'if-none-match': '"another"' })).statusCode, 200)
})

test('GEN-5: what is no chunk of the grid, and no v3 key, is 404 and not kept', async () => {
  const store = storeUrlOf(app, 'grid.nc')
  for (const key of [
    'temperature/c/9/9',
    'temperature/c/00/0',
    'temperature/c/%D9%A3/0',
    '.zgroup',
    '.zmetadata',
    'temperature/.zarray',
    'nothing/zarr.json',
  ]) {
    const answer = await get(store + key)
    assert.equal(answer.statusCode, 404, key)
    assert.equal(answer.headers['cache-control'], 'no-store', key)
  }
})

test('keys that climb or hide are refused', async () => {
  const store = storeUrlOf(app, 'grid.nc')
  for (const key of ['a%2fzarr.json', 'a%00/zarr.json', 'a%5czarr.json']) {
    assert.equal((await get(store + key)).statusCode, 400, key)
  }
})

test('a store without its final slash is 308, with it an index with relative links', async () => {
  const store = storeUrlOf(app, 'grid.nc')
  const moved = await get(store.slice(0, -1))
  assert.equal(moved.statusCode, 308)
  assert.equal(moved.headers.location, store)
  const index = await get(store)
  assert.match(String(index.headers['content-type']), /^text\/html/)
  assert.match(index.body, /href="zarr\.json"/)
  assert.match(index.body, /href="temperature\/"/)
  assert.match(String(index.headers['content-security-policy']), /default-src 'none'/)
})

test('a folder of a store without its final slash is 308 too: fsspec lists groups so', async () => {
  const url = `${storeUrlOf(app, 'grid.nc')}temperature`
  const moved = await get(url)
  assert.equal(moved.statusCode, 308)
  assert.equal(moved.headers.location, `${url}/`)
  assert.equal((await get(`${url}s`)).statusCode, 404)
})

test('any origin may read; a suffix range is preflighted', async () => {
  const url = `${storeUrlOf(app, 'grid.nc')}temperature/c/0/0`
  const preflight = await get(
    url,
    {
      origin: 'https://viewer.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'range',
    },
    'OPTIONS',
  )
  assert.equal(preflight.statusCode, 204)
  assert.match(String(preflight.headers['access-control-allow-headers']), /Range/)
  assert.ok(Number(preflight.headers['access-control-max-age']) > 0)
  const answer = await get(url)
  assert.equal(answer.headers['access-control-allow-origin'], '*')
  for (const name of ['Content-Range', 'Content-Length', 'ETag', 'Accept-Ranges']) {
    assert.ok(String(answer.headers['access-control-expose-headers']).includes(name), name)
  }
})

test('problems say what is wrong, as RFC 9457 has it, and are not kept', async () => {
  const answer = await get(`${storeUrlOf(app, 'grid.nc').slice(0, -1)};codec=raw/zarr.json`)
  assert.equal(answer.statusCode, 400)
  assert.equal(answer.headers['content-type'], 'application/problem+json')
  assert.equal(answer.headers['cache-control'], 'no-store')
  const problem = answer.json()
  assert.equal(problem.type, '/problems/invalid-request')
  assert.match(problem.detail, /codec.*allowed: codecs/)
})

test('BYTES-1: on a chunk path nothing but absence is 404, and nothing is 403', async () => {
  const gone = storeUrlOf(app, 'absent.nc')
  assert.equal((await get(`${gone}zarr.json`)).statusCode, 404)
  assert.equal((await get(`${gone}a/c/0`)).statusCode, 424)
  assert.equal((await get('/zarr/no-such-id/zarr.json')).statusCode, 404)
  assert.equal((await get('/zarr/no-such-id/a/c/0')).statusCode, 424)
  const forbidden = `/zarr/~${Buffer.from('http://127.0.0.1:9/x.nc').toString('base64url')}/`
  assert.equal((await get(`${forbidden}zarr.json`)).statusCode, 403)
  assert.equal((await get(`${forbidden}a/c/0`)).statusCode, 424)
})

test('GEN-8: a file of no known format is refused with what was found', async () => {
  await app.write('notes.txt', Buffer.from('just some text'))
  const answer = await get(`${storeUrlOf(app, 'notes.txt')}zarr.json`)
  assert.equal(answer.statusCode, 415)
  assert.match(answer.json().detail, /just some text/)
})

test('metrics count the bytes of bodies', async () => {
  const { rawPayload } = await get(`${storeUrlOf(app, 'grid.nc')}temperature/c/0/0`)
  const lines = (await get('/metrics')).body.split('\n')
  const sent = lines.find((line) =>
    line.startsWith('vz_http_sent_bytes_total{route="/zarr/*",method="GET",status="200"}'),
  )
  assert.ok(Number(sent?.split(' ')[1]) >= rawPayload.length, sent)
})
