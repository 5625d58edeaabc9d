import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gridOfRuns, Runs } from '../../src/model/runs.ts'

/** Pieces of one file: [offset, length], or the length of what was never written. */
function runsOf(...pieces: readonly (readonly [number, number] | number)[]): Runs {
  const runs = new Runs()
  for (const piece of pieces) {
    if (typeof piece === 'number') runs.add({ kind: 'missing' }, piece)
    else runs.add({ kind: 'range', source: 0, offset: piece[0] }, piece[1])
  }
  return runs
}

describe('a grid in which each chunk is one piece of the file', () => {
  test('records that lie apart: one chunk a record', () => {
    const grid = gridOfRuns(runsOf([100, 24], [200, 24], [300, 24]), [3, 2, 3], 4)
    assert.deepEqual(grid?.chunkShape, [1, 2, 3])
    assert.deepEqual(grid?.chunks.at([2, 0, 0]), { kind: 'range', source: 0, offset: 300, length: 24, encoding: 0 })
  })

  test('records of some pieces each, and those that follow each other', () => {
    assert.deepEqual(gridOfRuns(runsOf([0, 8], [100, 8], [200, 8], [300, 8]), [2, 4], 4)?.chunkShape, [1, 2])
    assert.deepEqual(gridOfRuns(runsOf([0, 16], [16, 16], [100, 32]), [4, 4], 4)?.chunkShape, [2, 4])
    assert.deepEqual(gridOfRuns(runsOf([0, 12], [100, 4]), [4], 4)?.chunkShape, [1])
  })

  test('values that lie together and whose length has no divisors are one chunk, however long', () => {
    const prime = 5_000_011
    assert.deepEqual(gridOfRuns(runsOf([8, prime * 8]), [prime], 8)?.chunkShape, [prime])
    assert.deepEqual(gridOfRuns(runsOf([8, prime * 16]), [prime, 2], 8)?.chunkShape, [prime, 2])
  })

  test('long values are cut where lengths divide', () => {
    assert.deepEqual(gridOfRuns(runsOf([0, 8 * 2 ** 22]), [2 ** 22], 8)?.chunkShape, [2 ** 19])
    assert.deepEqual(gridOfRuns(runsOf([0, 1009 * 80_000]), [1009, 10_000], 8)?.chunkShape, [1, 10_000])
  })

  test('what was never written has chunks of its own', () => {
    const grid = gridOfRuns(runsOf([0, 8], 8, [8, 8]), [6], 4)
    assert.deepEqual(grid?.chunkShape, [2])
    assert.deepEqual(grid?.chunks.at([1]), { kind: 'missing' })
    assert.deepEqual(grid?.chunks.at([2]), { kind: 'range', source: 0, offset: 8, length: 8, encoding: 0 })
  })

  test('pieces that end within a value have no grid', () => {
    assert.equal(gridOfRuns(runsOf([0, 6], [100, 10]), [4], 4), undefined)
  })

  test('a scalar', () => {
    const grid = gridOfRuns(runsOf([40, 4]), [], 4)
    assert.deepEqual(grid?.chunkShape, [])
    assert.deepEqual(grid?.chunks.at([]), { kind: 'range', source: 0, offset: 40, length: 4, encoding: 0 })
  })
})
