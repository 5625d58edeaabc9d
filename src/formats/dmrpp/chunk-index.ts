import type { ByteRange } from '../../bytes/byte-range.ts'
import { type ErrorContext, malformed } from '../../errors.ts'
import { type ChunkIndex, gridPosition, gridShapeOf } from '../../model/chunk-index.ts'
import { type ChunkRef, MISSING } from '../../model/chunk-ref.ts'
import type { Encoding } from '../../model/encoding.ts'
import { runIndex } from '../../model/plain-indexes.ts'
import { type Maker, recipe } from '../../model/recipe.ts'
import type { MaskedEncodings } from '../hdf5-elements/masked-encodings.ts'
import { lengthOf, type StoredChunks, type StoredPlace } from './chunk-table.ts'

/** How places become references. */
export interface TableInput {
  readonly stored: StoredChunks
  readonly shape: readonly number[]
  readonly chunkShape: readonly number[]
  readonly planned: MaskedEncodings
  /** The encoding with no filter at all. */
  readonly codecs: Encoding
  /** Bytes of a chunk on which no filter works. */
  readonly chunkBytes: number
  /** The source of a file's number; throws where the sidecar names none. */
  sourceOf(file: number): number
  readonly place: ErrorContext
}

/** Chunks of a grid, by their position in it. */
export const tableIndex = recipe('dmrpp.table', (input: TableInput): ChunkIndex => {
  const gridShape = gridShapeOf(input.shape, input.chunkShape)
  return {
    gridShape,
    at: (coords) => refOf(input, gridPosition(coords, gridShape)),
    isComplete: () => input.stored.isComplete,
    weight: () => input.stored.weight,
  }
})

function refOf(input: TableInput, position: number): ChunkRef {
  const { stored, planned, place } = input
  const parts = stored.partsAt(position)
  const [first] = parts
  if (first === undefined) return MISSING
  const encoding = planned.encodingOf(first.mask)
  if (encoding === undefined) throw malformed(`a chunk has the filter mask ${first.mask}`, place)
  const length = lengthOf(parts)
  const isFiltered = (planned.encodings[encoding]?.length ?? 0) > input.codecs.length
  if (!isFiltered && length !== input.chunkBytes) {
    throw malformed(`a chunk is stored in ${length} bytes, expected ${input.chunkBytes}`, place)
  }
  return refTo(parts, sharedSource(input, parts), encoding)
}

function refTo(parts: readonly ByteRange[], source: number, encoding: number): ChunkRef {
  const [first] = parts
  const ranges = parts.map(({ offset, length }) => ({ offset, length }))
  return parts.length === 1 && first !== undefined
    ? { kind: 'range', source, offset: first.offset, length: first.length, encoding }
    : { kind: 'ranges', source, parts: ranges, encoding }
}

function sharedSource(
  { sourceOf, place }: Pick<TableInput, 'sourceOf' | 'place'>,
  parts: readonly StoredPlace[],
): number {
  const file = parts[0]?.file ?? 0
  if (parts.some((part) => part.file !== file)) throw malformed('the parts of one chunk lie in several files', place)
  return sourceOf(file)
}

/** How values that lie together, in one piece or several, are cut. */
export interface PiecesInput extends Pick<TableInput, 'shape' | 'chunkShape' | 'sourceOf' | 'place'> {
  readonly parts: readonly StoredPlace[]
  readonly itemSize: number
}

/** Chunks of unfiltered values in C order: arithmetic over the pieces, since only leading axes are cut. */
export const piecesIndex = recipe('dmrpp.pieces', (input: PiecesInput): ChunkIndex => {
  const { shape, chunkShape, itemSize, parts } = input
  const starts: number[] = []
  let total = 0
  for (const { length } of parts) {
    starts.push(total)
    total += length
  }
  const refAt = (offset: number, length: number) =>
    runRef(parts, starts, { offset, length }, sharedSource(input, parts))
  return { ...runIndex({ shape, chunkShape, itemSize, refAt }), weight: () => 300 + parts.length * 150 }
})

function runRef(pieces: readonly StoredPlace[], starts: readonly number[], run: ByteRange, source: number): ChunkRef {
  const parts: ByteRange[] = []
  pieces.forEach((piece, i) => {
    const begin = starts[i] ?? 0
    const from = Math.max(run.offset, begin)
    const to = Math.min(run.offset + run.length, begin + piece.length)
    if (from < to) parts.push({ offset: piece.offset + from - begin, length: to - from })
  })
  return refTo(parts, source, 0)
}

/** A variable of whose values the document says nothing: what is not known is not served as fill. */
export function unknownIndex(shape: readonly number[], chunkShape: readonly number[], place: ErrorContext): ChunkIndex {
  return unknown({ gridShape: gridShapeOf(shape, chunkShape), place })
}

interface UnknownInput {
  readonly gridShape: readonly number[]
  readonly place: ErrorContext
}

const unknown = recipe(
  'dmrpp.unknown',
  ({ gridShape, place }: UnknownInput): ChunkIndex => ({
    gridShape,
    at: () => {
      throw malformed('the sidecar does not say where the values of this variable are', place)
    },
    isComplete: () => false,
    weight: () => 300,
  }),
)

export const indexMakers: readonly Maker[] = [tableIndex, piecesIndex, unknown]
