import assert from 'node:assert/strict'
import test from 'node:test'
import { runsOfRanges } from '../../src/bytes/byte-range.ts'

const limits = { mostGap: 10, mostBytes: 100 }

test('ranges that lie close together are read as one, in the order of their offsets; empty ones are in none', () => {
  const ranges = [
    { offset: 60, length: 5 },
    { offset: 0, length: 20 },
    { offset: 25, length: 0 },
    { offset: 30, length: 10 },
    { offset: 5, length: 5 },
  ]
  assert.deepEqual(runsOfRanges(ranges, limits), [
    { offset: 0, length: 40, places: [1, 4, 3] },
    { offset: 60, length: 5, places: [0] },
  ])
})

test('ranges are joined up to a gap and up to a length, which one range alone may pass', () => {
  const gap = (bytes: number) =>
    runsOfRanges(
      [
        { offset: 0, length: 10 },
        { offset: 10 + bytes, length: 10 },
      ],
      limits,
    )
  assert.equal(gap(10).length, 1)
  assert.equal(gap(11).length, 2)
  const long = (length: number) =>
    runsOfRanges(
      [
        { offset: 0, length },
        { offset: length, length: 1 },
      ],
      limits,
    )
  assert.equal(long(99).length, 1)
  assert.deepEqual(long(200), [
    { offset: 0, length: 200, places: [0] },
    { offset: 200, length: 1, places: [1] },
  ])
})
