import { gridCoordinates } from '../model/chunk-index.ts'
import { elementCount } from '../model/shape.ts'

/** Most chunks of one array that are compared: a report is read by people, and kept. */
const MOST_CHUNKS = 100_000

/**
 * Places in a grid, so large a part of it (0 to 1): the corners first, where cut and padded chunks are, and others spread evenly
 * over the rest. The same part of the same grid is the same chunks, so that reports can be compared.
 */
export function* sampledChunks(gridShape: readonly number[], part: number): Generator<readonly number[]> {
  const total = elementCount(gridShape)
  if (total === 0) return
  const count = Math.min(MOST_CHUNKS, total, Math.max(Math.min(total, 4), Math.ceil(total * part)))
  const ends = new Set([0, total - 1])
  for (const position of ends) yield gridCoordinates(position, gridShape)
  const step = total / count
  for (let index = 0; index < count; index++) {
    const position = Math.floor(index * step + step / 2)
    if (!ends.has(position)) yield gridCoordinates(position, gridShape)
  }
}

/** How many those are, at most. */
export function sampleCount(gridShape: readonly number[], part: number): number {
  return [...sampledChunks(gridShape, part)].length
}
