import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexOfPosition, orderByPosition } from '../../src/model/sorted-positions.ts'

test('every position is found where it stands, and those between and outside are not', () => {
  const positions = Float64Array.of(0, 3, 4, 9, 2 ** 40)
  assert.deepEqual(
    [0, 3, 4, 9, 2 ** 40].map((position) => indexOfPosition(positions, position)),
    [0, 1, 2, 3, 4],
  )
  for (const position of [-1, 1, 5, 2 ** 40 - 1, 2 ** 41]) assert.equal(indexOfPosition(positions, position), undefined)
  assert.equal(indexOfPosition(new Uint32Array(0), 0), undefined)
})

test('of those of one position the last counts', () => {
  assert.deepEqual([...orderByPosition([5, 1, 5, 0, 1])], [3, 4, 2])
  assert.deepEqual([...orderByPosition([1, 1])], [1])
})

test('what is in order stays', () => {
  assert.deepEqual([...orderByPosition(Float64Array.of(1, 2, 7))], [0, 1, 2])
  assert.deepEqual([...orderByPosition([])], [])
})
