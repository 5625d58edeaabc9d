import { indexOfPosition, orderByPosition } from '../../model/sorted-positions.ts'
import { type Columns, narrowed } from './growing.ts'
import { ABSENT } from './reference-codes.ts'

/** The references of one array, by grid position: some bytes each, whatever their number. */
export interface ReferenceTable {
  /** Ascending, one a reference; undefined where the index is the position. */
  readonly positions: Columns | undefined
  readonly targets: Columns
  readonly offsets: Columns
  readonly lengths: Columns
  /** References that are there. */
  readonly count: number
}

/** References in the order they were named; of those of one position the last counts. */
export interface UnsortedReferences {
  readonly positions: Float64Array
  readonly targets: Float64Array | Uint32Array
  readonly offsets: Float64Array
  readonly lengths: Float64Array
}

/** From so full a grid on, a row for each of its positions takes less than the positions do. */
const DENSE = 0.6

/** Puts references in the order of the grid. */
export function tableOf(references: UnsortedReferences, gridSize: number): ReferenceTable {
  const { positions, targets, offsets, lengths } = references
  if (positions.length >= gridSize * DENSE && gridSize < 2 ** 31) return denseTable(references, gridSize)
  const order = orderByPosition(positions)
  const pick = (values: Float64Array | Uint32Array) => narrowed(Float64Array.from(order, (index) => values[index] ?? 0))
  return {
    positions: pick(positions),
    targets: pick(targets),
    offsets: pick(offsets),
    lengths: pick(lengths),
    count: order.length,
  }
}

function denseTable({ positions, targets, offsets, lengths }: UnsortedReferences, gridSize: number): ReferenceTable {
  const fill = (values: Float64Array | Uint32Array) => {
    const column = new Float64Array(gridSize)
    for (let index = 0; index < positions.length; index++) column[positions[index] ?? 0] = values[index] ?? 0
    return narrowed(column)
  }
  const byPosition = fill(targets)
  let count = 0
  for (const target of byPosition) if (target !== ABSENT) count++
  return { positions: undefined, targets: byPosition, offsets: fill(offsets), lengths: fill(lengths), count }
}

/** The row of a grid position; undefined where no reference is. */
export function rowAt({ positions, targets }: ReferenceTable, position: number): number | undefined {
  if (positions === undefined) return targets[position] === ABSENT ? undefined : position
  return indexOfPosition(positions, position)
}

export function tableWeight({ positions, targets, offsets, lengths }: ReferenceTable): number {
  return (positions?.byteLength ?? 0) + targets.byteLength + offsets.byteLength + lengths.byteLength
}
