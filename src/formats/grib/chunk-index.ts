import type { ChunkIndex } from '../../model/chunk-index.ts'
import { gridPosition } from '../../model/chunk-index.ts'
import { type ChunkRef, MISSING } from '../../model/chunk-ref.ts'
import { ChunkRows } from '../../model/chunk-table.ts'
import { elementCount } from '../../model/shape.ts'
import type { Field } from './messages/field.ts'

/** Where each field of an array is: one chunk each, found by its place in C order over the leading axes. */
export function fieldIndex(gridShape: readonly number[], fields: ReadonlyMap<number, Field>): ChunkIndex {
  const rows = new ChunkRows('offset', 'length')
  // Fields that take an earlier one's bitmap are few.
  const several = new Map<number, Field['parts']>()
  for (const [position, { parts }] of fields) {
    rows.positions.push(position)
    rows.columns.offset.push(parts[0]?.offset ?? 0)
    rows.columns.length.push(parts[0]?.length ?? 0)
    if (parts.length > 1) several.set(position, parts)
  }
  const { placeOf, columns, isComplete, weight } = rows.table(elementCount(gridShape))
  return {
    gridShape,
    at(coords): ChunkRef {
      const position = gridPosition(coords, gridShape)
      const place = placeOf(position)
      if (place === undefined) return MISSING
      const parts = several.get(position)
      if (parts !== undefined) return { kind: 'ranges', source: 0, parts, encoding: 0 }
      return {
        kind: 'range',
        source: 0,
        offset: columns.offset[place] ?? 0,
        length: columns.length[place] ?? 0,
        encoding: 0,
      }
    },
    isComplete: () => isComplete,
    weight: () => weight + several.size * 200 + 600,
  }
}
