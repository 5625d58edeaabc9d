import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readIndexAhead } from '../../src/delivery/index-ahead.ts'
import { type ChunkIndex, gridPosition } from '../../src/model/chunk-index.ts'
import { MISSING } from '../../src/model/chunk-ref.ts'

const GRID = [40, 50]
const PART = 64

/** An index in parts of 64 chunks, each read when one of its chunks is asked for. */
function indexInParts(fails = false) {
  const there = new Set<number>()
  const reads: number[] = []
  const chunks: ChunkIndex = {
    gridShape: GRID,
    at(coords) {
      const part = Math.floor(gridPosition(coords, GRID) / PART)
      if (there.has(part)) return MISSING
      reads.push(part)
      return new Promise((resolve, reject) => {
        setImmediate(() => {
          if (fails) reject(new Error('no such part'))
          there.add(part)
          resolve(MISSING)
        })
      })
    },
    weight: () => 0,
  }
  return { chunks, reads }
}

/** Asks for chunks so many at a time; the rounds in which somebody had to wait. */
async function rounds(chunks: ChunkIndex, positions: readonly number[], atOnce = 10): Promise<number> {
  let count = 0
  for (let first = 0; first < positions.length; first += atOnce) {
    const waits = positions.slice(first, first + atOnce).flatMap((position) => {
      const coords = [Math.floor(position / 50), position % 50]
      const found = chunks.at(coords)
      if (!(found instanceof Promise)) return []
      readIndexAhead(chunks, coords, found)
      return [found]
    })
    if (waits.length > 0) count++
    await Promise.allSettled(waits)
    await new Promise(setImmediate)
  }
  return count
}

const all = Array.from({ length: 2000 }, (_, position) => position)

test('who asks for all chunks in their order waits for few parts of the index', async () => {
  const { chunks, reads } = indexInParts()
  assert.ok((await rounds(chunks, all)) <= 5)
  assert.equal(new Set(reads).size, Math.ceil(2000 / PART))
  assert.ok(reads.length < 2 * Math.ceil(2000 / PART), `${reads.length} reads`)
})

test('who asks for some chunks here and there, or again, waits for each part, and no other is read', async () => {
  for (const positions of [[5], [5, 1500], all.filter((position) => position < 60), [1900, 1200, 700, 300, 5]]) {
    const { chunks, reads } = indexInParts()
    await rounds(chunks, positions, 1)
    assert.deepEqual(new Set(reads), new Set(positions.map((position) => Math.floor(position / PART))))
  }
})

test('parts that can not be read fail the chunks that need them, and nothing else', async () => {
  const { chunks } = indexInParts(true)
  assert.ok((await rounds(chunks, all.slice(0, 500))) > 0)
})
