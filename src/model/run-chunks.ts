import type { ByteRange } from '../bytes/byte-range.ts'
import { type ErrorContext, malformed, overLimit } from '../errors.ts'
import { isCharacter } from './characters.ts'
import { type ChunkIndex, gridShapeOf } from './chunk-index.ts'
import type { ChunkRef } from './chunk-ref.ts'
import type { DataType } from './data-type.ts'
import { type Maker, recipe } from './recipe.ts'
import { elementCount } from './shape.ts'
import type { StoredArray } from './virtual-store.ts'

/** A request to an object store costs as much time as about a megabyte of transfer: smaller chunks waste requests, much larger
 * ones make the reader of one value wait.
 */
export const MOST_CHUNK_BYTES = 4_194_304
/** A chunk may be this much shorter than the longest when it then divides the axis. */
const SHORTENED = 4
/** Lengths that are tried; with more chunks than that along an axis, one that is filled up does not matter. */
const MOST_TRIES = 1024
/** A string is served whole; one that is longer than this is not. */
const MOST_STRING_BYTES = 67_108_864

/**
 * Cuts values that lie together in C order into chunks that are runs of bytes: only leading axes are cut, those before the one
 * that is cut to length 1. Axes from `whole` on are not cut; undefined when what must stay whole is too long to be served.
 */
export function runChunkShape(
  shape: readonly number[],
  itemSize: number,
  whole: number = shape.length,
): number[] | undefined {
  const chunk = shape.map((length) => Math.max(1, length))
  let inner = itemSize
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const length = chunk[axis] ?? 1
    if (axis >= whole && inner * length > MOST_STRING_BYTES) return undefined
    if (axis < whole && inner * length > MOST_CHUNK_BYTES) {
      chunk[axis] = dividingLength(length, Math.max(1, Math.floor(MOST_CHUNK_BYTES / inner)))
      chunk.fill(1, 0, axis)
      break
    }
    inner *= length
  }
  return chunk
}

/** The same for values of a type: the last axis of characters, which may be texts, is cut only where it is too long for that. */
export function valuesChunkShape(shape: readonly number[], type: DataType, itemSize: number): readonly number[] {
  const ofTexts = isCharacter(type) ? runChunkShape(shape, itemSize, Math.max(0, shape.length - 1)) : undefined
  return ofTexts ?? runChunkShape(shape, itemSize) ?? shape
}

/**
 * A chunk length for an axis: the longest that divides it, so that no chunk is cut off at the edge and has to be filled up
 * by the server; when there is none that is long enough, chunks of nearly equal length, so that little is filled up.
 */
function dividingLength(length: number, most: number): number {
  const fewest = Math.max(1, Math.ceil(length / most))
  const last = Math.min(Math.floor(length / Math.ceil(most / SHORTENED)), fewest + MOST_TRIES)
  for (let chunks = fewest; chunks <= last; chunks++) {
    if (length % chunks === 0) return length / chunks
  }
  return Math.max(1, Math.ceil(length / fewest))
}

/** The bytes of a chunk cut by `runChunkShape`, counted from the first value; at the far edge as many as the array has. */
export function runRange(
  shape: readonly number[],
  chunkShape: readonly number[],
  itemSize: number,
  coords: readonly number[],
): ByteRange {
  let offset = 0
  let length = itemSize
  let inner = itemSize
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const first = (coords[axis] ?? 0) * (chunkShape[axis] ?? 1)
    offset += first * inner
    length *= Math.min(chunkShape[axis] ?? 1, (shape[axis] ?? 1) - first)
    inner *= shape[axis] ?? 1
  }
  return { offset, length }
}

/** Where values lie in a file. */
interface StoredValues {
  /** Of the first one. */
  readonly offset: number
  readonly itemSize: number
  readonly fileSize: number
  readonly place: ErrorContext
  /** The last axis is that of texts: it is not cut. */
  readonly isText?: boolean | undefined
}

/** Values that lie together in C order. */
export interface RunValues extends StoredValues {
  readonly shape: readonly number[]
}

/** Values of the same place in every row: a column of a table, a variable among the records of others, or a whole image. */
export interface RowValues extends StoredValues {
  /** From row to row. */
  readonly stride: number
  readonly rows: number
  /** What a row holds. */
  readonly cell: readonly number[]
  /** Most rows in one chunk, where they grow when they are decoded. */
  readonly mostRows?: number | undefined
}

export type PlacedValues = Pick<StoredArray, 'shape' | 'chunkShape' | 'chunks'> & { readonly edges: 'cropped' }

/**
 * Where rows are so long that each value would need a read of its own, a chunk gathers some all the same: the server reads
 * them at once and close to the source, while the client would have to ask for each. Beyond this much data a chunk the client
 * asks for few of them, and should not wait for those that it does not need.
 */
const MOST_GATHERED_ROWS = 256
const MOST_GATHERED_BYTES = 65_536
/** A text of one character a row is served whole; not one that is in more pieces and spread too wide. */
const MOST_STRING_PIECES = 4096

