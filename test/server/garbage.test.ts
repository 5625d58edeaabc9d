import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { collectYoungGarbage } from '../../src/server/garbage.ts'

test('buffers that are let go are given back by a look at what is young', async () => {
  // So few that nothing is looked for while they are made: what lives then is old.
  const made = () => Array.from({ length: 8 }, () => Buffer.alloc(2 ** 20)).length
  collectYoungGarbage()
  const before = process.memoryUsage().arrayBuffers
  assert.equal(made(), 8)
  assert.ok(process.memoryUsage().arrayBuffers >= before + 2 ** 22, 'they were found before')
  // They are given back by a thread, and what was made while one look was under way is found by the next.
  const deadline = performance.now() + 5000
  while (process.memoryUsage().arrayBuffers > before + 2 ** 21) {
    assert.ok(performance.now() < deadline, 'they are still there')
    collectYoungGarbage()
    await setTimeout(10)
  }
})
