import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flagAttributes, isBooleanEnum } from '../../../src/formats/hdf5-elements/enumerations.ts'
import { packedRecord, recordEncoding } from '../../../src/formats/hdf5-elements/records.ts'
import { rawEncoding } from '../../../src/model/encoding.ts'

const run = (offset: number, size: number, count = 1, isBig = false) => ({ offset, size, count, isBig })

test('records without gaps, in one byte order, are plain bytes; single bytes are of any order', () => {
  assert.deepEqual(recordEncoding(6, [run(0, 4), run(4, 1, 2)]), rawEncoding('little'))
  assert.deepEqual(recordEncoding(6, [run(0, 4, 1, true), run(4, 1, 2)]), rawEncoding('big'))
  assert.deepEqual(recordEncoding(2, [run(0, 1, 2, true)]), rawEncoding('little'))
})

test('gaps, fields in another order and mixed byte orders are packed', () => {
  const isRepacked = (size: number, ...runs: ReturnType<typeof run>[]) =>
    recordEncoding(size, runs)[0]?.name === 'vz.repack'
  assert.ok(isRepacked(8, run(0, 4), run(4, 2)))
  assert.ok(isRepacked(8, run(0, 2), run(4, 4)))
  assert.ok(isRepacked(6, run(2, 4), run(0, 2)))
  assert.ok(isRepacked(6, run(0, 4, 1, true), run(4, 2)))
})

test('one record is packed as its codec packs it', () => {
  const record = Uint8Array.of(1, 2, 9, 9, 3, 4, 5, 6)
  assert.deepEqual([...packedRecord(record, [run(0, 2), run(4, 2, 2, true)])], [1, 2, 4, 3, 6, 5])
})

test('an enumeration of FALSE and TRUE in one byte is boolean, whatever their order', () => {
  assert.ok(isBooleanEnum(['FALSE', 'TRUE'], [0, 1], 1))
  assert.ok(isBooleanEnum(['TRUE', 'FALSE'], [1n, 0n], 1))
  assert.ok(!isBooleanEnum(['FALSE', 'TRUE'], [1, 0], 1))
  assert.ok(!isBooleanEnum(['FALSE', 'TRUE'], [0, 0, 1, 0], 2))
  assert.ok(!isBooleanEnum(['NO', 'YES'], [0, 1], 1))
  assert.ok(!isBooleanEnum(['FALSE', 'TRUE', 'MAYBE'], [0, 1, 2], 1))
})

test('any other is said by flags, with no blanks within their words', () => {
  assert.deepEqual(flagAttributes(['clear sky', 'cloud'], [0, 3]), [
    ['flag_values', [0, 3]],
    ['flag_meanings', 'clear_sky cloud'],
  ])
})