/** Cuts values that lie together into chunks that are runs of bytes, found by arithmetic. */
export function runArray(values: RunValues): PlacedValues {
  const { shape, itemSize, offset } = values
  const chunkShape = cut(values, shape)
  const end = offset + elementCount(shape) * itemSize
  const runAt = (coords: readonly number[]) => {
    const run = runRange(shape, chunkShape, itemSize, coords)
    return rangeOf(values, offset + run.offset, run.length)
  }
  return placed(values, { shape, chunkShape, end, ref: runAt, marked: (chunks) => runs.mark(chunks, values) })
}

/** Cuts values of rows into chunks of rows, or of parts of a row where that is long; found by arithmetic. */
export function rowArray(values: RowValues): PlacedValues {
  const { rows, cell, itemSize, stride, offset, mostRows = Number.POSITIVE_INFINITY } = values
  const shape = [rows, ...cell]
  const cellBytes = elementCount(cell) * itemSize
  if (cellBytes === stride && mostRows >= rows) return runArray({ ...values, shape })
  const marked = (chunks: ChunkIndex) => rowRuns.mark(chunks, values)
  const end = rows === 0 ? 0 : offset + (rows - 1) * stride + cellBytes
  if (cellBytes > MOST_CHUNK_BYTES) {
    const inner = cut(values, cell)
    const partAt = ([row = 0, ...at]: readonly number[]): ChunkRef => {
      const part = runRange(cell, inner, itemSize, at)
      return rangeOf(values, offset + row * stride + part.offset, part.length)
    }
    return placed(values, { shape, chunkShape: [1, ...inner], end, ref: partAt, marked })
  }
  const length = values.isText === true && cell.length === 0 ? wholeText(values) : rowsInChunk(values, cellBytes)
  const rowsAt = ([chunk = 0]: readonly number[]): ChunkRef => {
    const count = Math.min(length, rows - chunk * length)
    const first = offset + chunk * length * stride
    if (count === 1 || cellBytes === stride) return rangeOf(values, first, count * cellBytes)
    checkEnd(values, first + (count - 1) * stride + cellBytes)
    return { kind: 'strided', source: 0, offset: first, length: cellBytes, stride, count, encoding: 0 }
  }
  const chunkShape = [length, ...cell.map((axis) => Math.max(1, axis))]
  return placed(values, { shape, chunkShape, end, ref: rowsAt, marked })
}

const runs = recipe('runs', (values: RunValues) => runArray(values).chunks)
const rowRuns = recipe('rows', (values: RowValues) => rowArray(values).chunks)
export const runMakers: readonly Maker[] = [runs, rowRuns]

interface Placing {
  readonly shape: readonly number[]
  readonly chunkShape: readonly number[]
  /** Behind the last value. */
  readonly end: number
  ref(coords: readonly number[]): ChunkRef
  /** With its recipe. */
  marked(chunks: ChunkIndex): ChunkIndex
}

function placed({ fileSize }: StoredValues, { shape, chunkShape, end, ref, marked }: Placing): PlacedValues {
  const gridShape = gridShapeOf(shape, chunkShape)
  const isComplete = () => end <= fileSize
  const chunks = marked({ gridShape, at: ref, isComplete, weight: () => 600 })
  return { shape, chunkShape, edges: 'cropped', chunks }
}

function cut({ itemSize, isText }: StoredValues, shape: readonly number[]): readonly number[] {
  const whole = isText === true ? Math.max(0, shape.length - 1) : shape.length
  return runChunkShape(shape, itemSize, whole) ?? tooLong()
}

function rowsInChunk({ rows, stride, mostRows = Number.POSITIVE_INFINITY }: RowValues, cellBytes: number): number {
  const gathered = Math.min(MOST_GATHERED_ROWS, Math.floor(MOST_GATHERED_BYTES / Math.max(cellBytes, 1)))
  return dividingLength(rows, Math.min(mostRows, Math.max(Math.floor(MOST_CHUNK_BYTES / stride), gathered, 1)))
}

/** One character a row: together they are one text. */
function wholeText({ rows, stride }: RowValues): number {
  return rows > MOST_STRING_PIECES && rows * stride > MOST_STRING_BYTES ? tooLong() : Math.max(1, rows)
}

function tooLong(): never {
  throw overLimit('its strings are too long, or spread over too many records, to be served whole')
}

function rangeOf(values: StoredValues, offset: number, length: number): ChunkRef {
  if (length === 0) return { kind: 'inline', bytes: new Uint8Array(0), encoding: 0 }
  checkEnd(values, offset + length)
  return { kind: 'range', source: 0, offset, length, encoding: 0 }
}

/** What the file does not hold must not be read as zeros: a file that was cut off fails where it was cut. */
function checkEnd({ fileSize, place }: StoredValues, end: number): void {
  if (end <= fileSize) return
  throw malformed(`the chunk ends at byte ${end} of a file of ${fileSize} bytes: the file is cut off`, place)
}
