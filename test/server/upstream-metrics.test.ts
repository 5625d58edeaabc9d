import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { UpstreamMetrics } from '../../src/server/upstream-metrics.ts'
import { openSources } from '../../src/source/open.ts'
import { DEFAULT_SOURCE_SETTINGS } from '../../src/source/settings.ts'
import { startOrigin } from '../helpers/origin.ts'

async function textOf(metrics: UpstreamMetrics): Promise<string> {
  const registry = new Registry()
  metrics.register(registry)
  return await registry.metrics()
}

/** Requests, by host and outcome. */
async function countsOf(metrics: UpstreamMetrics): Promise<Record<string, number>> {
  const lines = (await textOf(metrics)).matchAll(/^vz_upstream_requests_total\{host="(.*)",outcome="(.*)"\} (\d+)$/gm)
  return Object.fromEntries([...lines].map(([, host, outcome, count]) => [`${host} ${outcome}`, Number(count)]))
}

test('what becomes of requests to origins is counted by host and outcome, each attempt for itself', async (t) => {
  const origin = await startOrigin()
  const metrics = new UpstreamMetrics([])
  const retry = { attempts: 2, baseDelayMs: 1 }
  const sources = openSources(
    { ...DEFAULT_SOURCE_SETTINGS, allow: [origin.base], retry },
    { tallyOf: (hostname) => metrics.tallyOf(hostname) },
  )
  t.after(async () => {
    await sources.close()
    await origin.close()
  })
  origin.put('a', new Uint8Array(100))
  await sources.open(origin.url('a'))
  await assert.rejects(sources.open(origin.url('missing')))
  origin.fault({ kind: 'status', status: 500 }, 1)
  origin.fault({ kind: 'reset' }, 1)
  await assert.rejects(sources.open(origin.url('a')))
  origin.fault({ kind: 'stall' }, 1)
  await assert.rejects(sources.open(origin.url('a'), { signal: AbortSignal.timeout(50) }))
  assert.deepEqual(await countsOf(metrics), {
    '127.0.0.1 2xx': 1,
    '127.0.0.1 4xx': 1,
    '127.0.0.1 5xx': 1,
    '127.0.0.1 failed': 1,
    '127.0.0.1 given-up': 1,
  })
  const [, seconds] =
    /^vz_upstream_seconds_total\{host="127.0.0.1",outcome="given-up"\} (.*)$/m.exec(await textOf(metrics)) ?? []
  assert.ok(Number(seconds) > 0, seconds)
})

test('hosts that strangers choose are told by name up to a bound, those of the operator always', async () => {
  const metrics = new UpstreamMetrics(['own.example'])
  for (let host = 0; host < 60; host++) metrics.tallyOf(`host-${host}.example`).failed.count++
  metrics.tallyOf('own.example').failed.count++
  const counts = await countsOf(metrics)
  assert.equal(Object.keys(counts).length, 52)
  assert.equal(counts['other failed'], 10)
  assert.equal(counts['own.example failed'], 1)
})
