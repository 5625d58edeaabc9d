import type { Cursor } from '../../bytes/cursor.ts'
import { malformed } from '../../errors.ts'
import { isSet } from './bitmap.ts'
import { bitAfter, byteBoundary, requireRun, unpackRun } from './bits.ts'
import { readDifferencing, readGroupTables, unpackGroups } from './second-order.ts'

/** What the head of section 4 says of groups. */
export interface SecondOrderHead {
  readonly groups: number
  readonly widthOfReferences: number
  readonly flags: number
}

/** Whether a bitmap says where groups begin: otherwise they are the rows of the grid. */
const GROUP_BITMAP = 32
const WIDTHS_DIFFER = 16

/** Whether groups are the rows of the grid. */
export function groupsAreRows({ flags }: SecondOrderHead): boolean {
  return (flags & GROUP_BITMAP) === 0
}

/** ECMWF's general extension: groups of any length, with spatial differencing. */
export function decodeGeneralGroups(data: Cursor, head: SecondOrderHead, order: number, count: number): Float64Array {
  const [widthOfWidths, widthOfLengths] = [data.u8(), data.u8()]
  data.skip(2)
  const differencing = readDifferencing(data, order)
  const bytes = data.take(data.remaining)
  const { groups: number, widthOfReferences } = head
  const tables = { groups: number, widthOfReferences, widthOfWidths, widthOfLengths }
  const { groups, bit } = readGroupTables(bytes, tables)
  return unpackGroups(bytes, bit, groups, differencing, count)
}

/** WMO's own: groups are rows of the grid, or begin where a second bitmap says. */
export function decodeRowGroups(
  data: Cursor,
  head: SecondOrderHead,
  rows: readonly number[],
  count: number,
): Float64Array {
  const widths = data.take((head.flags & WIDTHS_DIFFER) !== 0 ? head.groups : 1)
  const bytes = data.take(data.remaining)
  let start = 0
  let lengths = rows
  if (!groupsAreRows(head)) {
    const run = { start: 0, width: 1, count }
    requireRun(bytes, run, 'bits of groups')
    lengths = groupLengths(bytes, count, head.groups)
    start = byteBoundary(bitAfter(run))
  }
  if (lengths.length !== head.groups) throw malformed(`${head.groups} groups where ${lengths.length} are expected`)
  const referenceRun = { start, width: head.widthOfReferences, count: head.groups }
  const references = unpackRun(bytes, referenceRun, 'first-order values')
  const bit = byteBoundary(bitAfter(referenceRun))
  return unpackGroups(bytes, bit, { references, widths, lengths }, { order: 0, first: [], least: 0 }, count)
}

/** A bit that is set begins a group. */
function groupLengths(bitmap: Uint8Array, count: number, groups: number): number[] {
  const lengths: number[] = []
  for (let i = 0; i < count; i++) {
    if (isSet(bitmap, i) || lengths.length === 0) lengths.push(0)
    if (lengths.length > groups) throw malformed(`more groups than the ${groups} expected`)
    lengths[lengths.length - 1] = (lengths.at(-1) ?? 0) + 1
  }
  return lengths
}
