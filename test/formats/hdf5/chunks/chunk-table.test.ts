import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChunkTableBuilder } from '../../../../src/formats/hdf5/chunks/chunk-table.ts'

function tableOf(positions: readonly number[], gridSize: number) {
  const builder = new ChunkTableBuilder()
  for (const position of positions) builder.add(position, 1000 + position, position + 1, position === 7 ? 3 : 0)
  return builder.finish(gridSize)
}

const chunkAt = (position: number) => ({ address: 1000 + position, size: position + 1, mask: position === 7 ? 3 : 0 })

test('a full grid takes twelve bytes a chunk, in whatever order the chunks come', () => {
  const positions = Array.from({ length: 1000 }, (_, i) => (i * 7) % 1000)
  const table = tableOf(positions, 1000)
  assert.equal(table.count, 1000)
  for (const position of [0, 7, 500, 999]) assert.deepEqual(table.at(position), chunkAt(position))
  assert.ok(table.weight <= 12 * 1000 + 100)
})

test('a sparse grid takes twenty bytes a chunk, and positions beyond 32 bits', () => {
  const positions = [4e14, 3, 7, 1e10]
  const table = tableOf(positions, 5e14)
  for (const position of positions) assert.deepEqual(table.at(position)?.address, 1000 + position)
  assert.equal(table.at(4), undefined)
  assert.equal(table.count, 4)
  assert.ok(table.weight <= 20 * 4 + 100)
})

test('a chunk that is listed twice is one chunk of a full grid', () => {
  assert.equal(tableOf([0, 1, 1, 2], 3).count, 3)
})
