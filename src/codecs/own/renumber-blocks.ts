import { type DataType, type IntegerType, integerRange } from '../../model/data-type.ts'
import { type Renumbering, renumberer } from '../kernels/renumber.ts'
import { isLong, mapInto, type Numbers } from '../numbers.ts'

/**
 * Converts whole chunks by way of doubles, a block at a time: copies between typed arrays of different types are native loops,
 * and the arithmetic in the middle sees one type only. An int16 to float32 takes about 3 ns an element; `renumberer`,
 * which makes BigInts of integers, takes 40 to 90 ns. Every element for which doubles are not known to be exact
 * (64-bit integers beyond 2^53) or that is an error goes through `renumberer`, so the results are the same.
 */
export interface BlockRenumberer {
  /** Fills `target`, which is as long as `source`. */
  convert(source: Numbers, target: Numbers): void
}

/** Elements of a block: its doubles, and those of the other side, stay in the first-level cache. */
const BLOCK_LENGTH = 2048

const MAX_EXACT = 2 ** 53

export function blockRenumberer(renumbering: Renumbering, from: DataType, to: DataType): BlockRenumberer {
  const single = renumberer(renumbering, to)
  // Fractions have no place among integers: whatever is wrong with one is said of it alone.
  if (!isWhole(from) && (isWhole(to) || renumbering.isExact === true))
    return { convert: (source, target) => void mapInto(target, (i) => single(source[i] ?? 0)) }
  const program = programOf(renumbering, from, to)
  return {
    convert(source, target) {
      const block = new Float64Array(Math.min(BLOCK_LENGTH, source.length))
      for (let start = 0; start < source.length; start += BLOCK_LENGTH) {
        const length = Math.min(BLOCK_LENGTH, source.length - start)
        const [read, write] = [source.subarray(start, start + length), target.subarray(start, start + length)]
        const values = length === block.length ? block : block.subarray(0, length)
        toDoubles(read, values)
        const left = compute(values, program, (i) => single(read[i] ?? 0))
        fromDoubles(values, write)
        for (const [i, value] of left) mapInto(write.subarray(i, i + 1), () => value)
      }
    },
  }
}

/** What the loop needs, as plain numbers. */
interface Program {
  readonly multiply: number
  readonly add: number
  /** Stored numbers outside of these are converted one by one. */
  readonly lowest: number
  readonly highest: number
  /** Results below this are errors. */
  readonly least: number
  /** Stored numbers that become fixed ones; the fixed ones at the same positions. */
  readonly sentinels: Float64Array
  readonly sentinelTargets: Float64Array
  /** Results that are errors, since they would be taken for missing points. */
  readonly marks: Float64Array
  /** The target holds numbers that are no doubles. */
  readonly isLongTarget: boolean
}

function programOf(renumbering: Renumbering, from: DataType, to: DataType): Program {
  const { multiply = 1, add = 0, least, isExact = false } = renumbering
  const { sentinels = [], missing, marks = [], unwritten } = renumbering
  const isLongTarget = isWhole(to) && to.bits === 64
  const isLongSource = isWhole(from) && from.bits === 64
  const [lowest, highest] =
    isWhole(to) || isExact
      ? exactRange(renumbering, from, to)
      : isLongSource
        ? [-MAX_EXACT, MAX_EXACT]
        : [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  const fixed = sentinels.map((sentinel) => [sentinel, missing ?? Number.NaN] as const)
  const single = renumberer(renumbering, to)
  if (unwritten !== undefined) fixed.push([unwritten, single(unwritten)])
  // A number that no double is equal to is equal to none that the loop sees.
  const isSeen = (stored: number | bigint) => isDouble(stored) && (!isLongSource || Number.isFinite(Number(stored)))
  const seen = fixed.filter(([stored, result]) => isSeen(stored) && (!isLongTarget || isExactInteger(result)))
  const hidden = fixed.filter((pair) => !seen.includes(pair)).map(([stored]) => stored)
  const taken = missing === undefined ? marks : [missing, ...marks]
  const isHidden = hidden.some((stored) => isDouble(stored) && Math.abs(Number(stored)) <= MAX_EXACT)
  return {
    multiply: Number(multiply),
    add: Number(add),
    // A stored number that the loop would see, and whose result it can't write: all are converted one by one.
    lowest: isHidden ? Number.POSITIVE_INFINITY : lowest,
    highest: isHidden ? Number.NEGATIVE_INFINITY : highest,
    least: least === undefined ? Number.NEGATIVE_INFINITY : Number(least),
    sentinels: Float64Array.from(seen, ([stored]) => Number(stored)),
    sentinelTargets: Float64Array.from(seen, ([, result]) => Number(result)),
    marks: Float64Array.from(taken.filter(isDouble), Number),
    isLongTarget,
  }
}

/** Stored integers whose results are integers that the target holds, with every step exact in doubles; an empty range if none are. */
function exactRange(
  { multiply = 1, add = 0, least }: Renumbering,
  from: DataType,
  to: DataType,
): readonly [lowest: number, highest: number] {
  const none = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] as const
  if (!isWhole(from)) return none
  const [factor, summand] = [BigInt(multiply), BigInt(add)]
  const limit = BigInt(MAX_EXACT)
  const magnitude = factor < 0n ? -factor : factor
  if (magnitude > limit || summand > limit || summand < -limit) return none
  const [least64, most64] = isWhole(to) ? integerRange(to) : [-limit, limit]
  const bound = least === undefined ? least64 : larger(least64, BigInt(least))
  const [lowestResult, highestResult] = [larger(bound, -limit), smaller(most64, limit)]
  const [lowestStored, highestStored] = integerRange(from)
  let [low, high] = [larger(lowestStored, -limit), smaller(highestStored, limit)]
  if (factor === 0n) return summand >= lowestResult && summand <= highestResult ? [Number(low), Number(high)] : none
  const product = limit / magnitude
  ;[low, high] = [larger(low, -product), smaller(high, product)]
  const ends = [divided(lowestResult - summand, factor), divided(highestResult - summand, factor)] as const
  const [first, last] = factor > 0n ? ends : [ends[1], ends[0]]
  ;[low, high] = [larger(low, first.ceiling), smaller(high, last.floor)]
  return low <= high ? [Number(low), Number(high)] : none
}

