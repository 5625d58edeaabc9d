import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestMetrics } from '../../src/server/requests.ts'

test('durations fall into cumulative buckets, a series for each route, method and status', () => {
  const metrics = requestMetrics()
  metrics.observe('/zarr/*', 'GET', 200, 0.5, 10)
  metrics.observe('/zarr/*', 'GET', 200, 30, 20)
  metrics.observe('/zarr/*', 'GET', 200, 60_000, 30)
  metrics.observe('/zarr/*', 'GET', 404, 1, 5)
  const text = metrics.text()
  const labels = 'route="/zarr/*",method="GET",status="200"'
  for (const line of [
    `vz_http_request_seconds_bucket{${labels},le="0.001"} 1`,
    `vz_http_request_seconds_bucket{${labels},le="0.05"} 2`,
    `vz_http_request_seconds_bucket{${labels},le="30"} 2`,
    `vz_http_request_seconds_bucket{${labels},le="+Inf"} 3`,
    `vz_http_request_seconds_count{${labels}} 3`,
    `vz_http_sent_bytes_total{${labels}} 60`,
    'vz_http_sent_bytes_total{route="/zarr/*",method="GET",status="404"} 5',
  ]) {
    assert.ok(text.includes(`${line}\n`), line)
  }
})
