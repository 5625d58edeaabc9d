import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isVirtualZarrError } from '../../src/errors.ts'
import { createGuard } from '../../src/source/guard.ts'
import { DEFAULT_SOURCE_SETTINGS, type SourceSettings } from '../../src/source/settings.ts'
import { startOrigin } from '../helpers/origin.ts'
import { failure, openWorld, patterned, QUICK } from './world.ts'

/** Loopback in every spelling there is; `PORT` is the canary's. */
const BAIT = [
  'http://127.0.0.1:PORT/',
  'http://127.1:PORT/',
  'http://127.0.1:PORT/',
  'http://2130706433:PORT/',
  'http://0x7f000001:PORT/',
  'http://0x7f.0.0.1:PORT/',
  'http://0x7F.1:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://017700000001:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://127.0.0.2:PORT/',
  'http://127.255.255.254:PORT/',
  'http://0:PORT/',
  'http://0.0.0.0:PORT/',
  'http://１２７.０.０.１:PORT/',
  'http://①②⑦.⓪.⓪.①:PORT/',
  'http://127。0。0。1:PORT/',
  'http://%31%32%37.0.0.1:PORT/',
  'http://[::1]:PORT/',
  'http://[0:0:0:0:0:0:0:1]:PORT/',
  'http://[::]:PORT/',
  'http://[::127.0.0.1]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[0:0:0:0:0:ffff:127.0.0.1]:PORT/',
  'http://[::ffff:0:127.0.0.1]:PORT/',
  'http://[64:ff9b::127.0.0.1]:PORT/',
  'http://[2002:7f00:1::]:PORT/',
  'http://[2001:0:7f00:1::]:PORT/',
  'http://[fe80::5efe:127.0.0.1]:PORT/',
  'http://localhost:PORT/',
  'http://LOCALHOST:PORT/',
  'http://localhost.:PORT/',
  'http://a.localhost:PORT/',
  'http://localhost.localdomain:PORT/',
  'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT/',
  'http://user@127.0.0.1:PORT/',
  'http://example.com:80@127.0.0.1:PORT/',
  'http://127.0.0.1:PORT\\@example.com/',
  'http:127.0.0.1:PORT/',
  'http:\\\\127.0.0.1:PORT/',
  ' http://127.0.0.1:PORT/',
  'ht\ntp://127.0.0.1:PORT/',
  'https://127.0.0.1:PORT/',
  'http://named.test:PORT/',
  'http://mixed.test:PORT/',
  'http://mapped.test:PORT/',
]

