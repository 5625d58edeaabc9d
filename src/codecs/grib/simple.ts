// Simple packing (5.0, GRIB 1 without flags): integers of one width.

import { type BitRun, requireRun, unpackInto } from './bits.ts'
import { applyScaling, constantValues, type Scaling } from './scaling.ts'

/** How integers of one width lie in a data section. */
export interface SimplePacking extends Scaling {
  readonly bits: number
}

/** The values of a field; of no bits, one value for all points. */
export function decodeSimple(data: Uint8Array, packing: SimplePacking, count: number): Float64Array {
  if (packing.bits === 0) return constantValues(count, packing)
  const run: BitRun = { start: 0, width: packing.bits, count }
  requireRun(data, run, 'packed values')
  const values = new Float64Array(count)
  unpackInto(data, run, values, 0)
  return applyScaling(values, packing)
}

/** With logarithms taken before they were packed (5.61); `shift` made them positive. */
export function undoLogarithm(values: Float64Array, shift: number): Float64Array {
  return values.map((value) => Math.exp(value) - shift)
}
