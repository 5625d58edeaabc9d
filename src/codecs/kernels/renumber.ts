import { malformed } from '../../errors.ts'
import { type DataType, integerRange } from '../../model/data-type.ts'

/** How stored numbers become those that are served: `stored * multiply + add`, and what marks missing points as what marks them there. */
export interface Renumbering {
  readonly multiply?: number | bigint
  readonly add?: number | bigint
  /** Smaller results have no meaning: dates of another calendar. */
  readonly least?: number | bigint
  /** Stored numbers that mark missing points. */
  readonly sentinels?: readonly (number | bigint)[]
  /** What marks them afterwards; without it NaN. */
  readonly missing?: number | bigint
  /** What else marks missing points afterwards, and is made of none of these. */
  readonly marks?: readonly (number | bigint)[]
  /** The stored number that says that nothing was written, also beyond the end of an array, where it has no place in the target. */
  readonly unwritten?: number | bigint
  /** Integers that become floats do so exactly, or not at all. */
  readonly isExact?: boolean
}

type Value = number | bigint

/**
 * In integers exactly, or not at all: a result that the type can't hold is an error, and so is one that would be taken for a
 * missing point. Floats are computed in doubles.
 */
export function renumberer(renumbering: Renumbering, target: DataType): (stored: Value) => Value {
  const { sentinels = [], missing, marks = [], unwritten } = renumbering
  const taken = missing === undefined ? marks : [missing, ...marks]
  const missingTarget = missing ?? Number.NaN
  const unwrittenTarget = missing ?? lowestOf(target)
  const map = target.kind === 'float' ? floats(renumbering) : integers(renumbering, target)
  const isSentinel = (value: Value) => sentinels.some((sentinel) => isEqual(sentinel, value))
  return (stored) => {
    if (isSentinel(stored)) return missingTarget
    if (unwritten !== undefined && isEqual(unwritten, stored)) return unwrittenTarget
    const value = map(stored)
    if (taken.some((mark) => isEqual(value, mark))) {
      throw malformed(
        `the value ${stored} becomes ${value}, which marks missing points in the first source of the join`,
      )
    }
    return value
  }
}

/** What numpy takes for no time in int64; NaN of floats. */
function lowestOf(type: DataType): Value {
  if (type.kind !== 'int' && type.kind !== 'uint') return Number.NaN
  const [lowest] = integerRange(type)
  return type.bits === 64 ? lowest : Number(lowest)
}

/** Numbers and bigints by their value. */
function isEqual(one: Value, other: Value): boolean {
  return typeof one === typeof other ? one === other : Number(one) === Number(other) && BigInt(one) === BigInt(other)
}

/** Whether the result for a number is smaller than `least`, or the target can't hold it. */
export function isOutside(
  stored: Value,
  { multiply = 1, add = 0, least, isExact = false }: Renumbering,
  target: DataType,
): boolean {
  if (target.kind !== 'int' && target.kind !== 'uint') {
    const number = Number(stored) * Number(multiply) + Number(add)
    const isInexact = isExact && BigInt(number) !== BigInt(stored) * BigInt(multiply) + BigInt(add)
    return isInexact || (least !== undefined && number < Number(least))
  }
  const value = BigInt(stored) * BigInt(multiply) + BigInt(add)
  const [lowest, highest] = integerRange(target)
  return value < lowest || value > highest || (least !== undefined && value < BigInt(least))
}

function floats({ multiply = 1, add = 0, least, isExact = false }: Renumbering): (stored: Value) => Value {
  const [factor, summand] = [Number(multiply), Number(add)]
  const bound = least === undefined ? Number.NEGATIVE_INFINITY : Number(least)
  return (stored) => {
    const value = isExact ? exactly(BigInt(stored) * BigInt(multiply) + BigInt(add)) : Number(stored) * factor + summand
    if (value < bound) throw beforeBound(stored)
    return value
  }
}

function exactly(value: bigint): number {
  const number = Number(value)
  if (BigInt(number) === value) return number
  throw malformed(`the number ${value} is not one of float64, which other sources of the join have: it can't be exact`)
}

function integers(
  { multiply = 1, add = 0, least, sentinels = [], missing }: Renumbering,
  target: DataType,
): (stored: Value) => Value {
  if (target.kind !== 'int' && target.kind !== 'uint') throw malformed(`numbers are not renumbered to ${target.kind}`)
  if (sentinels.length > 0 && missing === undefined) {
    throw malformed('a source marks missing points, and the join has no value that says so')
  }
  const [factor, summand] = [BigInt(multiply), BigInt(add)]
  const half = 2n ** BigInt(target.bits - (target.kind === 'int' ? 1 : 0))
  const from = target.kind === 'int' ? -half : 0n
  const bound = least === undefined ? from : BigInt(least)
  return (stored) => {
    const value = BigInt(stored) * factor + summand
    if (value < bound && value >= from) throw beforeBound(stored)
    if (value >= from && value < half) return target.bits === 64 ? value : Number(value)
    throw malformed(`the value ${stored} becomes ${value}, which is too large for ${target.kind}${target.bits}`)
  }
}

function beforeBound(stored: Value): Error {
  return malformed(
    `the time ${stored} is a date before 1582-10-15, which the calendar of the first source of the join names otherwise`,
  )
}
