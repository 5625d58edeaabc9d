import { numbersOf } from '../../codecs/numbers.ts'
import type { DataType } from '../../model/data-type.ts'
import type { VirtualArray } from '../../model/virtual-store.ts'
import type { Found } from '../common-meaning.ts'
import { finiteNumber, PACKING, sentinelsOf } from '../meaning.ts'
import { textAttribute, timesOf } from '../times-of.ts'
import { isSameType } from '../types.ts'
import { type CountChange, commonUnits, countChange, isSharedCalendar } from './common-times.ts'
import type { TimeUnits } from './time-units.ts'

/** Attributes that may differ between equal times. */
export const TIME_ATTRIBUTES = ['units', 'calendar', 'missing_value']

const NUMBERS: readonly DataType['kind'][] = ['int', 'uint', 'float']

/** Whether two variables are times that are counted differently, and can be compared as dates. */
export function areTimesApart(one: Found, other: Found, path: string): boolean {
  const [first, second] = [one, other].map(({ tree }) => timesOf(tree, path))
  if (first?.parsed === undefined || second?.parsed === undefined) return false
  const isPacked = [one, other].some(({ array }) => PACKING.some((name) => array.attributes.has(name)))
  const areNumbers = [one, other].every(({ array }) => NUMBERS.includes(array.dataType.kind))
  if (isPacked || !areNumbers || !isSharedCalendar(first.parsed, second.parsed)) return false
  // Bounds may repeat the units and calendar of what they bound in one file, and not in another.
  const isSaidAlike = ['units', 'calendar'].every(
    (name) => textAttribute(one.array.attributes.get(name)) === textAttribute(other.array.attributes.get(name)),
  )
  const isAlike = isSaidAlike && first.units === second.units && first.calendar === second.calendar
  return !isAlike || !isSameType(one.array.dataType, other.array.dataType)
}

/** Values of times, and what they count from. */
export interface CountedTimes {
  readonly array: VirtualArray
  readonly units: TimeUnits
  /** Little-endian, in the array's type. */
  readonly bytes: Uint8Array
}

/** Another unit costs the last digit of a fraction. */
const ROUNDING = 2 ** -51

/** Whether two lists of times are the same dates: exactly for integers, to the last digit of a double for fractions. */
export function areSameTimes(one: CountedTimes, other: CountedTimes): boolean {
  const units = commonUnits([one.units, other.units])
  const changes = units && [countChange(one.units, units), countChange(other.units, units)]
  const [left, right] = [countsOf(one), countsOf(other)]
  if (changes?.[0] === undefined || changes[1] === undefined || left.length !== right.length) return false
  const [changeLeft, changeRight] = changes as [CountChange, CountChange]
  return left.every((count, at) => isSameTime(count, changeLeft, right[at], changeRight))
}

type Count = number | bigint | undefined

/** Undefined for a point that is marked as missing. */
function countsOf({ array, bytes }: CountedTimes): readonly Count[] {
  const missing = new Set(sentinelsOf(array).flatMap(finiteNumber).map(Number))
  return Array.from<number | bigint, Count>(numbersOf(bytes, array.dataType), (value) =>
    Number.isNaN(value) || missing.has(Number(value)) ? undefined : value,
  )
}

function isSameTime(one: Count, byOne: CountChange, other: Count, byOther: CountChange): boolean {
  if (one === undefined || other === undefined) return one === other
  const [left, right] = [whole(one), whole(other)]
  if (left !== undefined && right !== undefined) {
    const [first, second] = [left * byOne.multiply + byOne.add, right * byOther.multiply + byOther.add]
    return first === second && first >= (byOne.least ?? first) && first >= (byOther.least ?? first)
  }
  const [first, second] = [double(one, byOne), double(other, byOther)]
  const size = Math.max(...[first, second].map(Math.abs), Number(byOne.add < 0n ? -byOne.add : byOne.add))
  const isShared = [byOne, byOther].every(({ least }) => least === undefined || first >= Number(least))
  return isShared && Math.abs(first - second) <= ROUNDING * size
}

function whole(value: number | bigint): bigint | undefined {
  if (typeof value === 'bigint') return value
  return Number.isSafeInteger(value) ? BigInt(value) : undefined
}

function double(value: number | bigint, { multiply, add }: CountChange): number {
  return Number(value) * Number(multiply) + Number(add)
}
