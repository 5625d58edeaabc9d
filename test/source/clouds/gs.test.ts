import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { CloudPlace } from '../../../src/source/clouds/cloud.ts'
import { gs } from '../../../src/source/clouds/gs.ts'
import { keyOf } from '../../../src/source/clouds/location.ts'
import type { CredentialSettings } from '../../../src/source/clouds/settings.ts'
import { openSources } from '../../../src/source/open.ts'
import { publicUrl } from '../../../src/source/public-url.ts'
import { parseSourceUrl, unescapedLocation } from '../../../src/source/source-url.ts'
import { type Origin, startOrigin } from '../../helpers/origin.ts'
import { failure, patterned, QUICK } from '../world.ts'

const HMAC: CredentialSettings = {
  kind: 'static',
  accessKeyId: { text: 'GOOGID' },
  secretAccessKey: { text: 'CANARY' },
}

async function openStore(
  t: TestContext,
  credentials: CredentialSettings = { kind: 'anonymous' },
  place: CloudPlace = {},
) {
  const origin = await startOrigin()
  const prefixes = [{ prefix: 'gs://box/', credentials, place }]
  const sources = openSources({ ...QUICK, clouds: { places: { gs: { endpoint: new URL(origin.base) } }, prefixes } })
  t.after(async () => {
    await sources.close()
    await origin.close()
  })
  return { origin, sources }
}

function says(code: string): string {
  return `<?xml version='1.0' encoding='UTF-8'?><Error><Code>${code}</Code><Message>m</Message></Error>`
}

/** As Google tells of an object: the tag is that of the content, the generation that of this writing. */
function put(origin: Origin, path: string, generation: string): void {
  const headers = { 'x-goog-generation': generation }
  origin.put(path, { bytes: patterned(100), etag: '"of the content"', headers, ifMatch: 'refused' })
}

const ALL = { offset: 0, length: 100 }

test('a location is one URL, whoever wrote it', () => {
  const cases: [written: string, href: string, key: string][] = [
    ['gs://box/a b', 'gs://box/a%20b', 'a b'],
    ['gcs://box/a?b#c', 'gs://box/a%3Fb%23c', 'a?b#c'],
    ['gs://my.box_1/x//y', 'gs://my.box_1/x//y', 'x//y'],
    ['gs://box/x?generation=123', 'gs://box/x?generation=123', 'x'],
    ['gs://box/x#123', 'gs://box/x%23123', 'x#123'],
  ]
  for (const [written, href, key] of cases) {
    const url = parseSourceUrl(written)
    assert.equal(url.href, href)
    assert.equal(keyOf(url), key)
    assert.equal(parseSourceUrl(href).href, href)
  }
  assert.equal(unescapedLocation('gs://box/a%20b?generation=1'), 'gs://box/a b?generation=1')
  assert.equal(publicUrl('gs://box/a?generation=1'), 'gs://box/a?generation=1')
  for (const text of ['gs://Box/x', 'gs://b/x', 'gs://a..b/x', 'gs://key:secret@box/x', 'gs://box/../x', 'gs:///x']) {
    assert.throws(() => parseSourceUrl(text), failure('invalid-request'), text)
  }
})

test('where an object is asked for', () => {
  const at = (location: string, place = {}) => gs.open().objectUrl(gs.parse(location), place).href
  const endpoint = new URL('http://10.0.0.1:4443/gcs/')
  assert.equal(at('gs://box/a+b/é'), 'https://storage.googleapis.com/box/a%2Bb/%C3%A9')
  assert.equal(at('gs://my.box//x?generation=5'), 'https://storage.googleapis.com/my.box//x?generation=5')
  assert.equal(at('gs://box/x', { endpoint }), 'http://10.0.0.1:4443/gcs/box/x')
  assert.throws(() => at('gs://box'), failure('source-not-found'))
})

