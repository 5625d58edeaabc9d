import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { azure } from '../../../src/source/clouds/azure.ts'
import { keyOf } from '../../../src/source/clouds/location.ts'
import type { CredentialSettings } from '../../../src/source/clouds/settings.ts'
import { openSources } from '../../../src/source/open.ts'
import { parseSourceUrl, unescapedLocation } from '../../../src/source/source-url.ts'
import { startOrigin } from '../../helpers/origin.ts'
import { failure, patterned, QUICK } from '../world.ts'

async function openStore(t: TestContext, credentials: CredentialSettings = { kind: 'anonymous' }) {
  const origin = await startOrigin()
  const prefixes = [{ prefix: 'abfs://box@account.dfs.core.windows.net/', credentials, place: {} }]
  const sources = openSources({ ...QUICK, clouds: { places: { az: { endpoint: new URL(origin.base) } }, prefixes } })
  t.after(async () => {
    await sources.close()
    await origin.close()
  })
  return { origin, sources }
}

test('both forms of a location are one URL', () => {
  const cases: [written: string, href: string, key: string][] = [
    ['az://account/box/a b', 'az://account/box/a%20b', 'box/a b'],
    ['abfs://box@account.dfs.core.windows.net/a?b#c', 'az://account/box/a%3Fb%23c', 'box/a?b#c'],
    ['abfss://$web@account.blob.core.windows.net/x', 'az://account/$web/x', '$web/x'],
    [
      'az://account/box/x?versionid=2024-01-01T00:00:00.1Z',
      'az://account/box/x?versionid=2024-01-01T00%3A00%3A00.1Z',
      'box/x',
    ],
    ['az://account/box/', 'az://account/box/', 'box/'],
  ]
  for (const [written, href, key] of cases) {
    const url = parseSourceUrl(written)
    assert.equal(url.href, href)
    assert.equal(keyOf(url), key)
    assert.equal(parseSourceUrl(href).href, href)
  }
  assert.equal(unescapedLocation('az://account/box/a%20b'), 'abfs://box@account.dfs.core.windows.net/a b')
  for (const text of [
    'az://box@account/x',
    'abfs://box/x',
    'az://a.b/box/x',
    'az://account/Box/x',
    'abfs://box@account.evil.org/x',
  ]) {
    assert.throws(() => parseSourceUrl(text), failure('invalid-request'), text)
  }
})

test('where a blob is asked for', () => {
  const at = (location: string, place = {}) => azure.open().objectUrl(azure.parse(location), place).href
  const endpoint = new URL('http://10.0.0.1:10000')
  assert.equal(at('az://account/box/a+b/é'), 'https://account.blob.core.windows.net/box/a%2Bb/%C3%A9')
  assert.equal(at('az://account/box//x', { endpoint }), 'http://10.0.0.1:10000/account/box//x')
  assert.throws(() => at('az://account/box'), failure('source-not-found'))
})

test('a blob is missing only when the store says that very blob is', async (t) => {
  const { origin, sources } = await openStore(t)
  const cases: [status: number, code: string, error: string | undefined][] = [
    [404, 'BlobNotFound', undefined],
    [404, 'ContainerNotFound', 'source-not-found'],
    [404, 'ResourceNotFound', 'source-denied'],
    [404, '', 'source-unavailable'],
    [409, 'PublicAccessNotPermitted', 'source-denied'],
    [403, 'AuthorizationPermissionMismatch', 'source-denied'],
    [401, 'NoAuthenticationInformation', 'source-denied'],
    [503, 'ServerBusy', 'source-unavailable'],
  ]
  for (const [status, code, error] of cases) {
    origin.answer('account/box/a', status, { 'x-ms-error-code': code })
    for (const headOnly of [true, false]) {
      const asked = sources.object('az://account/box/a', { headOnly })
      if (error === undefined) assert.equal(await asked, undefined)
      else await assert.rejects(asked, failure(error), `${status} ${code}`)
    }
  }
})

test('a token is sent as it is, and another one fetched when it is refused', async (t) => {
  const { origin, sources } = await openStore(t, { kind: 'bearer', token: { text: 'CANARY' } })
  origin.put('account/box/a', patterned(100))
  await sources.open('az://account/box/a')
  assert.equal(origin.requests[0]?.headers['authorization'], 'Bearer CANARY')
  assert.ok(origin.requests[0]?.headers['x-ms-version'])
  origin.answer('account/box/a', 401, { 'x-ms-error-code': 'InvalidAuthenticationInfo' })
  await assert.rejects(sources.open('az://account/box/a'), (error: Error) => !/CANARY/.test(`${error.stack}`))
})

test('a signature in the query is in the request and nowhere else', async (t) => {
  const { origin, sources } = await openStore(t, { kind: 'sas', token: { text: '?sv=1&sig=CANARY%2B' } })
  origin.put('account/box/a?sv=1&sig=CANARY%2B', patterned(100))
  const source = await sources.open('az://account/box/a')
  assert.equal(source.url, 'az://account/box/a')
  origin.fault({ kind: 'reset' })
  source.settle?.()
  const read = source.read({ offset: 0, length: 50 })
  await assert.rejects(read, (error: Error) => !/CANARY/.test(`${error.stack} ${JSON.stringify(error)} ${error.cause}`))
})

test('a blob is signed by the clock of its store', async (t) => {
  const { origin, sources } = await openStore(t, { kind: 'shared-key', accountKey: { text: 'c2VjcmV0' } })
  origin.put('account/box/a', patterned(100))
  const date = new Date(Date.now() + 3_600_000).toUTCString()
  const text =
    '<Error><Code>AuthenticationFailed</Code><AuthenticationErrorDetail>Request date header too old</AuthenticationErrorDetail></Error>'
  const old = {
    kind: 'status',
    status: 403,
    headers: { date, 'x-ms-error-code': 'AuthenticationFailed' },
    body: text,
  } as const
  origin.faultOf = ({ headers }) => (Date.parse(headers['x-ms-date'] ?? '') > Date.now() + 3_000_000 ? undefined : old)
  await sources.open('az://account/box/a')
  assert.equal(origin.requests.length, 2)
})

test('a folder is listed page by page', async (t) => {
  const { origin, sources } = await openStore(t)
  const page = (inner: string) => `<?xml version="1.0"?><EnumerationResults>${inner}</EnumerationResults>`
  const path = 'account/box?restype=container&comp=list&delimiter=%2F&prefix=f%2F'
  origin.answer(path, 200, {}, page('<Blobs><Blob><Name>f/a &amp;b</Name></Blob></Blobs><NextMarker>2!x</NextMarker>'))
  origin.answer(
    `${path}&marker=2%21x`,
    200,
    {},
    page('<Blobs><BlobPrefix><Name>f/sub/</Name></BlobPrefix><Blob><Name>f/</Name></Blob></Blobs><NextMarker/>'),
  )
  assert.deepEqual(await sources.list('az://account/box/f'), ['a &b', 'sub/'])
  origin.answer(path, 404, { 'x-ms-error-code': 'ContainerNotFound' })
  assert.equal(await sources.list('az://account/box/f'), undefined)
  origin.answer(path, 200, {}, '<html></html>')
  await assert.rejects(sources.list('az://account/box/f'), failure('source-unavailable'))
})
