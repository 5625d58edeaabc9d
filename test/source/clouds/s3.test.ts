import assert from 'node:assert/strict'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { CloudPlace } from '../../../src/source/clouds/cloud.ts'
import type { CredentialSettings } from '../../../src/source/clouds/settings.ts'
import { openSources } from '../../../src/source/open.ts'
import { type Origin, startOrigin } from '../../helpers/origin.ts'
import { failure, patterned, QUICK } from '../world.ts'

const SECRET = 'CANARY-secret-of-the-operator'
const STATIC: CredentialSettings = { kind: 'static', accessKeyId: { text: 'AKID' }, secretAccessKey: { text: SECRET } }

/** An origin that is asked as S3 is, and sources that know it as the endpoint; `below` are prefixes with their credentials. */
async function openStore(
  t: TestContext,
  below: Readonly<Record<string, CredentialSettings>> = {},
  place: CloudPlace = {},
) {
  const origin = await startOrigin()
  const prefixes = Object.entries(below).map(([prefix, credentials]) => ({ prefix, credentials, place: {} }))
  const clouds = { places: { s3: { endpoint: new URL(origin.base), ...place } }, prefixes }
  const sources = openSources({ ...QUICK, clouds })
  t.after(async () => {
    await sources.close()
    await origin.close()
  })
  return { origin, sources }
}

