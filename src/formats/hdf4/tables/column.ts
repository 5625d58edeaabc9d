import { malformed } from '../../../errors.ts'
import { sentinelsAmong, withoutSentinels } from '../../../fill-value/sentinels.ts'
import { type ChunkIndex, gridShapeOf } from '../../../model/chunk-index.ts'
import { type DataType, zeroOf } from '../../../model/data-type.ts'
import { rawEncoding } from '../../../model/encoding.ts'
import { missingIndex } from '../../../model/plain-indexes.ts'
import { recipe } from '../../../model/recipe.ts'
import { type PlacedValues, rowArray, runArray } from '../../../model/run-chunks.ts'
import { elementCount } from '../../../model/shape.ts'
import type { AttributeValue, VirtualArray } from '../../../model/virtual-store.ts'
import { piecesOfRun, refOfPieces, startsOf } from '../storage/pieces-index.ts'
import { lengthOf, type Piece, type Stored } from '../structures/stored.ts'
import { type Field, fieldType, type Vdata } from '../structures/vdata.ts'
import type { Hdf4World } from '../world.ts'

export interface ColumnInput {
  readonly vdata: Vdata
  readonly field: Field
  /** Undefined: no record was written. */
  readonly stored: Extract<Stored, { kind: 'pieces' }> | undefined
  readonly attributes: ReadonlyMap<string, AttributeValue>
  readonly path: string
}

/** A name for the records of a table. */
const RECORDS = 'record'
/** Where records lie in several pieces of the file, each value is found by itself. */
const MOST_ROWS_IN_PIECES = 8192

/** A field of all records: a number or several in each, or a text. */
export function columnArray(input: ColumnInput, world: Hdf4World): VirtualArray {
  const { field, path, attributes } = input
  const { dataType, size, cell, endian } = elementsOf(field)
  const read = sentinelsAmong(attributes, { dataType, path }, world.context)
  return {
    kind: 'array',
    ...placedColumn(input, cell, size, world),
    dataType,
    fillValue: zeroOf(dataType),
    fillOrigin: 'zero of the type',
    sentinels: read.sentinels,
    attributes: withoutSentinels(attributes, read),
    dimensionNames: [RECORDS, ...cell.map(() => null)],
    encodings: [rawEncoding(endian)],
  }
}

/** Characters of a record are one text. */
function elementsOf(field: Field) {
  const type = fieldType(field)
  if (field.bytes !== field.order * type.size) {
    throw malformed(`a field of ${field.order} values of ${type.size} bytes takes ${field.bytes}`)
  }
  if (type.isText && field.bytes > 0) {
    const dataType: DataType = { kind: 'fixed-text', encoding: 'bytes', length: field.bytes }
    return { dataType, size: field.bytes, cell: [], endian: type.endian }
  }
  return { dataType: type.dataType, size: type.size, cell: field.order === 1 ? [] : [field.order], endian: type.endian }
}

function placedColumn(
  { vdata, field, stored, path }: ColumnInput,
  cell: readonly number[],
  itemSize: number,
  { file }: Hdf4World,
): PlacedValues {
  const { records, recordBytes, isInterlaced } = vdata
  const shape = [records, ...cell]
  if (stored === undefined || elementCount(shape) === 0) {
    if (records > 0 && elementCount(cell) > 0) throw malformed(`${records} records are announced, and none are there`)
    const chunkShape = shape.map((length) => Math.max(1, length))
    return { shape, chunkShape, edges: 'cropped', chunks: missingIndex(shape, chunkShape) }
  }
  const needed = records * recordBytes
  if (lengthOf(stored.pieces) < needed) {
    throw malformed(`${records} records of ${recordBytes} bytes in ${lengthOf(stored.pieces)} bytes`)
  }
  const [only] = stored.pieces
  const place = { url: file.source.url, format: 'hdf4', path }
  const fileSize = file.source.size
  if (stored.pieces.length > 1 || only?.offset === undefined) {
    const cellBytes = elementCount(cell) * itemSize
    const stride = isInterlaced ? recordBytes : cellBytes
    const first = isInterlaced ? field.offset : field.offset * records
    return rowsInPieces({ shape, first, stride, cellBytes }, stored.pieces, file)
  }
  const values = { itemSize, fileSize, place }
  if (!isInterlaced) return runArray({ ...values, shape, offset: only.offset + field.offset * records })
  return rowArray({ ...values, rows: records, cell, stride: recordBytes, offset: only.offset + field.offset })
}

interface Rows {
  readonly shape: readonly number[]
  /** Of the first value, among all bytes of the table. */
  readonly first: number
  readonly stride: number
  readonly cellBytes: number
}

function rowsInPieces(
  { shape, first, stride, cellBytes }: Rows,
  pieces: readonly Piece[],
  file: Hdf4World['file'],
): PlacedValues {
  const [records = 0, ...cell] = shape
  const chunkShape = [Math.min(records, MOST_ROWS_IN_PIECES), ...cell]
  const [rows = 1] = chunkShape
  const gridShape = gridShapeOf(shape, chunkShape)
  const chunks = rowChunks({ file, pieces, gridShape, records, rows, first, stride, cellBytes })
  return { shape, chunkShape, edges: 'cropped', chunks }
}

interface RowChunks extends Omit<Rows, 'shape'> {
  readonly file: Hdf4World['file']
  readonly pieces: readonly Piece[]
  readonly gridShape: readonly number[]
  readonly records: number
  /** Of a chunk. */
  readonly rows: number
}

export const rowChunks = recipe('hdf4.rows', (input: RowChunks): ChunkIndex => {
  const { file, pieces, gridShape, records, rows, first, stride, cellBytes } = input
  const starts = startsOf(pieces)
  return {
    gridShape,
    at: ([chunk = 0], signal) => {
      const begin = chunk * rows
      const parts: Piece[] = []
      for (let row = begin; row < Math.min(begin + rows, records); row++) {
        parts.push(...piecesOfRun(pieces, starts, { offset: first + row * stride, length: cellBytes }))
      }
      return refOfPieces(file, parts, { signal })
    },
    isComplete: () => true,
    weight: () => 400 + 100 * pieces.length,
  }
})
