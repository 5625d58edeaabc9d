import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { type RunningApp, runApp, storeUrlOf } from '../helpers/app.ts'
import { netcdf3File } from '../helpers/netcdf3-file.ts'
import { rawRequest } from '../helpers/raw-request.ts'

// Injected requests have no socket; what they are answered is what clients get over one.

let app: RunningApp
let port = 0
let store = ''
let etag = ''
before(async () => {
  app = await runApp({ 'grid.nc': netcdf3File() })
  await app.http.listen({ host: '127.0.0.1', port: 0 })
  ;({ port } = app.http.server.address() as AddressInfo)
  store = storeUrlOf(app, 'grid.nc')
  etag = String((await inject(`${store}temperature/c/0/0`)).headers.etag)
})
after(async () => await app.close())

const HOST = { host: 'service.example' }

async function inject(url: string, headers: Readonly<Record<string, string>> = {}, method: 'GET' | 'HEAD' = 'GET') {
  return await app.http.inject({ method, url, headers: { ...HOST, ...headers } })
}

/** Headers that say something: not those of the connection, nor the clock. */
function told(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...rest } = headers
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)]))
}

const CASES: readonly (readonly [what: string, target: () => string, headers?: () => Record<string, string>])[] = [
  ['a document', () => `${store}zarr.json`],
  ['a document with a query', () => `${store}zarr.json?x=1`],
  ['a compressed document', () => `${store}zarr.json`, () => ({ 'accept-encoding': 'gzip' })],
  ['a part of a document', () => `${store}zarr.json`, () => ({ range: 'bytes=3-9' })],
  ['no part of a document', () => `${store}zarr.json`, () => ({ range: 'bytes=999999999-' })],
  ['a document of an array', () => `${store}temperature/zarr.json`],
  ['a document of nothing', () => `${store}nothing/zarr.json`],
  ['a chunk', () => `${store}temperature/c/0/0`],
  ['a chunk behind two slashes', () => `${store}/temperature/c/0/0`],
  ['a part of a chunk', () => `${store}temperature/c/0/0`, () => ({ range: 'bytes=-5' })],
  ['no part of a chunk', () => `${store}temperature/c/0/0`, () => ({ range: 'bytes=999999999-' })],
  ['a chunk that is held', () => `${store}temperature/c/0/0`, () => ({ 'if-none-match': etag })],
  ['a chunk outside of the grid', () => `${store}temperature/c/99/0`],
  ['a chunk of no array', () => `${store}nothing/c/0`],
  ['a key of Zarr v2', () => `${store}.zattrs`],
  ['an index page', () => store],
  ['a folder without its slash', () => `${store}temperature`],
  ['a store without its slash', () => store.slice(0, -1)],
  ['no dataset of the catalog', () => '/zarr/nothing/zarr.json'],
  ['a chunk of no dataset', () => '/zarr/nothing/a/c/0'],
  ['no address', () => '/zarr/~!/zarr.json'],
  ['a source that is spelled out', () => '/zarr/https://example.org/a.nc/zarr.json'],
  ['a source that is refused', () => `/zarr/~${Buffer.from('http://10.0.0.1/a.nc').toString('base64url')}/zarr.json`],
  ['a broken escape', () => `${store}%zz/zarr.json`],
  ['a key with an encoded slash', () => `${store}a%2fzarr.json`],
  ['a target that is too long', () => `/zarr/${'a'.repeat(17_000)}/zarr.json`],
  ['an unknown option', () => `${store.slice(0, -1)};what=1/zarr.json`],
  ['another version', () => `${store.slice(0, -1)};version=other/temperature/c/0/0`],
  ['what a proxy tells that nobody trusts', () => `${store}zarr.json`, () => ({ 'x-forwarded-host': 'evil.example' })],
]

for (const method of ['GET', 'HEAD'] as const) {
  for (const [what, target, headers = () => ({})] of CASES) {
    test(`over a socket and injected the answer is the same: ${method} of ${what}`, async () => {
      const expected = await inject(target(), headers(), method)
      const answer = await rawRequest(port, target(), { ...HOST, ...headers() }, method)
      assert.equal(answer.status, expected.statusCode)
      assert.deepEqual(told(answer.headers), told(expected.headers))
      assert.deepEqual(answer.body, method === 'HEAD' ? Buffer.alloc(0) : expected.rawPayload)
    })
  }
}

/** How many requests for keys the metrics tell of, by status; and how many are under way. */
async function counted(): Promise<Record<string, number>> {
  const text = (await app.http.inject('/metrics')).body
  const counts: Record<string, number> = {}
  for (const [, status = '', count] of text.matchAll(
    /^vz_http_request_seconds_count\{route="\/zarr\/\*",method="GET",status="(\d+)"\} (\d+)$/gm,
  ))
    counts[status] = Number(count)
  // The question itself is one of them.
  counts['under way'] = Number(/^vz_requests_in_flight (\d+)$/m.exec(text)?.[1]) - 1
  return counts
}

test('each request is counted once', async () => {
  const before = await counted()
  for (const key of ['zarr.json', 'temperature/c/0/0', 'temperature/c/99/0', 'nothing/c/0'])
    await rawRequest(port, store + key)
  const after = await counted()
  const more = Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]))
  assert.equal(more['200'], 2)
  assert.equal(more['404'], 1)
  assert.equal(more['400'], 1)
  assert.equal(after['under way'], 0)
})

test('sent bytes are counted', async () => {
  const bytes = async () =>
    Number(
      /^vz_http_sent_bytes_total\{route="\/zarr\/\*",method="GET",status="200"\} (\d+)$/m.exec(
        (await app.http.inject('/metrics')).body,
      )?.[1],
    )
  const before = await bytes()
  const { body } = await rawRequest(port, `${store}zarr.json`)
  assert.equal((await bytes()) - before, body.length)
})

test('a server that ends refuses keys as everything else', async (t) => {
  const own = await runApp({ 'grid.nc': netcdf3File() })
  t.after(() => own.close())
  await own.http.listen({ host: '127.0.0.1', port: 0 })
  const address = own.http.server.address() as AddressInfo
  const target = `${storeUrlOf(own, 'grid.nc')}zarr.json`
  assert.equal((await rawRequest(address.port, target)).status, 200)
  own.drain()
  assert.equal((await rawRequest(address.port, target)).status, 503)
})
