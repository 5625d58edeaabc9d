import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownBytes } from '../../src/bytes/own.ts'

test('short bytes that are part of more are copied out of it', () => {
  const common = new Uint8Array(65_536).fill(7)
  const own = ownBytes(common.subarray(8, 24))
  assert.equal(own.buffer.byteLength, 16)
  assert.deepEqual([...own], new Array(16).fill(7))
})

test('bytes that have their memory to themselves are not copied', () => {
  const bytes = new Uint8Array(16)
  assert.equal(ownBytes(bytes), bytes)
})

test('long bytes are copied where they leave much of their memory unused, and nowhere else', () => {
  const memory = new Uint8Array(5 * 2 ** 20)
  const most = memory.subarray(0, 4 * 2 ** 20)
  assert.equal(ownBytes(most), most)
  assert.equal(ownBytes(memory.subarray(0, 4 * 2 ** 20 - 1)).buffer.byteLength, 4 * 2 ** 20 - 1)
})
