import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { urlOfHost } from '../../src/server/public-url.ts'
import { type RunningApp, runApp, storeUrlOf } from '../helpers/app.ts'
import { netcdf3File } from '../helpers/netcdf3-file.ts'

// Links begin with what the client, or a proxy that is trusted, says of the service's address. It is a stranger's text.

const HOSTS = {
  good: {
    'zarr.example.org': 'http://zarr.example.org',
    'ZARR.example.org:8080': 'http://ZARR.example.org:8080',
    'zarr.example.org.': 'http://zarr.example.org.',
    localhost: 'http://localhost',
    my_host: 'http://my_host',
    '192.0.2.1:80': 'http://192.0.2.1:80',
    '[2001:db8::1]:8080': 'http://[2001:db8::1]:8080',
  },
  bad: [
    '',
    ' ',
    'a b',
    'a/b',
    'a\\b',
    'a?b',
    'a#b',
    'user@a',
    'user:password@a',
    'a:b',
    'a:99999',
    'a:',
    ':80',
    '-a',
    '.a',
    'a%2fb',
    'a"><script>',
    "a';alert(1)//",
    'a,b',
    'ä',
    '[::::]',
    '[::1',
    '[]',
    '[::1%eth0]',
    '1.2.3.999',
    'a'.repeat(300),
    'javascript:alert(1)',
  ],
} as const

test('a host and a port are one, and nothing else', () => {
  for (const [host, url] of Object.entries(HOSTS.good)) assert.equal(urlOfHost('http', host), url, host)
  for (const host of HOSTS.bad) assert.equal(urlOfHost('http', host), undefined, host)
  assert.equal(urlOfHost('https', 'a:443'), 'https://a:443')
  for (const protocol of ['javascript', 'data', 'file', 'ftp', '', ':', 'http:', 'HTTP', 'http, https'])
    assert.equal(urlOfHost(protocol, 'a'), undefined, protocol)
})

describe('behind a proxy that is trusted', () => {
  let app: RunningApp
  before(async () => {
    app = await runApp({ 'a.nc': netcdf3File({ rows: 4, columns: 3 }) }, { VZ_TRUST_PROXY: 'true' })
  })
  after(async () => await app.close())

  /** Every kind of answer that holds a link to the service: headers, documents, pages, redirects. */
  async function linksWith(headers: Readonly<Record<string, string>>): Promise<string[]> {
    const store = storeUrlOf(app, 'a.nc')
    const source = encodeURIComponent(`file://${app.folder}/a.nc`)
    const texts: string[] = []
    for (const path of [`${store}zarr.json`, store, store.slice(0, -1), '/datasets', `/resolve?url=${source}`, '/']) {
      const { statusCode, headers: given, body } = await app.http.inject({ url: path, headers })
      assert.ok(statusCode < 400, `${statusCode} for ${path} with ${JSON.stringify(headers)}`)
      texts.push(`${JSON.stringify(given)}\n${body}`)
    }
    const listed = await app.http.inject({
      method: 'PROPFIND' as 'GET',
      url: store,
      headers: { ...headers, depth: '1' },
    })
    assert.equal(listed.statusCode, 207)
    return [...texts, listed.body]
  }

  test('what it says of the address is in links', async () => {
    const texts = await linksWith({ 'x-forwarded-host': 'zarr.example.org', 'x-forwarded-proto': 'https' })
    assert.ok(texts[0]?.includes('<https://zarr.example.org/zarr/~'))
    assert.ok(texts[4]?.includes('"https://zarr.example.org/zarr/~'))
  })

  for (const name of ['x-forwarded-host', 'host'])
    test(`a hostile ${name} is in no link, and fails no request`, async () => {
      for (const text of HOSTS.bad.filter((host) => host.trim() !== '' && !/[^\x20-\x7e]/.test(host))) {
        const hostile = text === '.a' || text === '-a' ? `${text}.evil` : text
        for (const answer of await linksWith({ [name]: hostile }))
          assert.ok(!answer.includes(`//${hostile}`) && !answer.includes('"><script>'), `${name}: ${hostile}`)
      }
    })

  test('a hostile x-forwarded-proto is in no link, and fails no request', async () => {
    for (const text of ['javascript', 'javascript:alert(1)//', 'data', ':', 'a b', 'HTTPS"', 'http, javascript'])
      for (const answer of await linksWith({ 'x-forwarded-proto': text, host: 'zarr.example.org' })) {
        const links = [...answer.matchAll(/[^\s"'<>]*\/\/zarr\.example\.org/g)].map(([link]) => link)
        for (const link of links) assert.equal(link, 'http://zarr.example.org', `${text}: ${link}`)
        assert.ok(!answer.includes('javascript'), text)
      }
  })
})

test('where nobody is trusted, forwarded headers change nothing', async () => {
  const app = await runApp({ 'a.nc': netcdf3File({ rows: 4, columns: 3 }) })
  try {
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' }
    const { headers: given } = await app.http.inject({ url: `${storeUrlOf(app, 'a.nc')}zarr.json`, headers })
    assert.match(String(given['link']), /^<http:\/\/localhost(?::80)?\/zarr\//)
  } finally {
    await app.close()
  }
})