test('a version is a generation: the same bytes written anew are another one', async (t) => {
  const { origin, sources } = await openStore(t)
  put(origin, 'box/a', '1')
  const source = await sources.open('gs://box/a')
  source.settle?.()
  assert.deepEqual(await source.read(ALL), patterned(100))
  const [, ranged] = origin.requests
  assert.equal(ranged?.headers['x-goog-if-generation-match'], '1')
  assert.equal(ranged?.headers['if-match'], undefined)
  assert.equal(await sources.isFresh(source), true)
  put(origin, 'box/a', '2')
  assert.equal(await sources.isFresh(source), false)
  // Even where the condition is passed over.
  await assert.rejects(source.read(ALL), failure('source-changed'))
})

test('a store that tells no generation is asked by its tags', async (t) => {
  const { origin, sources } = await openStore(t)
  origin.put('box/a', patterned(100))
  const source = await sources.open('gs://box/a')
  source.settle?.()
  await source.read(ALL)
  assert.equal(origin.requests[1]?.headers['if-match'], '"v1"')
})

test('an object is missing only when the store says that very object is', async (t) => {
  const { origin, sources } = await openStore(t)
  const cases: [status: number, code: string, error: string | undefined][] = [
    [404, 'NoSuchKey', undefined],
    [404, 'NoSuchBucket', 'source-not-found'],
    [404, '', 'source-unavailable'],
    [401, 'AuthenticationRequired', 'source-denied'],
    [403, 'AccessDenied', 'source-denied'],
    [403, 'NoSuchKey', 'source-denied'],
    [400, 'UserProjectMissing', 'source-denied'],
    [429, 'TooManyRequests', 'source-unavailable'],
    [503, 'ServiceUnavailable', 'source-unavailable'],
  ]
  for (const [status, code, error] of cases) {
    origin.answer('box/a', status, {}, says(code))
    for (const headOnly of [true, false]) {
      const asked = sources.object('gs://box/a', { headOnly })
      if (error === undefined) assert.equal(await asked, undefined)
      else await assert.rejects(asked, failure(error), `${status} ${code}`)
    }
  }
})

test('a busy store is asked again, then said to be busy', async (t) => {
  const { origin, sources } = await openStore(t)
  put(origin, 'box/a', '1')
  for (const status of [429, 503]) {
    const stop = origin.fault({ kind: 'status', status, headers: { 'retry-after': '1' }, body: says('SlowDown') }, 1)
    assert.equal((await sources.open('gs://box/a')).size, 100)
    stop()
  }
  origin.fault({ kind: 'status', status: 429, body: says('TooManyRequests') })
  const busy = { code: 'source-unavailable', message: 'the origin answered 429 TooManyRequests' }
  await assert.rejects(sources.open('gs://box/a'), busy)
})

test('keys of HMAC sign as for S3, without any header of Google', async (t) => {
  const { origin, sources } = await openStore(t, HMAC, { requesterPays: true, project: 'example.com:payer' })
  put(origin, 'box/a%2Bb?userProject=example.com%3Apayer', '1')
  const source = await sources.open('gs://box/a+b')
  source.settle?.()
  await source.read(ALL)
  assert.equal(source.url, 'gs://box/a+b')
  const [first, second] = origin.requests
  assert.match(
    first?.headers['authorization'] ?? '',
    /^AWS4-HMAC-SHA256 Credential=GOOGID\/\d{8}\/auto\/s3\/aws4_request, /,
  )
  assert.equal(first?.headers['authorization'], second?.headers['authorization'], 'one signature for all ranges')
  for (const { headers } of origin.requests) {
    assert.deepEqual(
      Object.keys(headers).filter((name) => name.startsWith('x-goog')),
      [],
    )
  }
  put(origin, 'box/a%2Bb?userProject=example.com%3Apayer', '2')
  await assert.rejects(source.read(ALL), failure('source-changed'))
})

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const FILE = {
  type: 'service_account',
  client_email: 'a@b.iam.gserviceaccount.com',
  private_key_id: 'k',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  project_id: 'its-own',
}

test('a service account signs its own tokens; its project pays unless another one is named', async (t) => {
  const key = { text: JSON.stringify(FILE) }
  for (const [project, payer] of [
    [undefined, 'its-own'],
    ['other', 'other'],
  ] as const) {
    const { origin, sources } = await openStore(t, { kind: 'service-account', key }, { requesterPays: true, project })
    put(origin, 'box/a', '1')
    await sources.open('gs://box/a')
    assert.equal(origin.requests[0]?.headers['x-goog-user-project'], payer)
    const token = /^Bearer ([\w-]+)\.([\w-]+)\.[\w-]+$/.exec(origin.requests[0]?.headers['authorization'] ?? '')
    const claims = JSON.parse(Buffer.from(token?.[2] ?? '', 'base64url').toString()) as Record<string, number>
    assert.equal((claims['exp'] ?? 0) - (claims['iat'] ?? 0), 3600)
  }
})