function isWhole(type: DataType): type is IntegerType {
  return type.kind === 'int' || type.kind === 'uint'
}

function divided(value: bigint, divisor: bigint): { readonly floor: bigint; readonly ceiling: bigint } {
  const whole = value / divisor
  const rest = value % divisor
  if (rest === 0n) return { floor: whole, ceiling: whole }
  return rest < 0n === divisor < 0n ? { floor: whole, ceiling: whole + 1n } : { floor: whole - 1n, ceiling: whole }
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}

function isDouble(value: number | bigint): boolean {
  return typeof value === 'number' || BigInt(Number(value)) === value
}

function isExactInteger(value: number | bigint): boolean {
  return typeof value === 'bigint' ? isDouble(value) : Number.isInteger(value)
}

type Results = readonly (readonly [index: number, value: number | bigint])[]
type Single = (index: number) => number | bigint

/** Converts doubles in place; returns those results that are no doubles, by their index. */
function compute(values: Float64Array, program: Program, single: Single): Results {
  const { multiply, add, lowest, highest, sentinels, sentinelTargets, marks } = program
  if (sentinels.length > 1 || marks.length > 1 || program.least > Number.NEGATIVE_INFINITY)
    return computeAny(values, program, single)
  // Comparisons with NaN are false, so that NaN stands for "there is none".
  const [sentinel = Number.NaN] = sentinels
  const [missing = Number.NaN] = sentinelTargets
  const [mark = Number.NaN] = marks
  const one: [number, number | bigint][] = []
  for (let i = 0; i < values.length; i++) {
    const stored = values[i] as number
    const value = stored * multiply + add
    if (stored === sentinel) values[i] = missing
    else if (stored < lowest || stored > highest || value === mark) computeOne(values, i, program, single, one)
    else values[i] = value
  }
  return one
}

/** The same for any number of sentinels and marks, and for results that are bounded from below. */
function computeAny(values: Float64Array, program: Program, single: Single): Results {
  const { multiply, add, lowest, highest, least, sentinels, sentinelTargets, marks } = program
  const one: [number, number | bigint][] = []
  for (let i = 0; i < values.length; i++) {
    const stored = values[i] as number
    const found = sentinels.indexOf(stored)
    const value = stored * multiply + add
    if (found !== -1) values[i] = sentinelTargets[found] as number
    else if (stored < lowest || stored > highest || value < least || marks.includes(value))
      computeOne(values, i, program, single, one)
    else values[i] = value
  }
  return one
}

/** Converts one number by itself, or throws what is wrong with it. */
function computeOne(
  values: Float64Array,
  index: number,
  { isLongTarget }: Program,
  single: Single,
  results: [number, number | bigint][],
): void {
  const value = single(index)
  if (isLongTarget) results.push([index, value])
  else values[index] = Number(value)
}

const HIGH_WORD = 2 ** 32
/** The high words of integers whose magnitude is below 2^53. */
const MAX_HIGH_WORD = 2 ** 21

/** Integers of 64 bits beyond 2^53 become infinities, which no range of exact numbers holds. */
function toDoubles(source: Numbers, doubles: Float64Array): void {
  if (!isLong(source)) {
    doubles.set(source)
    return
  }
  const isSigned = source instanceof BigInt64Array
  const words = new Int32Array(source.buffer, source.byteOffset, source.length * 2)
  for (let i = 0; i < doubles.length; i++) {
    const high = words[2 * i + 1] ?? 0
    const low = (words[2 * i] ?? 0) >>> 0
    const isExact = high < MAX_HIGH_WORD && high >= (isSigned ? -MAX_HIGH_WORD : 0)
    doubles[i] = isExact ? high * HIGH_WORD + low : Number.POSITIVE_INFINITY
  }
}

/** Doubles that are integers of at most 2^53 become 64-bit integers; others are written afterwards. */
function fromDoubles(doubles: Float64Array, target: Numbers): void {
  if (!isLong(target)) {
    target.set(doubles)
    return
  }
  const words = new Int32Array(target.buffer, target.byteOffset, target.length * 2)
  for (let i = 0; i < doubles.length; i++) {
    const value = doubles[i] ?? 0
    const high = Math.floor(value / HIGH_WORD)
    words[2 * i + 1] = high
    words[2 * i] = value - high * HIGH_WORD
  }
}
