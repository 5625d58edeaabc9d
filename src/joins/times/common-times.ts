import { GREGORIAN_START } from './calendar.ts'
import { SECOND, type TimeUnits, UNIT_NAMES } from './time-units.ts'

/** How numbers of one count become those of another: `value * multiply + add`, both whole, so that integers stay exact. */
export interface CountChange {
  readonly multiply: bigint
  readonly add: bigint
  /** Smaller results are dates that the two calendars don't share. */
  readonly least?: bigint
}

/** The three real calendars are one from 1582-10-15 on but for the Julian one, which runs on. */
const WITH_GREGORIAN = ['standard', 'proleptic_gregorian']

/** Whether dates of both calendars can be told as dates of one. */
export function isSharedCalendar(one: TimeUnits, other: TimeUnits): boolean {
  if (one.calendar === other.calendar) return true
  return WITH_GREGORIAN.includes(one.calendar) && WITH_GREGORIAN.includes(other.calendar)
}

/**
 * The units in which all counts are whole where they were: those of the first, or the longest shorter unit that divides
 * every difference, from the first's date. Undefined where calendars differ.
 */
export function commonUnits(all: readonly TimeUnits[]): TimeUnits | undefined {
  const [first] = all
  if (first === undefined || all.some((units) => !isSharedCalendar(first, units))) return undefined
  const step = all.reduce(
    (divisor, { unit, start }) => greatestDivisor(divisor, greatestDivisor(unit, start - first.start)),
    first.unit,
  )
  const unit = UNIT_NAMES.find(([, length]) => step % length === 0n)?.[1] ?? 1n
  return { ...first, unit: step % first.unit === 0n ? first.unit : unit }
}

/** How counts of one kind become counts of another; undefined where not every whole count would be whole. */
export function countChange(from: TimeUnits, to: TimeUnits): CountChange | undefined {
  const shift = from.start - to.start
  if (!isSharedCalendar(from, to) || from.unit % to.unit !== 0n || shift % to.unit !== 0n) return undefined
  const change = { multiply: from.unit / to.unit, add: shift / to.unit }
  if (from.calendar === to.calendar) return change
  const gregorian = BigInt(GREGORIAN_START) * 86_400n * SECOND - to.start
  return { ...change, least: ceilingOf(gregorian, to.unit) }
}

/** The text of the attribute `units`. */
export function unitsText({ unit, since }: TimeUnits): string {
  const name = UNIT_NAMES.find(([, length]) => length === unit)?.[0] ?? 'nanoseconds'
  return `${name} since ${since}`
}

function greatestDivisor(one: bigint, other: bigint): bigint {
  let [a, b] = [one < 0n ? -one : one, other < 0n ? -other : other]
  while (b !== 0n) [a, b] = [b, a % b]
  return a
}

function ceilingOf(value: bigint, divisor: bigint): bigint {
  const whole = value / divisor
  return whole * divisor < value ? whole + 1n : whole
}
