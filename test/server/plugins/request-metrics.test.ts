import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { RequestMetrics } from '../../../src/server/plugins/request-metrics.ts'

const answer = (status: number, milliseconds: number, bytes: number) => ({
  route: '/zarr/*',
  request: { method: 'GET' },
  status,
  milliseconds,
  bytes,
})

test('durations fall into cumulative buckets, a series for each route, method and status', async () => {
  const registry = new Registry()
  const metrics = new RequestMetrics(registry)
  metrics.observe(answer(200, 0.5, 10))
  metrics.observe(answer(200, 30, 20))
  metrics.observe(answer(200, 60_000, 30))
  metrics.observe(answer(404, 1, 5))
  const lines = (await registry.metrics()).split('\n')
  const labels = 'route="/zarr/*",method="GET",status="200"'
  for (const line of [
    `vz_http_request_seconds_bucket{le="0.001",${labels}} 1`,
    `vz_http_request_seconds_bucket{le="0.05",${labels}} 2`,
    `vz_http_request_seconds_bucket{le="30",${labels}} 2`,
    `vz_http_request_seconds_bucket{le="+Inf",${labels}} 3`,
    `vz_http_request_seconds_count{${labels}} 3`,
    `vz_http_sent_bytes_total{${labels}} 60`,
    'vz_http_sent_bytes_total{route="/zarr/*",method="GET",status="404"} 5',
  ]) {
    assert.ok(lines.includes(line), `${line} is not among\n${lines.join('\n')}`)
  }
})
