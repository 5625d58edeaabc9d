// Complex packing (5.2) and spatial differencing (5.3): groups, each with its own reference and width.

import { Cursor } from '../../bytes/cursor.ts'
import { malformed } from '../../errors.ts'
import { bitAfter, byteBoundary, requireRun, unpackInto, unpackRun } from './bits.ts'
import { applyScaling, constantValues, signMagnitude } from './scaling.ts'
import type { SimplePacking } from './simple.ts'
import { undoDifferences } from './spatial-differencing.ts'

/** What section 5 says of groups. */
export interface ComplexPacking extends SimplePacking {
  /** Code table 5.5: 0 none, 1 the highest integer of a group is missing, 2 the one below it, too. */
  readonly missing: number
  readonly groups: number
  readonly widthReference: number
  readonly widthBits: number
  readonly lengthReference: number
  readonly lengthIncrement: number
  readonly lastLength: number
  readonly lengthBits: number
  /** Of spatial differencing: 0 without it. */
  readonly order: number
  /** Bytes of each number that spatial differencing begins with. */
  readonly extraBytes: number
}

/** Reads what follows the scaling and width of section 5. */
export function readComplex(cursor: Cursor, simple: SimplePacking, hasDifferences: boolean): ComplexPacking {
  cursor.skip(2)
  const missing = cursor.u8()
  cursor.skip(8)
  const packing = {
    ...simple,
    missing,
    groups: cursor.u32(),
    widthReference: cursor.u8(),
    widthBits: cursor.u8(),
    lengthReference: cursor.u32(),
    lengthIncrement: cursor.u8(),
    lastLength: cursor.u32(),
    lengthBits: cursor.u8(),
    order: hasDifferences ? cursor.u8() : 0,
    extraBytes: hasDifferences ? cursor.u8() : 0,
  }
  if (missing > 2) throw malformed(`missing value management ${missing}, expected 0, 1 or 2`)
  if (packing.order > 2) throw malformed(`spatial differencing of order ${packing.order}, expected 1 or 2`)
  return packing
}

/** The values of a field, NaN where they are missing. */
export function decodeComplex(data: Uint8Array, packing: ComplexPacking, count: number): Float64Array {
  if (packing.groups === 0) return constantValues(count, packing)
  const { first, least, bit } = readExtras(data, packing)
  const groups = readGroups(data, packing, bit, count)
  const values = new Float64Array(count)
  unpackGroups(data, packing, groups, values)
  if (packing.order > 0) undoDifferences(values, packing.order, first, least)
  return applyScaling(values, packing)
}

/** The numbers before the groups: the first values, then the least difference. */
function readExtras(data: Uint8Array, { order, extraBytes }: ComplexPacking) {
  const cursor = new Cursor(data, 'big')
  const first = Array.from({ length: order }, () => cursor.uint(extraBytes))
  const least = order > 0 && extraBytes > 0 ? signMagnitude(cursor.uint(extraBytes), extraBytes * 8) : 0
  return { first, least, bit: cursor.position * 8 }
}

interface Groups {
  readonly references: Uint32Array
  readonly widths: Uint32Array
  readonly lengths: Uint32Array
  /** Where their values begin. */
  readonly bit: number
}

function readGroups(data: Uint8Array, packing: ComplexPacking, bit: number, count: number): Groups {
  const { groups } = packing
  if (groups > count) throw malformed(`${groups} groups of ${count} values`)
  const referenceRun = { start: bit, width: packing.bits, count: groups }
  const references = unpackRun(data, referenceRun, 'references of groups')
  const widthRun = { start: byteBoundary(bitAfter(referenceRun)), width: packing.widthBits, count: groups }
  const widths = unpackRun(data, widthRun, 'widths of groups')
  const lengthRun = { start: byteBoundary(bitAfter(widthRun)), width: packing.lengthBits, count: groups }
  const lengths = unpackRun(data, lengthRun, 'lengths of groups')
  let total = 0
  for (let group = 0; group < groups; group++) {
    widths[group] = (widths[group] ?? 0) + packing.widthReference
    const length = packing.lengthReference + (lengths[group] ?? 0) * packing.lengthIncrement
    lengths[group] = group === groups - 1 ? packing.lastLength : length
    total += lengths[group] ?? 0
  }
  if (total !== count) throw malformed(`groups hold ${total} values, ${count} are expected`)
  return { references, widths, lengths, bit: byteBoundary(bitAfter(lengthRun)) }
}

function unpackGroups(data: Uint8Array, packing: ComplexPacking, groups: Groups, values: Float64Array): void {
  let { bit } = groups
  let at = 0
  for (let group = 0; group < packing.groups; group++) {
    const width = groups.widths[group] ?? 0
    const reference = groups.references[group] ?? 0
    const end = at + (groups.lengths[group] ?? 0)
    const run = { start: bit, width, count: end - at }
    requireRun(data, run, 'values of groups')
    // Where a group has no bits, its reference tells whether its values are missing.
    const most = 2 ** (width > 0 ? width : packing.bits) - 1
    const firstMissing = packing.missing === 0 ? Number.POSITIVE_INFINITY : most + 1 - packing.missing
    if (width === 0) values.fill(reference >= firstMissing ? Number.NaN : reference, at, end)
    else {
      unpackInto(data, run, values, at)
      for (let i = at; i < end; i++) {
        const value = values[i] ?? 0
        values[i] = value >= firstMissing ? Number.NaN : value + reference
      }
    }
    bit = bitAfter(run)
    at = end
  }
}
