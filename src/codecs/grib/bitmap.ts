import { malformed } from '../../errors.ts'
import { emptyValues, type ValueBits, type Values } from './values.ts'

/** How many of the first `points` bits are set. */
export function countPresent(bitmap: Uint8Array, points: number): number {
  if (bitmap.length * 8 < points) {
    throw malformed(`a bitmap of ${bitmap.length} bytes does not cover a grid of ${points} points`)
  }
  let count = 0
  const whole = Math.floor(points / 8)
  for (let i = 0; i < whole; i++) count += bitsSet(bitmap[i] ?? 0)
  return count + bitsSet((bitmap[whole] ?? 0) & (0xff00 >> (points % 8)) & 255)
}

/** Whether a point has a value. */
export function isSet(bitmap: Uint8Array, point: number): boolean {
  return ((bitmap[point >> 3] ?? 0) & (128 >> (point & 7))) !== 0
}

/** Values where the bitmap has a bit, NaN elsewhere. */
export function spreadOver(bitmap: Uint8Array, values: Values, points: number, bits: ValueBits): Values {
  const result = emptyValues(points, bits)
  for (let i = 0, next = 0; i < points; i++) {
    result[i] = isSet(bitmap, i) ? (values[next++] ?? Number.NaN) : Number.NaN
  }
  return result
}

function bitsSet(byte: number): number {
  let count = 0
  for (let rest = byte; rest !== 0; rest &= rest - 1) count++
  return count
}