describe('guard bait: nothing leads to loopback', () => {
  const resolve = (
    hostname: string,
    done: (error: Error | null, addresses: { address: string; family: number }[]) => void,
  ) => {
    const addresses = {
      'named.test': [{ address: '127.0.0.1', family: 4 }],
      'mixed.test': [
        { address: '8.8.8.8', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
      'mapped.test': [{ address: '::ffff:127.0.0.1', family: 6 }],
    }[hostname]
    done(addresses === undefined ? new Error(`no such name in this test: ${hostname}`) : null, addresses ?? [])
  }

  test('GUARD-1: every spelling is refused, with zero connections', async (t) => {
    const canary = await startOrigin()
    t.after(() => canary.close())
    canary.put('', patterned(100))
    const { sources } = await openWorld(t, { allow: [], ports: [80, 443, canary.port] }, { resolve })
    for (const text of BAIT) {
      const url = text.replace('PORT', String(canary.port))
      for (const attempt of [sources.open(url), sources.object(url), sources.list(url)]) {
        await assert.rejects(attempt, failure('source-forbidden'), url)
      }
      await assert.rejects(sources.openReference(url, 'https://example.com/a.json'), failure('source-forbidden'), url)
    }
    assert.equal(canary.connections, 0)
  })

  test('GUARD-3: a redirect leads nowhere where the URL itself may not go', async (t) => {
    const canary = await startOrigin()
    t.after(() => canary.close())
    const { origin, sources } = await openWorld(t, { ports: [80, 443, canary.port] }, { resolve })
    // A header is Latin-1, where full-width spellings are no URL; without slashes it is a path.
    const latin = BAIT.filter((text) => /^[\x20-\x7e]+$/.test(text) && text.includes('//'))
    const bait = [...latin, 'file:///etc/passwd', 'ftp://example.com/', 'gopher://127.0.0.1/', 'data:,x']
    for (const text of bait) {
      origin.redirect('a', text.replace('PORT', String(canary.port)))
      await assert.rejects(sources.open(origin.url('a')), failure('source-forbidden'), text)
      await assert.rejects(sources.object(origin.url('a')), failure('source-forbidden'), text)
    }
    assert.equal(canary.connections, 0)
  })

  test('an allowed prefix does not open its neighbours on the same origin', async (t) => {
    const { origin, sources } = await openWorld(t, { allow: [], ports: [80, 443] })
    const guarded = createGuard({ ...DEFAULT_SOURCE_SETTINGS, allow: [origin.url('data/')] })
    assert.equal(guarded.judge(new URL(origin.url('data/a.nc'))), 'allowed')
    for (const path of [
      'database/a.nc',
      '',
      'data/../secret',
      'data/%2e%2e/secret',
      'data/..%2fsecret',
      'data/%252e%252e/x',
    ]) {
      assert.throws(() => guarded.judge(new URL(origin.url(path))), failure('source-forbidden'), path)
    }
    await assert.rejects(sources.open(origin.url('data/a.nc')), failure('source-forbidden'))
  })

  test('a name that turns to loopback after its first answer leads nowhere', async (t) => {
    const canary = await startOrigin()
    t.after(() => canary.close())
    let asked = 0
    const { sources } = await openWorld(
      t,
      {
        allow: [],
        ports: [canary.port],
        deadlines: { ...QUICK.deadlines, connectMs: 100, headersMs: 100, slowHeadersMs: 100, totalMs: 400 },
      },
      { resolve: (_name, done) => done(null, [{ address: asked++ === 0 ? '192.0.2.1' : '127.0.0.1', family: 4 }]) },
    )
    await assert.rejects(sources.open(`http://rebind.test:${canary.port}/`))
    await assert.rejects(sources.open(`http://rebind.test:${canary.port}/`))
    assert.equal(canary.connections, 0)
  })
})

describe('what the guard says of URLs', () => {
  const judge = (url: string, settings: Partial<SourceSettings> = {}) => {
    const guard = createGuard({ ...DEFAULT_SOURCE_SETTINGS, ...settings })
    return guard.judge(guard.parse(url))
  }

  test('public hosts on 80 and 443 may be read', () => {
    for (const url of ['http://example.com/a', 'https://example.com./a', 'https://8.8.8.8/', 'http://[2600::1]/']) {
      assert.equal(judge(url), 'public')
    }
    assert.throws(() => judge('http://example.com:8080/'), failure('source-forbidden'))
    assert.throws(() => judge('https://example.com:22/'), failure('source-forbidden'))
  })

  test('schemes are a closed list', () => {
    for (const url of ['ftp://h/', 'gopher://h/', 'data:,x', 'javascript:1', 'blob:http://h/1', 'ws://h/']) {
      assert.throws(() => judge(url), failure('source-forbidden'), url)
    }
    for (const url of ['', 'a.nc', '/etc/passwd', 'http://', 'http://[::1', 'http://a b/']) {
      assert.throws(() => judge(url), failure('invalid-request'), url)
    }
  })

  test('a user name or a password in a URL is refused', () => {
    for (const url of ['https://user@example.com/', 'https://user:word@example.com/', 'https://:word@example.com/'])
      for (const allow of [[], ['https://example.com/']])
        assert.throws(() => judge(url, { allow }), failure('source-forbidden'), url)
  })

  test('prefixes of object stores: whole segments of keys, which nobody walks in', () => {
    assert.equal(judge('s3://bucket/key'), 'store')
    assert.equal(judge('gs://bucket/key', { only: ['gcs://bucket/'] }), 'store')
    assert.equal(judge('az://account/box/key', { only: ['abfs://box@account.dfs.core.windows.net/'] }), 'store')
    assert.equal(judge('abfs://box@account.dfs.core.windows.net/key', { only: ['abfs://'] }), 'store')
    const only = { only: ['s3://bucket/public/'] }
    for (const key of ['public/a', 'public/a%2fb', 'public//a', 'public/100%25'])
      assert.equal(judge(`s3://bucket/${key}`, only), 'store')
    for (const url of [
      's3://bucket/publicity/a',
      's3://bucket//public/a',
      's3://other/public/a',
      's3://bucket',
      'https://bucket/public/a',
    ]) {
      assert.throws(() => judge(url, only), failure('source-forbidden'), url)
    }
    assert.equal(judge('s3://any/key', { only: ['s3://'] }), 'store')
    for (const deny of ['s3://', 's3://bucket', 's3://bucket/private/', 's3://bucket/pr%69vate']) {
      assert.throws(() => judge('s3://bucket/private/a', { deny: [deny] }), failure('source-forbidden'), deny)
    }
  })

  test('a denied prefix wins over an allowed one, and over spellings of its path', () => {
    const settings = { allow: ['http://10.0.0.1/'], deny: ['http://10.0.0.1/private/'] }
    assert.equal(judge('http://10.0.0.1/public/a', settings), 'allowed')
    for (const path of ['private/a', '%70rivate/a', '/private/a', 'public/../private/a', 'public/..%2fprivate/a']) {
      assert.throws(() => judge(`http://10.0.0.1/${path}`, settings), failure('source-forbidden'), path)
    }
    assert.throws(() => judge('http://example.com./a', { deny: ['http://example.com/'] }), failure('source-forbidden'))
  })

  test('with listed sources nothing else may be read', () => {
    const settings = { only: ['https://example.com/data'] }
    assert.equal(judge('https://example.com/data/a', settings), 'public')
    for (const url of [
      'https://example.com/database',
      'https://example.org/data/a',
      'http://example.com/data/a',
      'file:///a',
    ]) {
      assert.throws(() => judge(url, settings), failure('source-forbidden'), url)
    }
  })

  test('a listed prefix alone does not open a private address', () => {
    assert.throws(() => judge('http://10.0.0.1/', { only: ['http://10.0.0.1/'] }), failure('source-forbidden'))
  })

  test('a refusal that the operator can lift says what to set', () => {
    for (const [url, prefix] of [
      ['http://localhost:8000/data/a.nc', 'http://localhost:8000/'],
      ['http://127.0.0.1/a.nc?sig=secret', 'http://127.0.0.1/'],
      ['http://[::1]:9000/a.nc', 'http://[::1]:9000/'],
      ['https://example.com:8443/a.nc', 'https://example.com:8443/'],
      ['http://10.1.2.3/a.nc', 'http://10.1.2.3/'],
      ['http://nas.local/a.nc', 'http://nas.local/'],
    ] as const) {
      const refusal = refusalOf(() => judge(url))
      assert.ok(refusal.includes(`VZ_ALLOW_SOURCES=${prefix} (serve --allow ${prefix})`), refusal)
      assert.equal(refusal.includes('serve FOLDER'), /localhost|127\.|::1/.test(prefix), refusal)
      assert.ok(!refusal.includes('secret'), refusal)
      assert.equal(judge(url, { allow: [prefix] }), 'allowed', 'what it says to set is what helps')
    }
    const odd = refusalOf(() => judge('http://localhost:8000/a%2fb', { allow: ['http://localhost:8000/'] }))
    assert.match(odd, /plain paths/)
  })

  test('a prefix that makes no sense stops the start', () => {
    for (const text of ['example.com', 'ftp://example.com/', 'http://u:p@example.com/', 'http://example.com/?q=1']) {
      assert.throws(() => createGuard({ ...DEFAULT_SOURCE_SETTINGS, allow: [text] }), failure('invalid-request'), text)
    }
  })
})

function refusalOf(attempt: () => unknown): string {
  try {
    attempt()
  } catch (error) {
    if (isVirtualZarrError(error, 'source-forbidden')) return error.message
    throw error
  }
  return assert.fail('nothing was refused')
}

test('the refusal of a name that leads to a private address has its scheme and port', async (t) => {
  const { sources } = await openWorld(
    t,
    { allow: [], ports: [8123] },
    { resolve: (_name, done) => done(null, [{ address: '10.0.0.7', family: 4 }]) },
  )
  await assert.rejects(sources.open('http://data.test:8123/a.nc'), (error) => {
    assert.ok(isVirtualZarrError(error, 'source-forbidden'))
    assert.match(error.message, /data\.test leads to .* VZ_ALLOW_SOURCES=http:\/\/data\.test:8123\/ /)
    assert.equal(error.context.url, 'http://data.test:8123/')
    return !error.message.includes('10.0.0.7')
  })
})

describe('redirects', () => {
  test('five are followed, and the place they lead to is kept until it fails', async (t) => {
    const { origin, sources } = await openWorld(t)
    for (let hop = 0; hop < 5; hop++) origin.redirect(`hop${hop}`, `/hop${hop + 1}`)
    origin.put('hop5', patterned(200_000))
    const source = await sources.open(origin.url('hop0'))
    assert.equal(source.url, origin.url('hop0'))
    origin.forget()
    await source.read({ offset: 100_000, length: 10 })
    assert.equal(origin.requests.length, 1)
    origin.redirect('hop4', '/new')
    origin.put('new', patterned(200_000))
    for (const status of [401, 403, 404, 410]) {
      origin.answer('hop5', status)
      assert.equal((await source.read({ offset: 100_000, length: 10 })).length, 10)
      origin.answer('hop5', 302, { location: '/new' })
    }
  })

  test('fault 17: a loop of redirects ends', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.redirect('a', '/b')
    origin.redirect('b', '/a')
    await assert.rejects(sources.open(origin.url('a')), failure('source-unavailable'))
    assert.equal(origin.requests.length, 6)
  })

  test('a redirect without a place is source-unavailable', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.answer('a', 302)
    await assert.rejects(sources.open(origin.url('a')), failure('source-unavailable'))
  })

  test('no request carries credentials, cookies or a referrer', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.answer('a', 302, { location: '/b', 'set-cookie': 'a=b' })
    origin.put('b', patterned(10))
    await sources.openReference('b', origin.url('a'))
    await sources.open(origin.url('a'))
    for (const { headers } of origin.requests) {
      for (const name of ['authorization', 'cookie', 'referer', 'origin']) assert.equal(headers[name], undefined)
      assert.equal(headers['accept-encoding'], 'identity')
    }
  })
})

describe('references', () => {
  test('a reference counts from its document', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('dir/data.bin', patterned(10))
    assert.equal((await sources.openReference('data.bin', origin.url('dir/refs.json'))).size, 10)
  })

  test('GUARD-5: a remote document may not name local files', async (t) => {
    const { origin, sources } = await openWorld(t, { fileRoots: ['/'] })
    await assert.rejects(
      sources.openReference('file:///etc/passwd', origin.url('refs.json')),
      failure('source-forbidden'),
    )
  })
})
