import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { after, afterEach, before, test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { type RunningApp, runApp, storeUrlOf } from '../../helpers/app.ts'
import { type Origin, startOrigin } from '../../helpers/origin.ts'
import { ZGROUP, zarray } from './parse.ts'

const FIXTURES = new URL('../../fixtures/kerchunk/lazy/', import.meta.url)
const DATA = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 31) % 251))

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

async function start(environment: Record<string, string> = {}): Promise<void> {
  app = await runApp({}, { VZ_ALLOW_SOURCES: origin.base, ...environment })
  origin.put('data.bin', DATA)
  origin.forget()
}

const get = async (path: string, method: 'GET' | 'HEAD' = 'GET') => await app.http.inject({ method, url: path })
const storeOf = (name: string) => `${storeUrlOf(app, origin.url(name)).replace(/\/$/, '')};codecs=raw/`
const rangedGets = () => origin.requests.filter(({ path }) => path === '/data.bin').length

/** Twenty chunks of 1,000 bytes; the first ones are as given. */
function documentOf(...first: unknown[]): string {
  const refs: Record<string, unknown> = { '.zgroup': ZGROUP, 'a/.zarray': zarray([5000], [250]) }
  for (let i = 0; i < 20; i++) refs[`a/${i}`] = first[i] ?? ['data.bin', i * 1000, 1000]
  return JSON.stringify({ version: 1, refs })
}

test('a cold open is one read of the document, and each chunk one request, the first of a file too', async () => {
  await start()
  origin.put('refs.json', Buffer.from(documentOf()))
  const store = storeOf('refs.json')
  assert.equal((await get(`${store}zarr.json`)).statusCode, 200)
  assert.deepEqual(
    origin.requests.map(({ path }) => path),
    ['/refs.json'],
  )
  for (const i of [5, 6, 5]) {
    const chunk = await get(`${store}a/c/${i}`)
    assert.equal(chunk.statusCode, 200)
    assert.deepEqual(chunk.rawPayload, DATA.subarray(i * 1000, i * 1000 + 1000))
  }
  assert.equal((await get(`${store}a/c/7`, 'HEAD')).headers['content-length'], '1000')
  assert.equal(rangedGets(), 3)
  assert.equal(origin.requests.length, 4)
})

test('a long document is its head and one request for the rest', async () => {
  await start()
  origin.put('refs.json', Buffer.from(documentOf(`base64:${Buffer.alloc(3_000_000).toString('base64')}`)))
  assert.equal((await get(`${storeOf('refs.json')}zarr.json`)).statusCode, 200)
  assert.equal(origin.requests.length, 2)
  assert.ok(origin.bytesSent < 4_200_000, `${origin.bytesSent} bytes for ${4e6}`)
})

test('documents compressed with gzip or zstd; what they inflate to is not kept', async () => {
  await start()
  origin.put('refs.json.gz', gzipSync(documentOf()))
  origin.put('refs.json.zst', zstdCompressSync(documentOf()))
  for (const name of ['refs.json.gz', 'refs.json.zst']) {
    const chunk = await get(`${storeOf(name)}a/c/3`)
    assert.equal(chunk.statusCode, 200, `${name}: ${chunk.payload}`)
    assert.deepEqual(chunk.rawPayload, DATA.subarray(3000, 4000))
  }
})

test('a broken reference is 502, what no retry can mend 424, and never fill; its neighbours are served', async () => {
  await start()
  const broken = [
    [['gone.bin', 0, 1000], 424],
    [['gone.bin'], 424],
    [['data.bin', 199_500, 1000], 502],
    [['data.bin', 900_000, 1000], 502],
    [['data.bin', -1, 1000], 502],
    [['data.bin', 0, 0], 502],
    [['/data.bin', 0, 1000], 502],
    [['file:///etc/passwd', 0, 1000], 424],
    [['file:///etc/passwd'], 424],
    [['ftp://example.com/x', 0, 1000], 424],
    ['base64:?', 502],
    [['{{u}}', 0, 1000], 424],
  ] as const
  origin.put('refs.json', Buffer.from(documentOf(...broken.map(([reference]) => reference))))
  const store = storeOf('refs.json')
  assert.equal((await get(`${store}zarr.json`)).statusCode, 200)
  for (const [i, [reference, status]] of broken.entries()) {
    for (const method of ['GET', 'HEAD'] as const) {
      // The length of a range is known without asking: only a GET finds out.
      if (method === 'HEAD' && Array.isArray(reference) && reference.length === 3) continue
      assert.equal((await get(`${store}a/c/${i}`, method)).statusCode, status, `${method} ${JSON.stringify(reference)}`)
    }
  }
  assert.equal((await get(`${store}a/c/15`)).statusCode, 200)
  assert.equal((await get(`${store}a/c/20`)).statusCode, 404)
})

