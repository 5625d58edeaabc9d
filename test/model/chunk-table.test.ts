import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChunkRows } from '../../src/model/chunk-table.ts'

/** Each chunk says its position, and some have a mask. */
function tableOf(chunks: readonly number[], gridSize: number, offset = 1000) {
  const rows = new ChunkRows('offset', 'row', 'mask')
  chunks.forEach((position, row) => {
    rows.positions.push(position)
    rows.columns.offset.push(offset + position)
    rows.columns.row.push(row)
    rows.columns.mask.push(position === 7 ? 3 : 0)
  })
  const table = rows.table(gridSize)
  const at = (position: number) => {
    const place = table.placeOf(position)
    if (place === undefined) return undefined
    const { offset, row, mask } = table.columns
    return { offset: offset[place] ?? 0, row: row[place] ?? 0, mask: mask[place] ?? 0 }
  }
  return { table, at }
}

test('a full grid: every chunk is found, in whatever order they come, in few bytes each', () => {
  const positions = Array.from({ length: 1000 }, (_, i) => (i * 7) % 1000)
  const { table, at } = tableOf(positions, 1000, 2 ** 40)
  assert.equal(table.count, 1000)
  assert.equal(table.isComplete, true)
  for (const position of [0, 7, 500, 999]) {
    const row = positions.indexOf(position)
    assert.deepEqual(at(position), { offset: 2 ** 40 + position, row, mask: position === 7 ? 3 : 0 })
  }
  assert.ok(table.weight <= (8 + 2 + 1) * 1000 + 125)
})

test('a grid with holes: those that are there are found, those between and outside are not', () => {
  const positions = Array.from({ length: 800 }, (_, i) => 999 - i)
  const { table, at } = tableOf(positions, 1000)
  assert.equal(table.count, 800)
  assert.equal(table.isComplete, false)
  assert.deepEqual(
    [200, 999].map((position) => at(position)?.offset),
    [1200, 1999],
  )
  for (const position of [0, 199, 1000, 1003]) assert.equal(at(position), undefined)
})

test('a sparse grid takes what its chunks take, with positions beyond 32 bits', () => {
  const positions = [4e14, 3, 7, 1e10]
  const { table, at } = tableOf(positions, 5e14)
  for (const [row, position] of positions.entries()) assert.equal(at(position)?.row, row)
  for (const position of [0, 4, 1e10 - 1, 4e14 + 1]) assert.equal(at(position), undefined)
  assert.equal(table.count, 4)
  assert.ok(table.weight <= 4 * (8 + 8 + 1 + 1))
})

test('of chunks of one position the last counts, in a full grid and in a sparse one', () => {
  for (const gridSize of [6, 1000]) {
    const { table, at } = tableOf([5, 1, 5, 0, 1], gridSize)
    assert.equal(table.count, 3)
    assert.deepEqual(
      [0, 1, 5].map((position) => at(position)?.row),
      [3, 4, 2],
    )
  }
})

test('a column of zeros takes nothing, a position outside of the grid counts for nothing', () => {
  const rows = new ChunkRows('mask')
  for (const position of [0, 1, 2, 9]) {
    rows.positions.push(position)
    rows.columns.mask.push(0)
  }
  const table = rows.table(4)
  assert.equal(table.columns.mask.length, 0)
  assert.equal(table.count, 3)
  assert.equal(table.isComplete, false)
})

test('nothing at all: an empty grid is complete, any other is not', () => {
  assert.equal(new ChunkRows('offset').table(0).isComplete, true)
  const table = new ChunkRows('offset').table(1e15)
  assert.equal(table.isComplete, false)
  assert.equal(table.placeOf(0), undefined)
})
