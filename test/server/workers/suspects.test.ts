import assert from 'node:assert/strict'
import { test } from 'node:test'
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
