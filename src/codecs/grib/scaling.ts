// How integers become values, in both editions: Y = (R + X · 2^E) · 10^-D.

import type { Cursor } from '../../bytes/cursor.ts'

/** The three numbers, the powers worked out. */
export interface Scaling {
  readonly reference: number
  readonly binary: number
  readonly decimal: number
}

/** A power as repeated products and one division: so are the last bits the same as those of other readers. */
export function integerPower(base: number, exponent: number): number {
  let power = 1
  for (let i = Math.abs(exponent); i > 0; i--) power *= base
  return exponent < 0 ? 1 / power : power
}

/** Of the factors as they are stored. */
export function scalingOf(reference: number, binaryExponent: number, decimalExponent: number): Scaling {
  return { reference, binary: integerPower(2, binaryExponent), decimal: integerPower(10, -decimalExponent) }
}

/** Integers to values, in place. */
export function applyScaling(values: Float64Array, { reference, binary, decimal }: Scaling): Float64Array {
  for (let i = 0; i < values.length; i++) values[i] = ((values[i] ?? 0) * binary + reference) * decimal
  return values
}

/** A field of one value: the reference itself, which readers of GRIB don't scale. */
export function constantValues(count: number, { reference }: Scaling): Float64Array {
  return new Float64Array(count).fill(reference)
}

/** The highest bit is the sign, the others are the magnitude. */
export function signMagnitude(value: number, bits: number): number {
  const half = 2 ** (bits - 1)
  return value >= half ? half - value : value
}

/** Two bytes of it. */
export function signed16(cursor: Cursor): number {
  return signMagnitude(cursor.u16(), 16)
}

/** Four bytes of it. */
export function signed32(cursor: Cursor): number {
  return signMagnitude(cursor.u32(), 32)
}

/** An IBM System/360 number of four bytes: a power of 16 and 24 bits of fraction. */
export function ibmFloat(word: number): number {
  const magnitude = (word & 0xff_ffff) * 2 ** (4 * ((word >>> 24) & 127) - 280)
  return word >>> 31 === 1 ? -magnitude : magnitude
}
