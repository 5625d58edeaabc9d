import { type ErrorContext, malformed } from '../../errors.ts'
import { type ChunkIndex, gridShapeOf } from '../../model/chunk-index.ts'
import { type ChunkRef, MISSING } from '../../model/chunk-ref.ts'
import { runRange } from '../../model/run-chunks.ts'

/** Values that lie together in C order: in one run of a file, or in pieces of several. */
export interface RunPlace {
  readonly shape: readonly number[]
  readonly chunkShape: readonly number[]
  readonly itemSize: number
  /** The stored bytes from an offset of the values on; throws where the file does not have them. */
  refAt(offset: number, length: number): ChunkRef
}

/** Chunks of such values, found by arithmetic: a chunk is one run, since only leading axes are cut. */
export function runIndex(place: RunPlace): ChunkIndex {
  const { shape, chunkShape, itemSize } = place
  return {
    gridShape: gridShapeOf(shape, chunkShape),
    at(coords) {
      const { offset, length } = runRange(shape, chunkShape, itemSize, coords)
      return place.refAt(offset, length)
    },
    isComplete: () => true,
    weight: () => 600,
  }
}

/** An array of which nothing was ever written. */
export function missingIndex(shape: readonly number[], chunkShape: readonly number[]): ChunkIndex {
  const gridShape = gridShapeOf(shape, chunkShape)
  return { gridShape, at: () => MISSING, isComplete: () => gridShape.includes(0), weight: () => 300 }
}

/** The bytes of a compact dataset, which are in its object header. */
export function inlineIndex(shape: readonly number[], chunkShape: readonly number[], bytes: Uint8Array): ChunkIndex {
  const gridShape = gridShapeOf(shape, chunkShape)
  const isEmpty = gridShape.includes(0)
  return {
    gridShape,
    at: () => (isEmpty ? MISSING : { kind: 'inline', bytes, encoding: 0, source: 0 }),
    isComplete: () => true,
    weight: () => bytes.length + 300,
  }
}

/** Bytes of one run of the parsed file; `end` is the file's. */
export function runInFile(start: number, end: number, place: ErrorContext): RunPlace['refAt'] {
  return (offset, length) => {
    if (start + offset + length > end) {
      throw malformed(`the values end at byte ${start + offset + length} of a file of ${end} bytes`, {
        ...place,
        offset: start,
      })
    }
    return { kind: 'range', source: 0, offset: start + offset, length, encoding: 0 }
  }
}
