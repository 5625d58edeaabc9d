import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeSnappy } from '../../../src/codecs/kernels/snappy.ts'

function decoded(hex: string, length: number): string {
  const target = new Uint8Array(length)
  return Buffer.from(target.subarray(0, decodeSnappy(Buffer.from(hex, 'hex'), target))).toString('latin1')
}

// Elements as format_description.txt of Snappy defines them: a tag, then what the tag says.
const LITERAL_ABCD = '0c61626364'
const COPY_4_BACK_4 = '0104' // one-byte offset: length 4, distance 4
const COPY_5_BACK_2 = '120200' // two-byte offset: length 5, distance 2
const COPY_6_BACK_1 = '1701000000' // four-byte offset: length 6, distance 1

test('literals and the three kinds of copies, overlapping ones too', () => {
  assert.equal(decoded(`13${LITERAL_ABCD}${COPY_4_BACK_4}${COPY_5_BACK_2}${COPY_6_BACK_1}`, 19), 'abcdabcdcdcdccccccc')
})

test('a long literal has its length in bytes of its own', () => {
  const text = 'x'.repeat(100)
  assert.equal(decoded(`64f063${Buffer.from(text).toString('hex')}`, 100), text)
})

test('streams that run past an end, or refer to before the beginning, are malformed', () => {
  for (const hex of [
    '',
    '05',
    '050c6162',
    `08${LITERAL_ABCD}0105`,
    `04${LITERAL_ABCD}${COPY_4_BACK_4}`,
    `09${LITERAL_ABCD}${COPY_4_BACK_4}`,
    'ffffffffff7f00',
  ]) {
    assert.throws(() => decoded(hex, 20), { code: 'malformed-source' }, hex)
  }
})
