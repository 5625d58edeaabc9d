import type { DataType, Scalar } from '../model/data-type.ts'
import { castScalar } from './cast.ts'
import type { Held } from './numbers.ts'

export interface Packing {
  readonly scaleFactor: number
  readonly addOffset: number
}

/**
 * A sentinel of the physical domain in the packed one (PACK-3), rounded to the nearest integer for integer types; undefined
 * when the packed type can't hold it.
 */
export function packedSentinel(physical: number, packing: Packing, type: DataType): Held<Scalar> | undefined {
  const packed = (physical - packing.addOffset) / packing.scaleFactor
  const isInteger = type.kind === 'int' || type.kind === 'uint'
  return castScalar({ kind: 'number', value: isInteger ? nearestEven(packed) : packed }, type)
}

/** IEEE 754 roundTiesToEven. */
function nearestEven(value: number): number {
  const below = Math.floor(value)
  const rest = value - below
  if (rest !== 0.5) return Math.round(value)
  return below % 2 === 0 ? below : below + 1
}
