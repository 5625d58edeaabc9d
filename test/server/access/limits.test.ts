import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RunningApp, runApp, storeUrlOf } from '../../helpers/app.ts'
import { netcdf3File } from '../../helpers/netcdf3-file.ts'
import { startOrigin } from '../../helpers/origin.ts'

const KEYS = { alice: 'alice-0123456789abcdef', bob: 'bob-0123456789abcdef' }
const KEY_LIST = Object.entries(KEYS).map(([name, key]) => `${name}:${key}`)

async function withApp(environment: Record<string, string>, use: (app: RunningApp) => Promise<void>): Promise<void> {
  const app = await runApp({ 'a.nc': netcdf3File({ rows: 4, columns: 3 }) }, environment)
  try {
    await use(app)
  } finally {
    await app.close()
  }
}

/** The statuses of so many requests, one after the other. */
async function statuses(app: RunningApp, count: number, headers: Record<string, string>, remoteAddress = '192.0.2.1') {
  const found: number[] = []
  for (let at = 0; at < count; at++)
    found.push((await app.http.inject({ url: '/openapi.json', headers, remoteAddress })).statusCode)
  return found
}

const counts = (found: readonly number[]) => [
  found.filter((status) => status === 200).length,
  found.filter((status) => status === 429).length,
]

test('PROC-2: a rate counts by address, and those of one IPv6 network are one', async () => {
  await withApp({ VZ_RATE_LIMIT: '5/h' }, async (app) => {
    assert.deepEqual(counts(await statuses(app, 7, {})), [5, 2])
    assert.deepEqual(counts(await statuses(app, 6, {}, '192.0.2.2')), [5, 1])
    assert.deepEqual(counts(await statuses(app, 3, {}, '2001:db8::1')), [3, 0])
    assert.deepEqual(counts(await statuses(app, 3, {}, '2001:db8::2')), [2, 1])
    const refused = await app.http.inject({ url: storeUrlOf(app, 'a.nc'), remoteAddress: '192.0.2.1' })
    assert.equal(refused.statusCode, 429)
    assert.equal(refused.json().type, '/problems/rate-limited')
    const seconds = Number(refused.headers['retry-after'])
    assert.ok(seconds > 600 && seconds <= 720, `${seconds} s until the next`)
    assert.equal(refused.headers['cache-control'], 'no-store')
    assert.equal((await app.http.inject({ url: '/health/ready', remoteAddress: '192.0.2.1' })).statusCode, 200)
  })
})

test('PROC-2: with a key the key is counted, wherever it asks from; wrong keys count for their address', async () => {
  await withApp({ VZ_RATE_LIMIT: '4/h', VZ_API_KEYS: KEY_LIST.join(',') }, async (app) => {
    const [alice, bob] = [{ 'x-api-key': KEYS.alice }, { 'x-api-key': KEYS.bob }]
    assert.deepEqual(await statuses(app, 3, alice), [200, 200, 200])
    assert.deepEqual(await statuses(app, 2, alice, '192.0.2.9'), [200, 429])
    assert.deepEqual(await statuses(app, 1, bob), [200])
    assert.deepEqual(await statuses(app, 6, { 'x-api-key': 'wrong-0123456789abcdef' }), [401, 401, 401, 401, 429, 429])
    const metrics = (await app.http.inject({ url: '/metrics', headers: bob })).body
    assert.match(metrics, /vz_refused_requests\{reason="rate",client="alice"\} 1\n/)
    assert.match(metrics, /vz_refused_requests\{reason="rate",client="address"\} 2\n/)
    assert.match(metrics, /vz_refused_requests\{reason="no-key",client="address"\} 4\n/)
  })
})

