import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bitsAt, integerBits, uintAt } from '../../src/bytes/integers.ts'

const BYTES = Uint8Array.of(0xff, 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0)

test('integers of any width, from any place, in both byte orders', () => {
  assert.equal(uintAt(BYTES, 1, 3, 'big'), 0x123456)
  assert.equal(uintAt(BYTES, 1, 3, 'little'), 0x563412)
  assert.equal(uintAt(BYTES, 0, 6, 'little'), 0x9a78563412ff)
  assert.equal(bitsAt(BYTES, 1, 8, 'big'), 0x123456789abcdef0n)
  assert.equal(bitsAt(BYTES, 1, 8, 'little'), 0xf0debc9a78563412n)
})

test('bits within others, with a sign and without', () => {
  assert.equal(integerBits(0b1011_0110n, 1, 3, false), 0b011n)
  assert.equal(integerBits(0b1011_0110n, 4, 4, false), 0b1011n)
  assert.equal(integerBits(0b1011_0110n, 4, 4, true), -5n)
})
