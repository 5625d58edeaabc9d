import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linearIndex } from '../../../../src/formats/hdf5/chunks/linear.ts'
import { coordinates } from '../../../corpus/values.ts'

function orderOf(gridShape: readonly number[], mostChunks: readonly (number | undefined)[]) {
  return linearIndex({ gridShape, mostChunks, chunkShape: gridShape.map(() => 1), chunkBytes: 1, isFiltered: false })
}

test('chunks are numbered over the largest grid, not over the one that is there', () => {
  const order = orderOf([2, 3], [10, 5])
  assert.equal(order.indexOf([1, 2]), 7)
  assert.equal(order.positionOf(7), 5)
  assert.equal(order.positionOf(3), undefined, 'column 3 is not there (yet)')
})

test('the unlimited dimension goes first, wherever it is', () => {
  const order = orderOf([4, 6, 2], [4, undefined, 2])
  assert.equal(order.indexOf([1, 0, 0]), 2)
  assert.equal(order.indexOf([0, 1, 0]), 8)
})

test('numbers and positions are each other back', () => {
  for (const most of [
    [3, 4, 5],
    [undefined, 4, 5],
    [3, undefined, 5],
    [3, 4, undefined],
  ]) {
    const order = orderOf([3, 4, 5], most)
    let position = 0
    for (const coords of coordinates([3, 4, 5]))
      assert.equal(order.positionOf(order.indexOf(coords)), position++, `${most}`)
  }
})
