import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { inParallel } from '../src/in-parallel.ts'

test('work in parallel: results in the order of the items, so many under way at a time', async () => {
  let underWay = 0
  let most = 0
  const results = await inParallel([5, 1, 4, 2, 3], 2, async (item, index) => {
    most = Math.max(most, ++underWay)
    for (let turn = 0; turn < item; turn++) await setImmediate()
    underWay--
    return `${index}:${item}`
  })
  assert.deepEqual(results, ['0:5', '1:1', '2:4', '3:2', '4:3'])
  assert.equal(most, 2)
})

test('work in parallel: items are made when they are taken, and none after a failure', async () => {
  const made: number[] = []
  function* items() {
    for (let item = 0; item < 100; item++) {
      made.push(item)
      yield item
    }
  }
  const work = inParallel(items(), 3, async (item) => {
    await setImmediate()
    if (item === 4) throw new Error('the fifth')
  })
  await assert.rejects(work, /the fifth/)
  for (let turn = 0; turn < 10; turn++) await setImmediate()
  assert.ok(made.length < 12, `${made.length} items made`)
})
