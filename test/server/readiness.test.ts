import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryBound, memoryWatch } from '../../src/server/readiness.ts'

test('the bound is what the operator sets, else nine tenths of the container, else none', () => {
  assert.equal(memoryBound(1000, 5000, 9000), 1000)
  assert.equal(memoryBound(0, 5000, 9000), 0)
  assert.equal(memoryBound(undefined, 5000, 9000), 4500)
  assert.equal(memoryBound(undefined, 9000, 9000), 0)
  assert.equal(memoryBound(undefined, 0, 9000), 0)
})

test('the service is not ready once its memory was over the bound for 30 seconds, and ready again when it is not', () => {
  let [bytes, milliseconds] = [900, 5000]
  const isWithin = memoryWatch(1000, { residentBytes: () => bytes, now: () => milliseconds })
  const after = (seconds: number, resident: number) => {
    milliseconds += seconds * 1000
    bytes = resident
    return isWithin()
  }
  assert.equal(after(0, 900), true)
  assert.equal(after(10, 1001), true)
  assert.equal(after(29, 2000), true)
  assert.equal(after(2, 1001), false)
  assert.equal(after(1, 1000), true)
  // It begins anew.
  assert.equal(after(60, 2000), true)
  assert.equal(after(31, 2000), false)
  assert.equal(after(58, 2000), false)
  // Requests come again, which make V8 collect garbage; if that doesn't help, it begins anew.
  assert.equal(after(2, 2000), true)
  assert.equal(after(29, 2000), true)
  assert.equal(after(2, 2000), false)
  assert.equal(memoryWatch(0, { residentBytes: () => 1e12, now: () => 0 })(), true)
})
