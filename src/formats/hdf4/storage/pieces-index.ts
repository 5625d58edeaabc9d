import type { ByteRange } from '../../../bytes/byte-range.ts'
import { malformed } from '../../../errors.ts'
import type { ChunkIndex } from '../../../model/chunk-index.ts'
import { gridShapeOf } from '../../../model/chunk-index.ts'
import type { ChunkRef } from '../../../model/chunk-ref.ts'
import { recipe } from '../../../model/recipe.ts'
import { runRange } from '../../../model/run-chunks.ts'
import { checkInside, type Hdf4File } from '../structures/hdf4-file.ts'
import { readPieces } from '../structures/read-elements.ts'
import { lengthOf, type Piece } from '../structures/stored.ts'

/** Values in C order, in one piece or several. */
export interface PiecesInput {
  readonly file: Hdf4File
  readonly pieces: readonly Piece[]
  readonly shape: readonly number[]
  readonly chunkShape: readonly number[]
  readonly itemSize: number
}

interface WholeInput extends Pick<PiecesInput, 'file' | 'pieces'> {
  readonly rank: number
}

/** All pieces as one chunk. */
export const wholeIndex = recipe(
  'hdf4.whole',
  ({ file, pieces, rank }: WholeInput): ChunkIndex => ({
    gridShape: new Array<number>(rank).fill(1),
    at: (_, signal) => refOfPieces(file, pieces, { signal }),
    isComplete: () => true,
    weight: () => 400 + 100 * pieces.length,
  }),
)

/** Chunks of such values: arithmetic over the pieces, since only leading axes are cut. */
export const piecesIndex = recipe(
  'hdf4.pieces',
  ({ file, pieces, shape, chunkShape, itemSize }: PiecesInput): ChunkIndex => {
    const starts = startsOf(pieces)
    const total = lengthOf(pieces)
    const refAt = (run: ByteRange, signal: AbortSignal | undefined): ChunkRef | Promise<ChunkRef> => {
      if (run.offset + run.length > total) {
        throw malformed(`the chunk ends at byte ${run.offset + run.length} of values of ${total} bytes`, {
          url: file.source.url,
          format: 'hdf4',
        })
      }
      return refOfPieces(file, piecesOfRun(pieces, starts, run), { signal })
    }
    return {
      gridShape: gridShapeOf(shape, chunkShape),
      at: (coords, signal) => refAt(runRange(shape, chunkShape, itemSize, coords), signal),
      isComplete: () => true,
      weight: () => 400 + 100 * pieces.length,
    }
  },
)

/** The bytes of pieces as a chunk; where nobody wrote some of them, those are zeros. */
export function refOfPieces(
  file: Hdf4File,
  parts: readonly Piece[],
  options: { readonly signal?: AbortSignal | undefined },
): ChunkRef | Promise<ChunkRef> {
  const ranges: ByteRange[] = []
  for (const { offset, length } of parts) {
    if (offset === undefined) return inlineOf(file, parts, options)
    checkInside(file, { offset, length }, 'a piece of the values')
    ranges.push({ offset, length })
  }
  const [first] = ranges
  if (first === undefined) return { kind: 'inline', bytes: new Uint8Array(0), encoding: 0 }
  return ranges.length === 1
    ? { kind: 'range', source: 0, ...first, encoding: 0 }
    : { kind: 'ranges', source: 0, parts: ranges, encoding: 0 }
}

async function inlineOf(
  file: Hdf4File,
  parts: readonly Piece[],
  options: { readonly signal?: AbortSignal | undefined },
): Promise<ChunkRef> {
  return { kind: 'inline', bytes: await readPieces(file, parts, options), encoding: 0 }
}

export function startsOf(pieces: readonly Piece[]): Float64Array {
  const starts = new Float64Array(pieces.length)
  let start = 0
  for (const [i, { length }] of pieces.entries()) {
    starts[i] = start
    start += length
  }
  return starts
}

export function piecesOfRun(pieces: readonly Piece[], starts: Float64Array, run: ByteRange): Piece[] {
  const parts: Piece[] = []
  const end = run.offset + run.length
  for (let i = firstReaching(starts, run.offset); i < pieces.length; i++) {
    const piece = pieces[i]
    const begin = starts[i] ?? 0
    if (piece === undefined || begin >= end) break
    const from = Math.max(run.offset, begin)
    const length = Math.min(end, begin + piece.length) - from
    const offset = piece.offset === undefined ? undefined : piece.offset + from - begin
    if (length > 0) parts.push({ offset, length })
  }
  return parts
}

/** The last piece that begins at or before a position. */
function firstReaching(starts: Float64Array, position: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((starts[middle] ?? 0) <= position) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}
