import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gridPosition } from '../../src/model/chunk-index.ts'
import { elementCount } from '../../src/model/shape.ts'
import { slabsOf } from '../../src/service/export/icechunk/slabs.ts'

test('a grid is cut into boxes that are runs in C order, none too large, and nothing is left out', () => {
  for (const shape of [[], [1], [7], [10, 3], [3, 10], [2, 3, 4], [1, 1, 9], [4, 1, 5], [0, 3]]) {
    for (const most of [1, 2, 4, 5, 100]) {
      let next = 0
      for (const { first, end, extents } of slabsOf(shape, most)) {
        assert.equal(first, next, `${shape} by ${most}`)
        assert.ok(end - first <= most && end > first)
        assert.equal(elementCount(extents.map(([from, to]) => to - from)), end - first)
        const corner = extents.map(([from]) => from)
        const last = extents.map(([, to]) => to - 1)
        assert.deepEqual([gridPosition(corner, shape), gridPosition(last, shape)], [first, end - 1])
        next = end
      }
      assert.equal(next, elementCount(shape), `${shape} by ${most}`)
    }
  }
})