test('a client is who the trusted proxies say, counted from the right: what it wrote itself is not believed', async () => {
  const forwarded = (text: string) => ({ 'x-forwarded-for': text })
  const cases = [
    { trust: '', proxy: '192.0.2.1', same: ['1.1.1.1', '2.2.2.2'], other: undefined },
    { trust: 'true', proxy: '192.0.2.1', same: ['9.9.9.9, 1.1.1.1', '8.8.8.8, 1.1.1.1'], other: '9.9.9.9, 2.2.2.2' },
    {
      trust: '2',
      proxy: '192.0.2.1',
      same: ['9.9.9.9, 1.1.1.1, 10.0.0.1', '1.1.1.1, 10.0.0.2'],
      other: '2.2.2.2, 10.0.0.1',
    },
    {
      trust: '192.0.2.0/24,10.0.0.0/8',
      proxy: '192.0.2.1',
      same: ['9.9.9.9, 1.1.1.1, 10.0.0.1', '1.1.1.1'],
      other: '1.1.1.1, 2.2.2.2, 10.9.9.9',
    },
    { trust: '192.0.2.0/24', proxy: '198.51.100.1', same: ['1.1.1.1', '2.2.2.2'], other: undefined },
    // Some proxies write ports, or spell an address in another way.
    { trust: 'true', proxy: '192.0.2.1', same: ['1.1.1.1:5000', '1.1.1.1:5001'], other: '2.2.2.2:5000' },
    { trust: 'true', proxy: '192.0.2.1', same: ['[2001:db8::1]:80', '2001:DB8:0:0::9'], other: '[2001:db9::1]:80' },
    {
      trust: '192.0.2.0/24,10.0.0.0/8',
      proxy: '::ffff:192.0.2.1',
      same: ['1.1.1.1, 10.0.0.1:80', '9.9.9.9, 1.1.1.1:7, [::ffff:10.9.9.9]:80'],
      other: '2.2.2.2, 10.0.0.1:80',
    },
    {
      trust: '2001:db8::/32,::ffff:10.0.0.0/104',
      proxy: '2001:DB8:1::1',
      same: ['1.1.1.1, 10.0.0.1', '1.1.1.1, [2001:db8::7]:80'],
      other: '2.2.2.2, 10.0.0.1',
    },
  ]
  for (const { trust, proxy, same, other } of cases) {
    await withApp({ VZ_RATE_LIMIT: '2/h', VZ_TRUST_PROXY: trust }, async (app) => {
      const found = []
      for (const text of [...same, same[0] ?? '']) found.push(...(await statuses(app, 1, forwarded(text), proxy)))
      assert.deepEqual(found, [200, 200, 429], `trust ${trust}`)
      if (other !== undefined)
        assert.deepEqual(await statuses(app, 1, forwarded(other), proxy), [200], `trust ${trust}`)
    })
  }
})

test('parts that are closed answer 404 to everybody, however they are spelled', async () => {
  await withApp({ VZ_CLOSED_PATHS: 'metrics,inspect', VZ_API_KEYS: KEYS.alice }, async (app) => {
    const headers = { 'x-api-key': KEYS.alice }
    const url = encodeURIComponent(`file://${app.folder}/a.nc`)
    for (const path of [
      '/metrics',
      `/inspect?url=${url}`,
      `/inspect/chunks?url=${url}&array=temperature`,
      '/%6detrics',
      '/metrics?a=b',
    ]) {
      assert.equal((await app.http.inject({ url: path, headers })).statusCode, 404, path)
    }
    assert.equal((await app.http.inject({ url: `/resolve?url=${url}`, headers })).statusCode, 200)
  })
})

test('one client with hundreds of requests does not keep another from the same origin', async () => {
  const origin = await startOrigin()
  origin.put('a.nc', netcdf3File({ rows: 400, columns: 400 }))
  const environment = { VZ_ALLOW_SOURCES: origin.base, VZ_SOURCE_CONCURRENCY: '4' }
  try {
    await withApp(environment, async (app) => {
      const url = `${storeUrlOf(app, origin.url('a.nc'))}temperature/c/0/0`
      const ask = async (remoteAddress: string) => (await app.http.inject({ url, remoteAddress })).statusCode
      assert.equal(await ask('192.0.2.1'), 200)
      origin.latencyMs = 40
      const done: string[] = []
      const heavy = Array.from({ length: 200 }, async () =>
        done.push((await ask('192.0.2.1')) === 200 ? 'heavy' : 'failed'),
      )
      await new Promise((resolve) => setTimeout(resolve, 100))
      for (let at = 0; at < 5; at++) done.push((await ask('192.0.2.2')) === 200 ? 'light' : 'failed')
      const before = done.lastIndexOf('light')
      await Promise.all(heavy)
      assert.ok(!done.includes('failed'))
      // In a queue of all it would be behind two hundred each time.
      assert.ok(before < 100, `its five answers were among the first ${before}`)
    })
  } finally {
    await origin.close()
  }
})
