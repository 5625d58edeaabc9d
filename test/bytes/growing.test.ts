import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GrowingNumbers } from '../../src/bytes/growing.ts'

test('numbers grow past four bytes each when one needs it, and none is lost', () => {
  const numbers = new GrowingNumbers()
  const all = Array.from({ length: 40 }, (_, i) => (i === 20 ? 2 ** 53 - 1 : i))
  for (const number of all.slice(0, 20)) numbers.push(number)
  assert.ok(numbers.view() instanceof Uint32Array)
  for (const number of all.slice(20)) numbers.push(number)
  assert.deepEqual([...numbers.view()], all)
  assert.equal(numbers.length, 40)
  assert.equal(numbers.at(20), 2 ** 53 - 1)
})
