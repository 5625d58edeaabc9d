import type { Numbers } from '../codecs/numbers.ts'
import { nextNumber } from './next-number.ts'

/** One row of blocks: how many points there are in a row, how many in a block, and where the means go. */
interface BlockRow {
  readonly length: number
  readonly factor: number
  readonly at: number
  readonly width: number
}

/** Writes the means of one row of blocks, whose points lie in rows that begin at these places. */
export type RowMean = (rows: readonly number[], row: BlockRow) => void

type PlainNumbers = Exclude<Numbers, BigInt64Array | BigUint64Array>
type WideNumbers = BigInt64Array | BigUint64Array

/** Integers of which none is missing: halves go to the even neighbour, so that levels over levels don't drift. */
export function meanOfIntegers(source: PlainNumbers, target: PlainNumbers): RowMean {
  return (rows, { length, factor, at, width }) => {
    const [first = 0, second = 0] = rows
    const isQuad = rows.length === 2 && factor === 2
    const whole = isQuad ? Math.floor(length / 2) : 0
    for (let i = 0, from = first, to = second; i < whole; i++, from += 2, to += 2) {
      const sum = (source[from] ?? 0) + (source[from + 1] ?? 0) + (source[to] ?? 0) + (source[to + 1] ?? 0)
      target[at + i] = nearestEven(sum / 4)
    }
    for (let i = whole; i < width; i++) {
      const count = Math.min(factor, length - i * factor)
      let sum = 0
      for (const row of rows) for (let k = 0; k < count; k++) sum += source[row + i * factor + k] ?? 0
      target[at + i] = nearestEven(sum / (count * rows.length))
    }
  }
}

function nearestEven(value: number): number {
  const low = Math.floor(value)
  const rest = value - low
  if (rest < 0.5) return low
  return rest > 0.5 || low % 2 !== 0 ? low + 1 : low
}

/**
 * Numbers some of which are missing: NaN, and those that mark it. A mean that happens to be such a mark would read as missing: the
 * next number stands for it, as in GDAL's overviews.
 */
export function meanOfNumbers(
  source: PlainNumbers,
  target: PlainNumbers,
  missing: readonly number[],
  isInteger: boolean,
): RowMean {
  const [one = Number.NaN, other = Number.NaN, ...more] = missing
  const others = new Set(more)
  const none = missing.length === 0 ? Number.NaN : one
  const isMissing = (value: number) =>
    Number.isNaN(value) || value === one || value === other || (others.size > 0 && others.has(value))
  const instead = new Map(missing.map((mark) => [mark, nextNumber(mark, target, isMissing)]))
  return (rows, { length, factor, at, width }) => {
    for (let i = 0; i < width; i++) {
      const begin = i * factor
      const end = Math.min(begin + factor, length)
      let sum = 0
      let count = 0
      let first = none
      for (const row of rows) {
        for (let k = begin; k < end; k++) {
          const value = source[row + k] ?? 0
          if (isMissing(value)) continue
          if (count++ === 0) first = value
          sum += value
        }
      }
      target[at + i] = count === 0 ? none : sum / count
      if (isInteger && count > 0) target[at + i] = nearestEven(sum / count)
      const mean = target[at + i] ?? 0
      if (count > 0 && missing.length > 0 && isMissing(mean)) target[at + i] = instead.get(mean) ?? first
    }
  }
}

/** Integers of 64 bits, exactly. */
export function meanOfWideIntegers(source: WideNumbers, target: WideNumbers, missing: readonly bigint[]): RowMean {
  const marks = new Set(missing)
  return (rows, { length, factor, at, width }) => {
    for (let i = 0; i < width; i++) {
      const begin = i * factor
      const valid: bigint[] = []
      for (const row of rows) {
        for (let k = begin; k < Math.min(begin + factor, length); k++) {
          const value = source[row + k] ?? 0n
          if (!marks.has(value)) valid.push(value)
        }
      }
      const mean = valid.length === 0 ? (missing[0] ?? 0n) : wideMean(valid)
      target[at + i] = marks.has(mean) && valid.length > 0 ? nextWideNumber(mean, target, marks) : mean
    }
  }
}

/** The next integer that marks nothing: the larger one, where the type has it. */
function nextWideNumber(mark: bigint, target: WideNumbers, marks: ReadonlySet<bigint>): bigint {
  const probe = target instanceof BigInt64Array ? new BigInt64Array(1) : new BigUint64Array(1)
  for (const step of [1n, -1n]) {
    let next = mark + step
    while (marks.has(next)) next += step
    probe[0] = next
    if (probe[0] === next) return next
  }
  return mark
}

function wideMean(values: readonly bigint[]): bigint {
  const count = BigInt(values.length)
  const sum = values.reduce((total, value) => total + value, 0n)
  const low = (sum - (((sum % count) + count) % count)) / count
  const twice = (sum - low * count) * 2n
  return twice > count || (twice === count && low % 2n !== 0n) ? low + 1n : low
}