test('a refused token is signed anew; what is refused for ever is an error without it', async (t) => {
  const { origin, sources } = await openStore(t, { kind: 'service-account', key: { text: JSON.stringify(FILE) } })
  put(origin, 'box/a', '1')
  await sources.open('gs://box/a')
  const first = origin.requests[0]?.headers['authorization']
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 10_000 })
  const refused = { kind: 'status', status: 401, body: says('AuthenticationRequired') } as const
  origin.faultOf = ({ headers }) => (headers['authorization'] === first ? refused : undefined)
  await sources.open('gs://box/a')
  assert.equal(origin.requests.length, 3)
  origin.faultOf = () => refused
  await assert.rejects(sources.open('gs://box/a'), (error: Error) => {
    assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)}`, /Bearer|eyJ/)
    return true
  })
})

test('a refusal is asked about again only with another key', async (t) => {
  const refused = { kind: 'status', status: 401, body: says('AuthenticationRequired') } as const
  for (const [credentials, requests] of [
    [{ kind: 'anonymous' }, 1],
    [{ kind: 'bearer', token: { text: 'CANARY' } }, 2],
  ] as const) {
    const { origin, sources } = await openStore(t, credentials)
    origin.faultOf = () => refused
    await assert.rejects(sources.open('gs://box/a'), failure('source-denied'))
    assert.equal(origin.requests.length, requests)
  }
})

test('a key of a service account that is none is told without what it holds', async (t) => {
  const texts = ['CANARY', '{"type":"authorized_user","refresh_token":"CANARY"}', '{"type":"service_account"}']
  const broken = JSON.stringify({
    ...FILE,
    private_key: '-----BEGIN PRIVATE KEY-----\nCANARY\n-----END PRIVATE KEY-----',
  })
  for (const text of [...texts, broken]) {
    const { sources } = await openStore(t, { kind: 'service-account', key: { text } })
    await assert.rejects(sources.open('gs://box/a'), (error: Error) => {
      assert.match(error.message, /service account/)
      assert.doesNotMatch(`${error.stack} ${error.cause}`, /CANARY/)
      return true
    })
  }
})

test('a redirect carries nothing anywhere', async (t) => {
  const canary = await startOrigin()
  t.after(() => canary.close())
  const { origin, sources } = await openStore(t, { kind: 'bearer', token: { text: 'CANARY' } })
  for (const status of [301, 302, 303, 307, 308]) {
    origin.redirect('box/a', canary.url('box/a'), status)
    await assert.rejects(sources.open('gs://box/a'), failure('source-unavailable'))
  }
  assert.equal(canary.connections, 0)
})

test('a folder is listed page by page', async (t) => {
  const { origin, sources } = await openStore(t)
  const page = (inner: string) => `<?xml version='1.0'?><ListBucketResult>${inner}</ListBucketResult>`
  const more = '<IsTruncated>true</IsTruncated><NextContinuationToken>t/1=</NextContinuationToken>'
  const list = 'delimiter=%2F&list-type=2&prefix=f%2F'
  origin.answer(`box/?${list}`, 200, {}, page(`${more}<Contents><Key>f/a &amp;b+%41</Key></Contents>`))
  const last = '<CommonPrefixes><Prefix>f/sub/</Prefix></CommonPrefixes><Contents><Key>f/</Key></Contents>'
  origin.answer(`box/?continuation-token=t%2F1%3D&${list}`, 200, {}, page(`<IsTruncated>false</IsTruncated>${last}`))
  assert.deepEqual(await sources.list('gs://box/f'), ['a &b+%41', 'sub/'])
  origin.answer(`box/?${list}`, 403, {}, says('AccessDenied'))
  assert.equal(await sources.list('gs://box/f'), undefined)
})