function says(code: string, more = ''): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>m</Message>${more}</Error>`
}

function missing(origin: Origin, path: string): void {
  origin.answer(path, 404, { 'content-type': 'application/xml' }, says('NoSuchKey'))
}

const ALL = { offset: 0, length: 100 }

describe('objects', () => {
  test('are read by their location, which is all that is seen of them', async (t) => {
    const { origin, sources } = await openStore(t)
    const bytes = patterned(100)
    origin.put('bucket/a%20b%2B', { bytes, etag: '"1"' })
    const source = await sources.open('s3://bucket/a b+')
    assert.equal(source.url, 's3://bucket/a%20b+')
    assert.deepEqual(await source.read(ALL), bytes)
    assert.equal(origin.requests[0]?.headers['authorization'], undefined, 'anonymously')
    origin.put('bucket/a%20b%2B', { bytes: patterned(100, 2), etag: '"2"' })
    source.settle?.()
    await assert.rejects(source.read(ALL), failure('source-changed'))
    assert.equal(await sources.isFresh(source), false)
  })

  test('that are missing are missing only when the store says that very object is', async (t) => {
    const { origin, sources } = await openStore(t)
    missing(origin, 'bucket/none')
    await assert.rejects(sources.open('s3://bucket/none'), failure('source-not-found'))
    assert.equal(await sources.object('s3://bucket/none'), undefined)
    assert.equal(await sources.object('s3://bucket/none', { headOnly: true }), undefined)
    const others: [status: number, body: string, code: string][] = [
      [404, says('NoSuchBucket'), 'source-not-found'],
      [404, '<html>not here</html>', 'source-unavailable'],
      [404, '', 'source-unavailable'],
      [403, says('AccessDenied'), 'source-denied'],
      [403, says('InvalidObjectState'), 'source-denied'],
    ]
    for (const [status, body, code] of others) {
      origin.answer('bucket/chunk', status, {}, body)
      await assert.rejects(sources.object('s3://bucket/chunk'), failure(code), body)
      await assert.rejects(sources.object('s3://bucket/chunk', { headOnly: true }), failure(code), body)
    }
  })

  test('that may be missing or forbidden: the error says that nobody can tell', async (t) => {
    const { origin, sources } = await openStore(t)
    origin.answer('bucket/chunk', 403, {}, says('AccessDenied'))
    await assert.rejects(
      sources.object('s3://bucket/chunk'),
      /AccessDenied.*does not exist when listing is not allowed/,
    )
  })

  test('are asked for again when the store is busy', async (t) => {
    const { origin, sources } = await openStore(t)
    origin.put('bucket/a', patterned(100))
    origin.fault({ kind: 'status', status: 503, body: says('SlowDown') }, 2)
    assert.equal((await sources.open('s3://bucket/a')).size, 100)
    origin.fault({ kind: 'status', status: 503, body: says('SlowDown') })
    await assert.rejects(sources.open('s3://bucket/a'), {
      code: 'source-unavailable',
      message: 'the origin answered 503 SlowDown',
      context: { url: 's3://bucket/a', retryAfterSeconds: 5 },
    })
  })

  test('of a bucket elsewhere: its region is learned once, from a redirect or a refused signature', async (t) => {
    const elsewhere = { 'x-amz-bucket-region': 'eu-west-1' }
    const answers = [
      { kind: 'status', status: 301, headers: elsewhere, body: says('PermanentRedirect') },
      { kind: 'status', status: 307, headers: { ...elsewhere, location: 'http://127.0.0.1:1/' } },
      { kind: 'status', status: 400, body: says('AuthorizationHeaderMalformed', '<Region>eu-west-1</Region>') },
    ] as const
    for (const answer of answers) {
      const { origin, sources } = await openStore(t, { 's3://bucket/': STATIC })
      origin.put('bucket/a', patterned(100))
      origin.put('bucket/b', patterned(100))
      origin.faultOf = ({ headers }) => (headers['authorization']?.includes('/eu-west-1/s3/') ? undefined : answer)
      await sources.open('s3://bucket/a')
      assert.equal(origin.requests.length, 2)
      await sources.open('s3://bucket/b')
      assert.equal(origin.requests.length, 3)
    }
  })

  test('a region that is no name of a region, or never the right one, ends in an error', async (t) => {
    const { origin, sources } = await openStore(t)
    origin.answer('bucket/a', 301, { 'x-amz-bucket-region': 'evil.example.org/' })
    await assert.rejects(sources.open('s3://bucket/a'), failure('source-unavailable'))
    assert.equal(origin.requests.length, 1)
    origin.answer('bucket/a', 301, { 'x-amz-bucket-region': 'eu-west-1' })
    await assert.rejects(sources.open('s3://bucket/a'), failure('source-unavailable'))
    assert.equal(origin.requests.length, 5)
  })

  test('are signed by the clock of their store', async (t) => {
    const { origin, sources } = await openStore(t, { 's3://bucket/': STATIC })
    origin.put('bucket/a', patterned(100))
    const ahead = 3_600_000
    const date = new Date(Date.now() + ahead).toUTCString()
    const skewed = { kind: 'status', status: 403, headers: { date }, body: says('RequestTimeTooSkewed') } as const
    origin.faultOf = ({ headers }) => {
      const [, y, mo, d, h, mi, s] = /^(\d{4})(..)(..)T(..)(..)(..)Z$/.exec(headers['x-amz-date'] ?? '') ?? []
      const signed = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`)
      return Math.abs(signed - (Date.now() + ahead)) < 900_000 ? undefined : skewed
    }
    await sources.open('s3://bucket/a')
    await sources.object('s3://bucket/a')
    assert.equal(origin.requests.length, 3)
  })
})

