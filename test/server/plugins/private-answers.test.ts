import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { parse } from 'yaml'
import { StoreSigner } from '../../../src/service/signed-stores.ts'
import { type RunningApp, runApp, storeUrlOf } from '../../helpers/app.ts'
import { netcdf3File } from '../../helpers/netcdf3-file.ts'
import { type RawAnswer, rawRequest, sendRawBytes } from '../../helpers/raw-request.ts'

// With keys, whatever is answered must stay out of shared caches (RFC 9111, 5.2.2.5 and 5.2.2.7): every route of the API's description,
// files, pages, refusals, and what is answered before any route is found. Over sockets, since some heads are written past Fastify.

const KEY = 'alice-0123456789abcdef'
const SIGNING = 'signing-0123456789abcdef0123456789abcdef'

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}
const { paths } = parse(readFileSync(new URL('../../../openapi.yaml', import.meta.url), 'utf8')) as Described
const METHODS = ['get', 'head', 'options', 'post', 'put', 'patch', 'delete', 'propfind', 'trace']

for (const [what, environment, vary] of [
  ['keys', { VZ_API_KEYS: KEY }, ['authorization', 'x-api-key']],
  ['keys and signatures', { VZ_API_KEYS: KEY, VZ_SIGNING_KEYS: SIGNING }, ['authorization', 'x-api-key']],
  ['signatures alone', { VZ_SIGNING_KEYS: SIGNING }, []],
] as const)
  describe(`with ${what}`, () => {
    let app: RunningApp
    let port = 0
    let store = ''
    let version = ''
    before(async () => {
      app = await runApp({ 'a.nc': netcdf3File({ rows: 4, columns: 3 }) }, { ...environment, VZ_CLOSED_PATHS: 'docs' })
      port = Number(new URL(await app.http.listen({ port: 0, host: '127.0.0.1' })).port)
      store = storeUrlOf(app, 'a.nc').slice(0, -1)
      const answer = await app.http.inject({ url: `/resolve?url=${source()}`, headers: { 'x-api-key': KEY } })
      version = answer.statusCode === 200 ? answer.json<{ version: string }>().version : ''
    })
    after(async () => await app.close())

    const source = () => encodeURIComponent(`file://${app.folder}/a.nc`)
    let count = 0

    function assertPrivate({ status, headers }: RawAnswer, name: string): void {
      count++
      const caching = headers['cache-control'] ?? ''
      const directives = caching.split(',').map((text) => text.trim())
      assert.ok(directives.includes('private') || directives.includes('no-store'), `${status} of ${name}: ${caching}`)
      assert.ok(!directives.includes('public'), `${status} of ${name}: ${caching}`)
      const fields = (headers['vary'] ?? '').toLowerCase().split(/, */)
      // What never is stored needs no choice.
      if (!directives.includes('no-store'))
        for (const field of vary) assert.ok(fields.includes(field), `${status} of ${name} varies by ${fields.join()}`)
    }

    /** The paths of the description, with a store, a chunk, a dataset and a source in them. */
    function* described(): Generator<readonly [path: string, methods: readonly string[]]> {
      for (const [template, item] of Object.entries(paths)) {
        const path = template
          .replace('/zarr/{store}', store)
          .replace('{path}', 'temperature')
          .replace('{chunk}', '0/0')
          .replace('{id}', 'none')
        const query = /^\/(?:resolve|inspect|export|verify)/.test(path) ? `?url=${source()}&array=temperature` : ''
        yield [path + query, Object.keys(item)]
      }
    }

    test('every operation that is described, with a key, without one, and with a wrong one', async () => {
      const before = count
      for (const [path, methods] of described())
        for (const method of METHODS.filter((name) => methods.includes(name) || name === 'delete' || name === 'post'))
          for (const headers of [
            {},
            { 'x-api-key': KEY },
            { authorization: `Bearer ${KEY}` },
            { 'x-api-key': 'x'.repeat(20) },
          ])
            assertPrivate(
              await rawRequest(port, path, { host: 'localhost', ...headers }, method.toUpperCase()),
              `${method} ${path} with ${Object.keys(headers).join()}`,
            )
      assert.ok(count - before > 200, `${count - before} answers`)
    })

    test('all kinds of answers: parts, conditions, refusals, redirects, pages, files, and what is no request', async () => {
      const mine = { host: 'localhost', 'x-api-key': KEY }
      const chunk = `${store}/temperature/c/0/0`
      const { headers } = await rawRequest(port, chunk, mine)
      const page = (await rawRequest(port, '/', { ...mine, accept: 'text/html' })).body.toString()
      const files = [...page.matchAll(/(?:src|href)="\.?\/?((?:assets|static)\/[^"]+)"/g)].map(
        ([, file = '']) => `/${file}`,
      )
      const cases: readonly (readonly [path: string, headers?: Readonly<Record<string, string>>])[] = [
        [`${store};version=${version}/zarr.json`],
        [`${store};version=${version}/temperature/c/0/0`],
        [`${store};version=${version}/`],
        [`${store};version=other/zarr.json`],
        [chunk, { range: 'bytes=1-2' }],
        [chunk, { range: 'bytes=99999-' }],
        [chunk, { 'if-none-match': headers['etag'] ?? '' }],
        [`${store}/zarr.json`, { 'accept-encoding': 'gzip' }],
        [`${store}/zarr.json`, { range: 'bytes=0-3' }],
        [`${store}/temperature`],
        [store],
        [`${store}/nothing/c/0`],
        [`${store}/temperature/c/9/9`],
        [`${store}/.zattrs`],
        [`${store};what=1/zarr.json`],
        ['/zarr/none/zarr.json'],
        ['/zarr/~!/zarr.json'],
        ['/zarr/https://example.org/a.nc/zarr.json'],
        [`/zarr/~${Buffer.from('http://10.0.0.1/a.nc').toString('base64url')}/zarr.json`],
        ['/none'],
        ['/none/none?x=y'],
        ['/%zz'],
        ['/zarr/%zz/zarr.json'],
        ['//evil.example/'],
        ['*'],
        ['http://evil.example/'],
        [`/${'a'.repeat(9000)}`],
        [`/${'a'.repeat(40_000)}`],
        ['/?source=x'],
        ['/', { accept: 'text/html' }],
        ['/static/page.css'],
        ['/assets/none.js'],
        ['/docs'],
        ['/docs/'],
        ['/docs/static/index.html'],
        ['/inspect'],
        ['/inspect?url=no'],
        ['/resolve?url=http://10.0.0.1/'],
        ['/health/live'],
        ['/health/ready'],
        ['/metrics', { expect: 'something' }],
        ...files.map((file) => [file] as const),
      ]
      for (const [path, more = {}] of cases)
        for (const who of [mine, { host: 'localhost' }])
          assertPrivate(
            await rawRequest(port, path, { ...who, ...more }),
            `${path.slice(0, 80)} ${JSON.stringify(more)}`,
          )
      for (const text of ['NONSENSE\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n', 'GET /a b HTTP/1.1\r\nhost: a\r\n\r\n'])
        assertPrivate(await sendRawBytes(port, text), JSON.stringify(text))
    })

    test('what a signature opens', { skip: what === 'keys' }, async () => {
      const expires = Math.floor(Date.now() / 1000) + 60
      const named = { source: `file://${app.folder}/a.nc`, options: new Map() }
      const texts = new StoreSigner([SIGNING]).sign(named, expires)
      const signed = store + [...texts].map(([key, value]) => `;${key}=${value}`).join('')
      for (const key of ['zarr.json', 'temperature/c/0/0', '', 'temperature/'])
        for (const method of ['GET', 'HEAD', 'PROPFIND']) {
          const answer = await rawRequest(port, `${signed}/${key}`, { host: 'localhost', depth: '1' }, method)
          if (key !== 'temperature/c/0/0' || method !== 'PROPFIND') assert.ok(answer.status < 300, `${answer.status}`)
          assertPrivate(answer, `${method} of a signed ${key}`)
        }
    })
  })

test('without keys nothing changes: stores may be shared', async () => {
  const app = await runApp({ 'a.nc': netcdf3File({ rows: 4, columns: 3 }) })
  try {
    const { headers } = await app.http.inject(`${storeUrlOf(app, 'a.nc')}zarr.json`)
    assert.equal(headers['cache-control'], 'public, no-cache, no-transform')
    assert.equal(headers['vary'], 'Accept-Encoding')
    assert.equal((await app.http.inject('/datasets')).headers['cache-control'], undefined)
  } finally {
    await app.close()
  }
})
