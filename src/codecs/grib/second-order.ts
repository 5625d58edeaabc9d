// Second-order packing: of GRIB 1 (WMO-306 I.2, and ECMWF's general extension of it), and of GRIB 2 as ECMWF writes it (5.50001, 5.50002).

import type { Cursor } from '../../bytes/cursor.ts'
import { malformed } from '../../errors.ts'
import { bitAfter, byteBoundary, requireRun, unpackInto, unpackRun } from './bits.ts'
import { signMagnitude } from './scaling.ts'
import { undoDifferences } from './spatial-differencing.ts'
import type { Values } from './values.ts'

/** Groups: each has a first-order value, and second-order values of a width that are added to it. */
export interface Groups {
  readonly references: ArrayLike<number>
  /** One for all groups, or one each. */
  readonly widths: ArrayLike<number>
  readonly lengths: ArrayLike<number>
}

/** Numbers that begin a field with spatial differencing. */
export interface Differencing {
  readonly order: number
  readonly first: readonly number[]
  readonly least: number
}

/** What tables of groups begin with: widths of the tables' own entries. */
export interface GroupTables {
  readonly groups: number
  readonly widthOfReferences: number
  readonly widthOfWidths: number
  readonly widthOfLengths: number
}

/** Reads the width of these numbers and the numbers themselves. */
export function readDifferencing(cursor: Cursor, order: number): Differencing {
  if (order === 0) return { order, first: [], least: 0 }
  const width = cursor.u8()
  const run = { start: 0, width, count: order + 1 }
  const bytes = cursor.take(Math.ceil(bitAfter(run) / 8))
  requireRun(bytes, run, 'first values')
  const numbers = new Float64Array(order + 1)
  unpackInto(bytes, run, numbers, 0)
  return {
    order,
    first: [...numbers.subarray(0, order)],
    least: signMagnitude(numbers[order] ?? 0, Math.max(1, width)),
  }
}

/** Widths, lengths and first-order values of groups, each table beginning on a whole byte; and where they end. */
export function readGroupTables(
  bytes: Uint8Array,
  tables: GroupTables,
): { readonly groups: Groups; readonly bit: number } {
  let start = 0
  const table = (width: number, what: string) => {
    const run = { start, width, count: tables.groups }
    requireRun(bytes, run, what)
    start = byteBoundary(bitAfter(run))
    return unpackRun(bytes, run, what)
  }
  const widths = table(tables.widthOfWidths, 'widths of groups')
  const lengths = table(tables.widthOfLengths, 'lengths of groups')
  const references = table(tables.widthOfReferences, 'first-order values')
  return { groups: { references, widths, lengths }, bit: start }
}

/** The integers of a field; `bit` is where the second-order values begin. */
export function unpackGroups(
  bytes: Uint8Array,
  bit: number,
  groups: Groups,
  differencing: Differencing,
  count: number,
): Float64Array {
  const values = new Float64Array(count)
  let start = bit
  let at = differencing.order
  for (let group = 0; group < groups.references.length; group++) {
    const width = groups.widths[groups.widths.length === 1 ? 0 : group] ?? 0
    const run = { start, width, count: groups.lengths[group] ?? 0 }
    if (run.count > count - at) throw malformed(`groups hold more values than the ${count} expected`)
    requireRun(bytes, run, 'second-order values')
    unpackInto(bytes, run, values, at)
    const reference = groups.references[group] ?? 0
    for (const end = at + run.count; at < end; at++) values[at] = (values[at] ?? 0) + reference
    start = bitAfter(run)
  }
  if (at !== count) throw malformed(`groups hold ${at} values, ${count} are expected`)
  if (differencing.order > 0) undoDifferences(values, differencing.order, differencing.first, differencing.least)
  return values
}

/** Turns every second row around. */
export function undoBoustrophedon(values: Values, rows: ArrayLike<number>): Values {
  let at = 0
  for (let row = 0; row < rows.length; row++) {
    const end = at + (rows[row] ?? 0)
    if (row % 2 === 1) values.subarray(at, end).reverse()
    at = end
  }
  return values
}