describe('credentials', () => {
  const signs = (origin: Origin) =>
    origin.requests.map(({ headers }) => /Credential=(\w+)/.exec(headers['authorization'] ?? '')?.[1])

  test('the longest prefix counts, and outside of all of them nothing is signed', async (t) => {
    const other: CredentialSettings = { ...STATIC, accessKeyId: { text: 'OTHER' } }
    const { origin, sources } = await openStore(t, {
      's3://bucket/': STATIC,
      's3://bucket/deep/er/': other,
      's3://bucket/deep/': { kind: 'anonymous' },
    })
    const keys = ['a', 'deep/a', 'deep/er/a', 'deep/erer/a']
    for (const key of keys) {
      origin.put(`bucket/${key}`, patterned(100))
      await sources.open(`s3://bucket/${key}`)
    }
    origin.put('bucket2/a', patterned(100))
    await sources.open('s3://bucket2/a')
    assert.deepEqual(signs(origin), ['AKID', undefined, 'OTHER', undefined, undefined])
  })

  test('a document that lies elsewhere does not lend them to what it names', async (t) => {
    const { origin, sources } = await openStore(t, { 's3://bucket/': STATIC })
    origin.put('bucket/a', patterned(100))
    const documents: [referrer: string, signed: string | undefined][] = [
      ['https://example.org/refs.json', undefined],
      ['s3://other/refs.json', undefined],
      ['s3://bucket/refs/refs.json', 'AKID'],
    ]
    for (const [referrer, signed] of documents) {
      await sources.openReference('s3://bucket/a', referrer)
      await sources.reference('s3://bucket/a', referrer).read(ALL)
      await sources.object('s3://bucket/a', { referrer })
      assert.deepEqual(signs(origin), [signed, signed, signed], referrer)
      origin.forget()
    }
  })

  test('nor to the folders that it wants listed', async (t) => {
    const { origin, sources } = await openStore(t, { 's3://bucket/': STATIC })
    const empty = '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>'
    origin.answer('bucket/?delimiter=%2F&encoding-type=url&list-type=2&prefix=f%2F', 200, {}, empty)
    for (const referrer of [undefined, 's3://bucket/x', 'https://example.org/join.yaml']) {
      assert.deepEqual(await sources.list('s3://bucket/f/', { referrer }), [])
    }
    assert.deepEqual(signs(origin), ['AKID', 'AKID', undefined])
  })

  test('they go nowhere else: not along a redirect, and not to a URL of the same host', async (t) => {
    const canary = await startOrigin()
    t.after(() => canary.close())
    const { origin, sources } = await openStore(t, { 's3://bucket/': STATIC })
    for (const status of [301, 302, 303, 307, 308]) {
      origin.redirect('bucket/a', canary.url('bucket/a'), status)
      await assert.rejects(sources.open('s3://bucket/a'), failure('source-unavailable'))
      await assert.rejects(sources.object('s3://bucket/a'), failure('source-unavailable'))
    }
    assert.equal(canary.connections, 0)
    origin.forget()
    // The endpoint is a private address: only locations lead there.
    await assert.rejects(sources.open(origin.url('bucket/a')), failure('source-forbidden'))
    assert.equal(origin.requests.length, 0)
  })

  test('a redirect from elsewhere leads to no object', async (t) => {
    const { origin, sources } = await openStore(t, { 's3://bucket/': STATIC })
    const outside = openSources({ ...QUICK, allow: [origin.base] })
    t.after(() => outside.close())
    origin.redirect('a', 's3://bucket/a')
    await assert.rejects(outside.open(origin.url('a')), failure('source-forbidden'))
    await sources.close()
  })

  test('a file of a token is read again, and at once when the store does not take it any more', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'token-'))
    const file = join(folder, 'token')
    await writeFile(file, 'first\n')
    const { origin, sources } = await openStore(t, { 's3://bucket/': { ...STATIC, sessionToken: { file } } })
    origin.put('bucket/a', patterned(100))
    await sources.open('s3://bucket/a')
    assert.equal(origin.requests[0]?.headers['x-amz-security-token'], 'first')
    await writeFile(file, 'second\n')
    const expired = { kind: 'status', status: 400, body: says('ExpiredToken') } as const
    origin.faultOf = ({ headers }) => (headers['x-amz-security-token'] === 'second' ? undefined : expired)
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 6_000 })
    await sources.open('s3://bucket/a')
    assert.equal(origin.requests.at(-1)?.headers['x-amz-security-token'], 'second')
    origin.faultOf = () => expired
    await assert.rejects(sources.open('s3://bucket/a'), failure('source-denied'))
  })

  test('nothing that is thrown, listed or kept tells them', async (t) => {
    const { origin, sources } = await openStore(t, {
      's3://bucket/': { ...STATIC, sessionToken: { text: `${SECRET}-token` } },
    })
    const body = says(
      'SignatureDoesNotMatch',
      `<StringToSign>${SECRET}</StringToSign><AWSAccessKeyId>AKID</AWSAccessKeyId>`,
    )
    const seen: unknown[] = []
    for (const status of [301, 400, 403, 404, 405, 409, 500, 503]) {
      origin.answer('bucket/a', status, { location: `http://x/?${SECRET}` }, body)
      const asks = [sources.open('s3://bucket/a'), sources.object('s3://bucket/a'), sources.list('s3://bucket/a')]
      for (const { reason } of (await Promise.allSettled(asks)).filter((each) => each.status === 'rejected')) {
        seen.push(reason)
      }
    }
    assert.ok(seen.length >= 16)
    for (const error of seen) {
      for (let each = error; each instanceof Error; each = each.cause) {
        const told = `${each.stack} ${JSON.stringify(each)} ${String(each)}`
        assert.doesNotMatch(told, /CANARY|AKID|Signature=|127\.0\.0\.1/)
      }
    }
  })

  test('requester pays', async (t) => {
    const { origin, sources } = await openStore(t, { 's3://bucket/': STATIC }, { requesterPays: true })
    origin.put('bucket/a', patterned(100))
    await sources.open('s3://bucket/a')
    const headers = origin.requests[0]?.headers
    assert.equal(headers?.['x-amz-request-payer'], 'requester')
    assert.match(
      headers?.['authorization'] ?? '',
      /SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-request-payer,/,
    )
  })
})

