import { type ErrorContext, malformed } from '../../errors.ts'
import { type ChunkIndex, gridShapeOf } from '../../model/chunk-index.ts'
import type { ChunkRef } from '../../model/chunk-ref.ts'
import { dividingLength, MOST_CHUNK_BYTES, runChunkShape, runRange } from '../../model/run-chunks.ts'

/** Values of the same place in every row: a column of a table, a parameter or the array of random groups, or a whole image. */
export interface RowValues {
  /** Of the first row's values. */
  readonly offset: number
  /** From row to row. */
  readonly stride: number
  readonly rows: number
  /** What a row holds. */
  readonly cell: readonly number[]
  readonly itemSize: number
  readonly fileSize: number
  readonly place: ErrorContext
  /** Most rows in one chunk, where they grow when they are decoded. */
  readonly mostRows?: number | undefined
}

export interface RowArray {
  readonly shape: readonly number[]
  readonly chunkShape: readonly number[]
  readonly edges: 'cropped'
  readonly chunks: ChunkIndex
}

/**
 * Where rows are so long that each value would need a read of its own, a chunk gathers some all the same: the server reads
 * them at once and close to the source, while the client would have to ask for each.
 */
const MOST_GATHERED_ROWS = 256
const MOST_GATHERED_BYTES = 65_536

/** Cuts such values into chunks of rows, or of parts of a row where that is long; found by arithmetic. */
export function rowArray(values: RowValues): RowArray {
  const { rows, cell, itemSize, stride, mostRows = Number.POSITIVE_INFINITY } = values
  const shape = [rows, ...cell]
  const cellBytes = cell.reduce((product, length) => product * length, itemSize)
  if (cellBytes === stride && mostRows >= rows) {
    return finished(values, shape, runChunkShape(shape, itemSize) ?? shape, runAt)
  }
  if (cellBytes > MOST_CHUNK_BYTES) {
    return finished(values, shape, [1, ...(runChunkShape(cell, itemSize) ?? cell)], partAt)
  }
  const gathered = Math.min(MOST_GATHERED_ROWS, Math.floor(MOST_GATHERED_BYTES / Math.max(cellBytes, 1)))
  const most = Math.min(mostRows, Math.max(Math.floor(MOST_CHUNK_BYTES / stride), gathered, 1))
  const length = rows <= most ? Math.max(1, rows) : dividingLength(rows, most)
  return finished(values, shape, [length, ...cell.map((axis) => Math.max(1, axis))], rowsAt)
}

type Place = (values: RowValues, shape: readonly number[], chunk: readonly number[], at: readonly number[]) => ChunkRef

function finished(values: RowValues, shape: number[], chunkShape: number[], place: Place): RowArray {
  const last = values.offset + Math.max(values.rows - 1, 0) * values.stride
  const complete = last + values.cell.reduce((product, length) => product * length, values.itemSize) <= values.fileSize
  const chunks: ChunkIndex = {
    gridShape: gridShapeOf(shape, chunkShape),
    at: (coords) => place(values, shape, chunkShape, coords),
    isComplete: () => complete,
    weight: () => 600,
  }
  return { shape, chunkShape, edges: 'cropped', chunks }
}

/** The whole is one run. */
function runAt(values: RowValues, shape: readonly number[], chunk: readonly number[], at: readonly number[]): ChunkRef {
  const { offset, length } = runRange(shape, chunk, values.itemSize, at)
  return rangeOf(values, values.offset + offset, length)
}

/** A part of one row. */
function partAt(
  values: RowValues,
  shape: readonly number[],
  chunk: readonly number[],
  at: readonly number[],
): ChunkRef {
  const { offset, length } = runRange(shape.slice(1), chunk.slice(1), values.itemSize, at.slice(1))
  return rangeOf(values, values.offset + (at[0] ?? 0) * values.stride + offset, length)
}

/** The values of some rows, one after the other. */
function rowsAt(
  values: RowValues,
  shape: readonly number[],
  chunk: readonly number[],
  at: readonly number[],
): ChunkRef {
  const most = chunk[0] ?? 1
  const first = (at[0] ?? 0) * most
  const count = Math.min(most, (shape[0] ?? 1) - first)
  const length = values.cell.reduce((product, axis) => product * axis, values.itemSize)
  const { stride } = values
  const offset = values.offset + first * stride
  if (count === 1 || length === stride) return rangeOf(values, offset, count * length)
  checkEnd(values, offset + (count - 1) * stride + length)
  return { kind: 'strided', source: 0, offset, length, stride, count, encoding: 0 }
}

function rangeOf(values: RowValues, offset: number, length: number): ChunkRef {
  if (length === 0) return { kind: 'inline', bytes: new Uint8Array(0), encoding: 0 }
  checkEnd(values, offset + length)
  return { kind: 'range', source: 0, offset, length, encoding: 0 }
}

/** What the file does not hold must not be read as zeros: a file that was cut off fails where it was cut. */
function checkEnd({ fileSize, place }: RowValues, end: number): void {
  if (end <= fileSize) return
  throw malformed(`the chunk ends at byte ${end} of a file of ${fileSize} bytes: the file is cut off`, place)
}
