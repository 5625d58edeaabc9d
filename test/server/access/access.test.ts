import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { StoreSigner } from '../../../src/service/signed-stores.ts'
import { type RunningApp, runApp, storeUrlOf } from '../../helpers/app.ts'
import { netcdf3File } from '../../helpers/netcdf3-file.ts'

const KEY = 'canary-api-key-0123456789'
const HASHED = 'canary-hashed-key-9876543210'
const SIGNING = ['canary-signing-key-new-0123456789abcdef', 'canary-signing-key-old-0123456789abcdef']
const hash = createHash('sha256').update(HASHED).digest('hex')

let app: RunningApp
before(async () => {
  app = await runApp(
    { 'a.nc': netcdf3File({ rows: 4, columns: 3 }), 'b.nc': netcdf3File({ rows: 4, columns: 3 }) },
    { VZ_API_KEYS: `alice:${KEY},sha256:${hash}`, VZ_SIGNING_KEYS: SIGNING.join(',') },
  )
})
after(async () => await app.close())

const get = async (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'OPTIONS' = 'GET') =>
  await app.http.inject({ url, headers, method })
const soon = () => Math.floor(Date.now() / 1000) + 60

/** The store's URL, with a signature. */
function signed(name: string, options: Record<string, string> = {}, { expires = soon(), keys = SIGNING } = {}): string {
  const path = storeUrlOf(app, name)
  const source = Buffer.from(path.slice('/zarr/~'.length, -1), 'base64url').toString()
  const texts = new StoreSigner(keys).sign({ source, options: new Map(Object.entries(options)) }, expires)
  return `${path.slice(0, -1)}${[...texts].map(([key, value]) => `;${key}=${encodeURIComponent(value)}`).join('')}/`
}

test('PROC-2: without a key nothing is told but health and what browsers ask beforehand', async () => {
  const store = storeUrlOf(app, 'a.nc')
  for (const path of [
    `${store}zarr.json`,
    `${store}temperature/c/0/0`,
    '/zarr/none/zarr.json',
    '/',
    '/metrics',
    '/datasets',
    '/nowhere',
    '/inspect?url=http://a/',
    '/resolve?url=http://a/',
    '/export?url=http://a/',
    '/openapi.json',
    '/docs',
    '/static/page.css',
    '/%7Aarr/none/zarr.json',
  ]) {
    const answer = await get(path)
    assert.equal(answer.statusCode, 401, path)
    assert.equal(answer.headers['www-authenticate'], 'Bearer')
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.equal(answer.json().type, '/problems/unauthorized')
  }
  for (const path of ['/health/live', '/health/ready']) assert.equal((await get(path)).statusCode, 200, path)
  const preflight = await get(`${store}zarr.json`, {}, 'OPTIONS')
  assert.equal(preflight.statusCode, 204)
  assert.match(String(preflight.headers['access-control-allow-headers']), /X-Api-Key/)
})

test('PROC-2: a key opens everything, in either header, as it is or by its hash', async () => {
  const store = storeUrlOf(app, 'a.nc')
  for (const headers of [
    { authorization: `Bearer ${KEY}` },
    { authorization: `bearer ${HASHED}` },
    { 'x-api-key': KEY },
    { 'x-api-key': HASHED },
  ] as Record<string, string>[]) {
    const answer = await get(`${store}zarr.json`, headers)
    assert.equal(answer.statusCode, 200)
    assert.match(String(answer.headers['cache-control']), /^private, no-cache/, 'no shared cache may hand it on')
  }
  for (const headers of [
    { authorization: `Basic ${KEY}` },
    { authorization: KEY },
    { 'x-api-key': `${KEY}x` },
    { 'x-api-key': KEY.slice(1) },
    { 'x-api-key': hash },
  ] as Record<string, string>[]) {
    assert.equal((await get(`${store}zarr.json`, headers)).statusCode, 401, JSON.stringify(headers))
  }
})

test('PROC-2: a signed URL opens its store, with its options, until it expires, and nothing else', async () => {
  const url = signed('a.nc')
  assert.equal((await get(`${url}zarr.json`)).statusCode, 200)
  assert.equal((await get(`${url}temperature/c/0/0`)).statusCode, 200)
  assert.equal((await get(`${url}temperature/c/0/0`, {}, 'HEAD')).statusCode, 200)
  assert.equal((await get(url)).statusCode, 200, 'its index page')
  assert.equal((await get(`${url.replaceAll(';', '%3B')}zarr.json`)).statusCode, 200, 'as clients escape it')
  const other = storeUrlOf(app, 'b.nc').slice(0, -1)
  const proof = /;expires=.*/.exec(url)?.[0] ?? ''
  for (const bad of [
    `${other}${proof}`,
    url.replace(';expires', ';codecs=raw;expires'),
    url.replace(/expires=(\d+)/, (_text, digits) => `expires=${Number(digits) + 1}`),
    url.replace(/;sig=[^/]*/, ''),
    url.replace(/;expires=\d+/, ''),
    url.replace(/.\/$/, '/'),
    url.replace(/;sig=[^/]*/, ';sig='),
  ]) {
    assert.equal((await get(`${bad}zarr.json`)).statusCode, 401, bad)
  }
  const raw = signed('a.nc', { codecs: 'raw', group: '/' })
  assert.equal((await get(`${raw}zarr.json`)).statusCode, 200)
  assert.equal((await get(`${raw.replace('codecs=raw;', '')}zarr.json`)).statusCode, 401)
  assert.equal((await get(`${signed('a.nc', {}, { expires: soon() - 120 })}zarr.json`)).statusCode, 401, 'expired')
})

test('PROC-2: keys for signing are replaced one after the other', async () => {
  assert.equal(
    (await get(`${signed('a.nc', {}, { keys: SIGNING.slice(1) })}zarr.json`)).statusCode,
    200,
    'the old one still counts',
  )
  assert.equal(
    (await get(`${signed('a.nc', {}, { keys: ['another-key-that-nobody-knows-0123456789'] })}zarr.json`)).statusCode,
    401,
  )
})

test('a store that expires is closed at that moment, though it was read before', async () => {
  const url = signed('a.nc', {}, { expires: Math.floor(Date.now() / 1000) + 1 })
  assert.equal((await get(`${url}zarr.json`)).statusCode, 200)
  await new Promise((resolve) => setTimeout(resolve, 2100))
  assert.equal((await get(`${url}zarr.json`)).statusCode, 401)
})

test('PROC-2: a browser without a key is answered with the page that takes one, which tells nothing of the catalog', async () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const answer = await get('/', { accept })
  assert.equal(answer.statusCode, 401)
  assert.equal(answer.headers['www-authenticate'], 'Bearer')
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.match(String(answer.headers['content-type']), /^text\/html/)
  assert.match(String(answer.headers['content-security-policy']), /default-src 'none'/)
  assert.match(answer.body, /open to those who have a key/)
  assert.equal((await get('/', { accept, authorization: `Bearer ${KEY}` })).statusCode, 200)
  // Programs, and all that is no page of the explorer, are told as before.
  for (const path of ['/datasets', '/zarr/none/', '/docs', '/assets/../datasets', '/assets%2f..%2fdatasets'])
    assert.equal((await get(path, { accept })).json().type, '/problems/unauthorized', path)
})

test('PROC-2: what the page is made of is open to everybody', async () => {
  const { body } = await get('/', { accept: 'text/html' })
  const files = [...body.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, file = '']) => file)
  for (const file of files) assert.equal((await get(`/${file}`)).statusCode, 200, file)
  assert.equal((await get('/assets/none.js')).statusCode, 401)
})
