import { type ChunkIndex, gridCoordinates, gridPosition } from '../model/chunk-index.ts'
import { elementCount } from '../model/shape.ts'

/** Chunks whose places were not in memory when they were asked for: what tells how an index is walked through. */
interface Misses {
  /** Where the last one was, and how far parts of the index were looked up beyond it. */
  position: number
  end: number
  /** Chunks from one part of the index to the next. */
  stride: number
  parts: number
  at: number
  isReading: boolean
}

/** Most parts of an index that are looked up at once. */
const MOST_PARTS = 32
/** A part of more chunks is long, and its round little beside what is read of them. */
const MOST_STRIDE = 2048
/** Who comes later begins anew. */
const REST_MS = 2000

const missesOf = new WeakMap<ChunkIndex, Misses>()

/**
 * An index that is read part by part costs a round for each. Where chunks are asked for one after the other, so that one part
 * of it after the other is missing, those that come next are looked up along with the one that is needed: four of them first, then more.
 */
export function readIndexAhead(chunks: ChunkIndex, coords: readonly number[], found: Promise<unknown>): void {
  const grid = chunks.gridShape
  const position = gridPosition(coords, grid)
  const misses = missesOf.get(chunks) ?? { position, end: position, stride: 0, parts: 0, at: 0, isReading: false }
  // Others that wait for the same part.
  if (misses.isReading) return
  missesOf.set(chunks, misses)
  const now = performance.now()
  const stride = position - (position > misses.end ? misses.end : misses.position)
  const isNext = stride > 0 && stride <= MOST_STRIDE && now - misses.at < REST_MS
  const parts = isNext ? Math.min(Math.max(misses.parts, 1) * 4, MOST_PARTS) : 0
  Object.assign(misses, { position, end: position + parts * stride, stride, parts, at: now, isReading: true })
  const settled = () => {
    misses.isReading = false
  }
  found.then(settled, settled)
  const count = elementCount(grid)
  for (let part = 1; part <= parts && position + part * stride < count; part++) {
    void lookUp(chunks, gridCoordinates(position + part * stride, grid))
  }
}

async function lookUp(chunks: ChunkIndex, coords: readonly number[]): Promise<void> {
  try {
    await chunks.at(coords)
  } catch {
    // Whoever asks for this chunk is told what is wrong with it.
  }
}
