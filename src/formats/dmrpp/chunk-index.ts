import type { ByteRange } from '../../bytes/byte-range.ts'
import { type ErrorContext, malformed } from '../../errors.ts'
import { type ChunkIndex, gridPosition, gridShapeOf } from '../../model/chunk-index.ts'
import { type ChunkRef, MISSING } from '../../model/chunk-ref.ts'
import { runIndex } from '../../model/plain-indexes.ts'
import { elementCount } from '../../model/shape.ts'
import type { ChunkRow, ChunkTable } from './chunk-table.ts'
import type { PlannedEncodings } from './encodings.ts'

/** How rows become references. */
export interface TableInput {
  readonly table: ChunkTable
  readonly shape: readonly number[]
  readonly chunkShape: readonly number[]
  readonly planned: PlannedEncodings
  /** Bytes of a chunk on which no filter works. */
  readonly chunkBytes: number
  /** The source of a file's number; throws where the sidecar names none. */
  sourceOf(file: number): number
  readonly place: ErrorContext
}

/** Chunks of a grid, by binary search in their table. */
export function tableIndex(input: TableInput): ChunkIndex {
  const gridShape = gridShapeOf(input.shape, input.chunkShape)
  const isComplete = input.table.places() === elementCount(gridShape)
  return {
    gridShape,
    at: (coords) => refOf(input, gridPosition(coords, gridShape)),
    isComplete: () => isComplete,
    weight: () => input.table.weight(),
  }
}

function refOf(input: TableInput, position: number): ChunkRef {
  const { table, planned, place } = input
  const { first, end } = table.find(position)
  if (first === end) return MISSING
  const row = table.row(first)
  const encoding = planned.encodingOf(row.mask)
  if (encoding === undefined) throw malformed(`a chunk has the filter mask ${row.mask}`, place)
  const rows = rowsOf(table, first, end)
  const length = rows.reduce((sum, part) => sum + part.length, 0)
  if (planned.isFiltered[encoding] === false && length !== input.chunkBytes) {
    throw malformed(`a chunk is stored in ${length} bytes, expected ${input.chunkBytes}`, place)
  }
  const source = sharedSource(input, rows)
  if (rows.length === 1) return { kind: 'range', source, offset: row.offset, length: row.length, encoding }
  return { kind: 'ranges', source, parts: rows.map(({ offset, length }) => ({ offset, length })), encoding }
}

function rowsOf(table: ChunkTable, first: number, end: number): ChunkRow[] {
  return Array.from({ length: end - first }, (_, i) => table.row(first + i))
}

function sharedSource({ sourceOf, place }: Pick<TableInput, 'sourceOf' | 'place'>, rows: readonly ChunkRow[]): number {
  const file = rows[0]?.file ?? 0
  if (rows.some((row) => row.file !== file)) throw malformed('the parts of one chunk lie in several files', place)
  return sourceOf(file)
}

/** How values that lie together, in one piece or several, are cut. */
export interface PiecesInput extends Pick<TableInput, 'table' | 'shape' | 'chunkShape' | 'sourceOf' | 'place'> {
  readonly itemSize: number
}

/** Chunks of unfiltered values in C order: arithmetic over the pieces, since only leading axes are cut. */
export function piecesIndex(input: PiecesInput): ChunkIndex {
  const { shape, chunkShape, itemSize, table } = input
  const rows = rowsOf(table, 0, table.count)
  const starts: number[] = []
  let total = 0
  for (const row of rows) {
    starts.push(total)
    total += row.length
  }
  const refAt = (offset: number, length: number) => runRef(rows, starts, { offset, length }, sharedSource(input, rows))
  const weight = table.weight() + rows.length * 150
  return { ...runIndex({ shape, chunkShape, itemSize, refAt }), weight: () => weight }
}

function runRef(rows: readonly ChunkRow[], starts: readonly number[], run: ByteRange, source: number): ChunkRef {
  const parts: ByteRange[] = []
  rows.forEach((row, i) => {
    const begin = starts[i] ?? 0
    const from = Math.max(run.offset, begin)
    const to = Math.min(run.offset + run.length, begin + row.length)
    if (from < to) parts.push({ offset: row.offset + from - begin, length: to - from })
  })
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return { kind: 'range', source, ...only, encoding: 0 }
  return { kind: 'ranges', source, parts, encoding: 0 }
}

/** A variable of whose values the document says nothing: what is not known is not served as fill. */
export function unknownIndex(shape: readonly number[], chunkShape: readonly number[], place: ErrorContext): ChunkIndex {
  const gridShape = gridShapeOf(shape, chunkShape)
  return {
    gridShape,
    at: () => {
      throw malformed('the sidecar does not say where the values of this variable are', place)
    },
    isComplete: () => false,
    weight: () => 300,
  }
}