test('GEN-10: with the data file absent metadata is served; it comes back when the file does', async () => {
  await start()
  origin.remove('data.bin')
  origin.put('refs.json', Buffer.from(documentOf()))
  const store = storeOf('refs.json')
  assert.equal((await get(`${store}zarr.json`)).statusCode, 200)
  const chunk = await get(`${store}a/c/1`)
  assert.equal(chunk.statusCode, 424)
  assert.equal(chunk.json().type, '/problems/source-gone')
  origin.put('data.bin', DATA)
  assert.equal((await get(`${store}a/c/1`)).statusCode, 200)
})

test('a data file that is replaced between two chunks is 409 until the store is opened again', async () => {
  await start()
  origin.put('refs.json', Buffer.from(documentOf()))
  const store = storeOf('refs.json')
  assert.equal((await get(`${store}a/c/1`)).statusCode, 200)
  origin.put('data.bin', { bytes: Buffer.from(DATA).reverse(), etag: '"v2"' })
  assert.equal((await get(`${store}a/c/1`)).statusCode, 409)
  assert.equal((await get(`${store}a/c/2`)).statusCode, 409)
  assert.equal((await get(`${store}zarr.json`)).statusCode, 200)
  assert.deepEqual((await get(`${store}a/c/1`)).rawPayload, Buffer.from(DATA).reverse().subarray(1000, 2000))
})

test('GUARD-5: references lead to no private address, whole objects as little as ranges', async () => {
  let connections = 0
  const canary = createServer((socket) => {
    connections++
    socket.destroy()
  })
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
  const { port } = canary.address() as AddressInfo
  try {
    await start()
    const urls = [
      'http://127.0.0.1:PORT/x',
      'http://localhost:PORT/x',
      'http://[::ffff:127.0.0.1]:PORT/x',
      'http://0x7f.1:PORT/x',
    ].map((url) => url.replace('PORT', String(port)))
    origin.put('refs.json', Buffer.from(documentOf(...urls.flatMap((url) => [[url, 0, 1000], [url]]))))
    origin.answer('away', 302, { location: urls[0] ?? '' })
    const store = storeOf('refs.json')
    for (let i = 0; i < urls.length * 2; i++) {
      // Two colons chain file systems, wherever they stand.
      const status = urls[Math.floor(i / 2)]?.includes('::') ? 502 : 424
      assert.equal((await get(`${store}a/c/${i}`)).statusCode, status, String(i))
    }
    origin.put('redirected.json', Buffer.from(documentOf(['away', 0, 1000], ['away'])))
    for (const i of [0, 1]) assert.equal((await get(`${storeOf('redirected.json')}a/c/${i}`)).statusCode, 424)
    assert.equal(connections, 0)
  } finally {
    canary.close()
  }
})

test('a folder with a Parquet set is one, though its metadata is long', async () => {
  await start()
  const metadata = JSON.parse(readFileSync(new URL('.zmetadata', FIXTURES), 'utf8'))
  metadata.metadata['.zattrs'] = { title: 'x'.repeat(200_000) }
  origin.put('set/.zmetadata', Buffer.from(JSON.stringify(metadata)))
  for (const n of [0, 1, 3]) origin.put(`set/a/refs.${n}.parq`, readFileSync(new URL(`a/refs.${n}.parq`, FIXTURES)))
  origin.put('set/data.bin', readFileSync(new URL('data.bin', FIXTURES)))
  const store = storeOf('set/')
  assert.equal((await get(`${store}a/zarr.json`)).json().fill_value, -1)
  origin.forget()
  assert.deepEqual((await get(`${store}a/c/2/1`)).rawPayload, Buffer.from([2, 0]))
  assert.deepEqual(
    origin.requests.map(({ path }) => path),
    ['/set/a/refs.1.parq', '/set/data.bin'],
  )
  assert.deepEqual((await get(`${store}a/c/0/3`)).rawPayload, Buffer.from([1, 0x80]))
  assert.equal((await get(`${store}a/c/3/1`)).statusCode, 404)
})

test('an error of the origin of a Parquet record is an error of its chunks, and not remembered', async () => {
  await start()
  origin.put('set/.zmetadata', readFileSync(new URL('.zmetadata', FIXTURES)))
  origin.put('set/a/refs.0.parq', readFileSync(new URL('a/refs.0.parq', FIXTURES)))
  origin.put('set/data.bin', readFileSync(new URL('data.bin', FIXTURES)))
  const store = storeOf('set/')
  assert.equal((await get(`${store}zarr.json`)).statusCode, 200)
  origin.faultOf = ({ path }) => (path.endsWith('.parq') ? { kind: 'status', status: 403 } : undefined)
  assert.equal((await get(`${store}a/c/0/0`)).statusCode, 424)
  origin.faultOf = () => undefined
  assert.equal((await get(`${store}a/c/0/1`)).statusCode, 404)
})
