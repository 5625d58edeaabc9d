// FITS Standard 4.0, section 10.1.3: where the bytes of each tile are.

import type { ByteRange } from '../../bytes/byte-range.ts'
import { type ErrorContext, malformed } from '../../errors.ts'
import { type ChunkIndex, gridPosition, gridShapeOf } from '../../model/chunk-index.ts'
import type { ChunkRef } from '../../model/chunk-ref.ts'
import { type HeldPages, PagedTable, type TableInFile } from '../../model/paged-table.ts'
import { after } from '../../model/recent-parts.ts'
import { recipe } from '../../model/recipe.ts'
import { elementCount } from '../../model/shape.ts'
import type { ReadOptions, Source } from '../../source/source.ts'
import type { BinaryColumn } from './binary-columns.ts'
import { valueSize } from './column-form.ts'

/** A number in a column of the table, or one for all rows. */
export type RowNumber =
  | { readonly value: number }
  | { readonly at: number; readonly code: 'B' | 'I' | 'J' | 'K' | 'E' | 'D' }

export interface TileIndexInput {
  readonly source: Source
  readonly shape: readonly number[]
  readonly chunkShape: readonly number[]
  readonly table: Omit<TableInFile, 'read'>
  readonly heap: { readonly offset: number; readonly end: number }
  /** Where a tile may be, in the order of the array's encodings: the first that has bytes of it is the one. */
  readonly columns: readonly (BinaryColumn | undefined)[]
  readonly quantized: QuantizedTiles | undefined
  readonly place: ErrorContext
}

interface QuantizedTiles {
  readonly seed: number
  readonly scale: RowNumber
  readonly zero: RowNumber
  /** The integer that stands for NaN. */
  readonly blank: RowNumber | undefined
}

/** Finds tiles by the rows of their table; a tile's row is its place in the grid. */
export const tileIndex = recipe('fits.tiles', tilesOf)

function tilesOf(input: TileIndexInput, held?: HeldPages): ChunkIndex & { held(): HeldPages } {
  const { shape, chunkShape, table, place } = input
  const gridShape = gridShapeOf(shape, chunkShape)
  const tiles = elementCount(gridShape)
  if (table.count < tiles) {
    throw malformed(`an image of ${tiles} tiles has a table of ${table.count} rows`, place)
  }
  if (input.columns.every((column) => column === undefined)) {
    throw malformed('a compressed image has no column COMPRESSED_DATA', place)
  }
  const rows = new PagedTable({ ...table, read: (range, options) => readRows(input.source, range, options) }, held)
  return {
    gridShape,
    at(coords, signal) {
      const row = gridPosition(coords, gridShape)
      return after(rows.run(row, 1, { signal }), (cells) => tileRef(input, row, cells))
    },
    // A tile without bytes is an error, never missing.
    isComplete: () => true,
    weight: () => 600 + rows.weight(),
    held: () => rows.held(),
  }
}

async function readRows(source: Source, range: ByteRange, options: ReadOptions): Promise<Uint8Array> {
  if (range.offset + range.length <= source.size) return await source.read(range, options)
  throw malformed('the table of tiles is cut off', { url: source.url, offset: range.offset })
}

function tileRef(input: TileIndexInput, row: number, bytes: Uint8Array): ChunkRef {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (const [encoding, column] of input.columns.entries()) {
    const heap = column?.binary.heap
    if (column === undefined || heap === undefined || column.binary.repeat === 0) continue
    const [count, at] = descriptorOf(view, column)
    if (count === 0) continue
    const offset = input.heap.offset + at
    const length = count * valueSize(heap.code)
    const end = Math.min(input.heap.end, input.source.size)
    if (offset + length > end) {
      throw malformed(`tile ${row} takes ${length} bytes at ${offset}, the heap ends at ${end}`, input.place)
    }
    const prefix = encoding === 0 && input.quantized !== undefined ? prefixOf(input.quantized, row, view) : undefined
    return { kind: 'range', source: 0, offset, length, encoding, prefix }
  }
  throw malformed(`tile ${row} has no bytes in any column`, input.place)
}

function descriptorOf(view: DataView, { binary, at }: BinaryColumn): readonly [number, number] {
  if (binary.code === 'P') return [view.getUint32(at), view.getUint32(at + 4)]
  return [Number(view.getBigUint64(at)), Number(view.getBigUint64(at + 8))]
}

/** What `vz.fits-quantized` reads before the tile: seed, scale, zero and blank as big-endian doubles. */
function prefixOf({ seed, scale, zero, blank }: QuantizedTiles, row: number, cells: DataView): Uint8Array {
  const prefix = new DataView(new ArrayBuffer(32))
  prefix.setFloat64(0, seed + row)
  prefix.setFloat64(8, numberAt(scale, cells))
  prefix.setFloat64(16, numberAt(zero, cells))
  prefix.setFloat64(24, blank === undefined ? Number.NaN : numberAt(blank, cells))
  return new Uint8Array(prefix.buffer)
}

function numberAt(number: RowNumber, cells: DataView): number {
  if ('value' in number) return number.value
  switch (number.code) {
    case 'B':
      return cells.getUint8(number.at)
    case 'I':
      return cells.getInt16(number.at)
    case 'J':
      return cells.getInt32(number.at)
    case 'K':
      return Number(cells.getBigInt64(number.at))
    case 'E':
      return cells.getFloat32(number.at)
    case 'D':
      return cells.getFloat64(number.at)
  }
}
