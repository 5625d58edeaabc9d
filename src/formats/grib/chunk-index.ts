import type { ByteRange } from '../../bytes/byte-range.ts'
import type { ChunkIndex } from '../../model/chunk-index.ts'
import { gridPosition } from '../../model/chunk-index.ts'
import { type ChunkRef, MISSING } from '../../model/chunk-ref.ts'
import { ChunkRows, type ChunkTable } from '../../model/chunk-table.ts'
import { recipe } from '../../model/recipe.ts'
import { elementCount } from '../../model/shape.ts'
import type { Field } from './messages/field.ts'

/** What the encodings of an array are, in this order, where some of its fields are numbers as they are. */
const AS_NUMBERS = 0
const PACKED = 1

/**
 * Where each field of an array is: one chunk each, found by its place in C order over the leading axes. `passing` are those that are
 * numbers as they are; with any of them the others are of the second encoding.
 */
export function fieldIndex(
  gridShape: readonly number[],
  fields: ReadonlyMap<number, Field>,
  passing: ReadonlyMap<Field, ByteRange>,
): ChunkIndex {
  const rows = new ChunkRows('offset', 'length', 'encoding')
  const packed = passing.size > 0 ? PACKED : 0
  // Fields that take an earlier one's bitmap are few.
  const several = new Map<number, Field['parts']>()
  for (const [position, field] of fields) {
    const { parts } = field
    const own = passing.get(field)
    const range = own ?? parts[0]
    rows.positions.push(position)
    rows.columns.offset.push(range?.offset ?? 0)
    rows.columns.length.push(range?.length ?? 0)
    rows.columns.encoding.push(own === undefined ? packed : AS_NUMBERS)
    if (parts.length > 1) several.set(position, parts)
  }
  return fieldChunks({ gridShape, table: rows.table(elementCount(gridShape)), several, packed })
}

interface FieldChunks {
  readonly gridShape: readonly number[]
  readonly table: ChunkTable<'offset' | 'length' | 'encoding'>
  readonly several: ReadonlyMap<number, Field['parts']>
  /** The encoding of those. */
  readonly packed: number
}

export const fieldChunks = recipe('grib.fields', ({ gridShape, table, several, packed }: FieldChunks): ChunkIndex => {
  const { placeOf, columns, isComplete, weight } = table
  return {
    gridShape,
    at(coords): ChunkRef {
      const position = gridPosition(coords, gridShape)
      const place = placeOf(position)
      if (place === undefined) return MISSING
      const parts = several.get(position)
      if (parts !== undefined) return { kind: 'ranges', source: 0, parts, encoding: packed }
      return {
        kind: 'range',
        source: 0,
        offset: columns.offset[place] ?? 0,
        length: columns.length[place] ?? 0,
        encoding: columns.encoding[place] ?? 0,
      }
    },
    isComplete: () => isComplete,
    weight: () => weight + several.size * 200 + 600,
  }
})
