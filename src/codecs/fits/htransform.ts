import { smoothPlane } from './hsmooth.ts'

/** Values in rows. */
export interface Plane {
  readonly rows: number
  readonly columns: number
  readonly values: Float64Array
}

/** What a level of the transform rounds to: powers of two that halve from level to level. */
interface Rounding {
  /** Weight of the lowest bit of the differences of differences, of the differences, and of the sums. */
  readonly bit0: number
  readonly bit1: number
  readonly isLast: boolean
}

/**
 * The H-transform undone in place: level by level, four coefficients become four values. Doubles hold these integers exactly;
 * the arithmetic is that of two's complement. A `scale` smooths what it made coarse.
 */
export function invertHTransform(plane: Plane, scale: number): void {
  const { rows, columns, values } = plane
  const levels = Math.ceil(Math.log2(Math.max(rows, columns)))
  if (levels > 0) values[0] = rounded(values[0] ?? 0, 2 ** (levels + 1))
  for (let level = levels - 1; level >= 0; level--) {
    const height = Math.ceil(rows / 2 ** level)
    const width = Math.ceil(columns / 2 ** level)
    interleave(plane, height, width)
    if (scale > 1) smoothPlane(plane, height, width, Math.floor(scale / 2))
    const bit0 = 2 ** level
    invertLevel(plane, height, width, { bit0, bit1: 2 * bit0, isLast: level === 0 })
  }
}

/** To a multiple of a power of two; halves away from zero upward, towards zero below it. */
function rounded(value: number, unit: number): number {
  const half = unit / 2
  return Math.floor((value + (value >= 0 ? half : half - 1)) / unit) * unit
}

/** Whether a multiple of a bit has that bit. */
function has(value: number, bit: number): boolean {
  return Math.floor(value / bit) % 2 !== 0
}

/** Coefficients lie in halves; here they come to lie beside the sums that they belong to. */
function interleave({ columns, values }: Plane, height: number, width: number): void {
  const line = new Float64Array(Math.max(height, width))
  for (let y = 0; y < height; y++) interleaveLine(values, y * columns, 1, width, line)
  for (let x = 0; x < width; x++) interleaveLine(values, x, columns, height, line)
}

function interleaveLine(values: Float64Array, start: number, step: number, count: number, line: Float64Array): void {
  const half = Math.ceil(count / 2)
  for (let i = 0; i < count; i++) line[i < half ? 2 * i : 2 * (i - half) + 1] = values[start + i * step] ?? 0
  for (let i = 0; i < count; i++) values[start + i * step] = line[i] ?? 0
}

function invertLevel({ columns, values }: Plane, height: number, width: number, rounding: Rounding): void {
  for (let y = 0; y < height; y += 2) {
    const hasBelow = y + 1 < height
    for (let x = 0; x < width; x += 2) {
      const at = y * columns + x
      const hasRight = x + 1 < width
      if (hasBelow && hasRight) invertFour(values, at, columns, rounding)
      else if (hasBelow) invertTwo(values, at, at + columns, rounding)
      else if (hasRight) invertTwo(values, at, at + 1, rounding)
      else values[at] = divided(values[at] ?? 0, rounding)
    }
  }
}

/** Sums are halved at each level, and at the last once more. */
function divided(value: number, { isLast }: Rounding): number {
  return Math.floor(value / (isLast ? 4 : 2))
}

/** On the last level nothing is left to round in the differences of differences. */
function roundedLow(value: number, { bit0, isLast }: Rounding): number {
  return isLast ? value : rounded(value, bit0)
}

function invertFour(values: Float64Array, at: number, columns: number, rounding: Rounding): void {
  const { bit0, bit1 } = rounding
  const below = at + columns
  const both = roundedLow(values[below + 1] ?? 0, rounding)
  const low = has(both, bit0) ? bit0 : 0
  const down = withLow(rounded(values[below] ?? 0, bit1), low)
  const across = withLow(rounded(values[at + 1] ?? 0, bit1), low)
  const isOdd = (has(both, bit1) !== has(down, bit1)) !== has(across, bit1)
  const high = isOdd ? bit1 : 0
  const sum = values[at] ?? 0
  const mean = sum + (sum >= 0 ? low - high : low === 0 ? high : low - high)
  values[below + 1] = divided(mean + down + across + both, rounding)
  values[below] = divided(mean + down - across - both, rounding)
  values[at + 1] = divided(mean - down + across - both, rounding)
  values[at] = divided(mean - down - across + both, rounding)
}

/** The lowest bit, which these differences share with that of both, was rounded away from zero. */
function withLow(value: number, low: number): number {
  return value >= 0 ? value - low : value + low
}

/** At an odd edge: only one direction. */
function invertTwo(values: Float64Array, at: number, other: number, rounding: Rounding): void {
  const { bit1 } = rounding
  const difference = rounded(values[other] ?? 0, bit1)
  const low = has(difference, bit1) ? bit1 : 0
  const sum = values[at] ?? 0
  const mean = sum >= 0 ? sum - low : sum + low
  values[other] = divided(mean + difference, rounding)
  values[at] = divided(mean - difference, rounding)
}
