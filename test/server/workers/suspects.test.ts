import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeMetrics } from '../../../src/server/workers/merge-metrics.ts'
import { Suspects } from '../../../src/server/workers/suspects.ts'

test('a source that was alone when a worker died is refused, longer each time', () => {
  const suspects = new Suspects()
  assert.deepEqual(suspects.died(['bad'], 0), [['bad', 60_000]])
  assert.deepEqual(suspects.refused(59_999), [['bad', 60_000]])
  assert.deepEqual(suspects.refused(60_000), [])
  // It has been known before: two deaths with another are enough.
  assert.deepEqual(suspects.died(['bad', 'good'], 61_000), [['bad', 61_000 + 120_000]])
  for (let at = 0; at < 10; at++) suspects.died(['bad'], 200_000)
  assert.deepEqual(suspects.refused(200_000), [['bad', 200_000 + 3_600_000]])
})

test('of several the one that is always among them is found, and the others go on', () => {
  const suspects = new Suspects()
  const refused = [1, 2, 3].flatMap((round) => suspects.died(['bad', `good ${round}`, `fine ${round}`], round))
  assert.deepEqual(
    refused.map(([source]) => source),
    ['bad'],
  )
})

test('a death without anything being opened blames nobody, and what was long ago is forgotten', () => {
  const suspects = new Suspects()
  assert.deepEqual(suspects.died([], 0), [])
  suspects.died(['a', 'b'], 0)
  assert.deepEqual(suspects.died(['a', 'c'], 3 * 3_600_000), [])
})

test('metrics of several processes are those of one: sums, but for times and versions', () => {
  const one = `# HELP vz_opens Opens
# TYPE vz_opens gauge
vz_opens 3
# HELP process_start_time_seconds Start
# TYPE process_start_time_seconds gauge
process_start_time_seconds 100
# TYPE nodejs_version_info gauge
nodejs_version_info{version="v24.1.0"} 1
# TYPE h histogram
h_bucket{route="/zarr/* x",le="+Inf"} 2
h_sum{route="/zarr/* x"} 0.25
`
  const other = `# TYPE vz_opens gauge
vz_opens 4
process_start_time_seconds 90
nodejs_version_info{version="v24.1.0"} 1
h_bucket{route="/zarr/* x",le="+Inf"} 5
h_bucket{route="/new",le="+Inf"} 1
h_sum{route="/zarr/* x"} 0.5
`
  const lines = mergeMetrics([one, other]).trim().split('\n')
  for (const line of [
    'vz_opens 7',
    'process_start_time_seconds 90',
    'nodejs_version_info{version="v24.1.0"} 1',
    'h_bucket{route="/zarr/* x",le="+Inf"} 7',
    'h_bucket{route="/new",le="+Inf"} 1',
    'h_sum{route="/zarr/* x"} 0.75',
  ])
    assert.equal(lines.filter((found) => found === line).length, 1, line)
  assert.equal(lines.filter((line) => line.startsWith('# HELP vz_opens')).length, 1)
})