describe('folders', () => {
  const page = (inner: string) =>
    `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inner}</ListBucketResult>`
  const object = (key: string) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`
  const list = (token = '') => `bucket/?${token}delimiter=%2F&encoding-type=url&list-type=2&prefix=f%C3%A9%2F`

  test('are listed page by page', async (t) => {
    const { origin, sources } = await openStore(t, { 's3://bucket/': STATIC })
    const more = '<IsTruncated>true</IsTruncated><NextContinuationToken>t/1=</NextContinuationToken>'
    const folder = '<CommonPrefixes><Prefix>f%C3%A9/sub+a/</Prefix></CommonPrefixes>'
    origin.answer(
      list(),
      200,
      {},
      page(`<EncodingType>url</EncodingType>${more}${object('f%C3%A9/')}${object('f%C3%A9/a+b%2B')}`),
    )
    origin.answer(
      list('continuation-token=t%2F1%3D&'),
      200,
      {},
      page(`<EncodingType>url</EncodingType><IsTruncated>false</IsTruncated>${folder}${object('other/x')}`),
    )
    assert.deepEqual(await sources.list('s3://bucket/fé'), ['a b+', 'sub a/'])
    assert.ok(origin.requests.every(({ headers }) => headers['authorization'] !== undefined))
  })

  test('without encoding names stand as XML writes them', async (t) => {
    const { origin, sources } = await openStore(t)
    origin.answer(list(), 200, {}, page(`${object('f\u00e9/a&amp;b+%41')}${object('fé/..')}`))
    assert.deepEqual(await sources.list('s3://bucket/fé/'), ['a&b+%41'])
  })

  test('that may not be listed are as good as unlisted; lies and endless lists are errors', async (t) => {
    const { origin, sources } = await openStore(t)
    origin.answer(list(), 403, {}, says('AccessDenied'))
    assert.equal(await sources.list('s3://bucket/fé/'), undefined)
    const more = '<IsTruncated>true</IsTruncated>'
    for (const body of [
      '<html></html>',
      'no xml',
      page(more),
      page(`<EncodingType>url</EncodingType>${object('f%C3%A9/%ff')}`),
    ]) {
      origin.answer(list(), 200, {}, body)
      await assert.rejects(sources.list('s3://bucket/fé/'), failure('source-unavailable'), body)
    }
    const again = page(`${more}<NextContinuationToken>t</NextContinuationToken>${object('fé/a')}`)
    origin.answer(list(), 200, {}, again)
    origin.answer(list('continuation-token=t&'), 200, {}, again)
    await assert.rejects(sources.list('s3://bucket/fé/'), failure('source-unavailable'))
  })
})
