import { type Calendar, dayNumber } from '../../../src/joins/times/calendar.ts'
import { parseTimeUnits, type TimeUnits } from '../../../src/joins/times/time-units.ts'
import type { Attributes } from '../service/types.ts'

const DAY = 86_400_000_000_000n
const YEAR_DAYS: Readonly<Record<Calendar, number>> = {
  standard: 365.2425,
  proleptic_gregorian: 365.2425,
  julian: 365.25,
  noleap: 365,
  all_leap: 366,
  '360_day': 360,
}
/** The year from whose first day each calendar counts (calendar.ts). */
const FIRST_YEAR: Readonly<Record<Calendar, number>> = {
  standard: 1970,
  proleptic_gregorian: 1970,
  julian: 1970,
  noleap: 0,
  all_leap: 0,
  '360_day': 0,
}

/** How the numbers of a coordinate become dates: CF's `units` and `calendar`; undefined where they are no times. */
export function datesOf({ units, calendar }: Attributes): ((count: number | bigint) => string) | undefined {
  if (typeof units !== 'string') return undefined
  const known = parseTimeUnits(units, typeof calendar === 'string' ? calendar : undefined)
  return known === undefined ? undefined : (count) => dateText(count, known)
}

/** A count as a date of its own calendar, to the second, or to the day where it is midnight. */
function dateText(count: number | bigint, { calendar, unit, start }: TimeUnits): string {
  if (typeof count === 'number' && !Number.isFinite(count)) return 'missing'
  const instant = start + nanoseconds(count, unit)
  const day = instant / DAY - (instant % DAY < 0n ? 1n : 0n)
  const inDay = Number((instant - day * DAY) / 1_000_000_000n)
  const date = dateOfDay(calendar, Number(day))
  if (inDay === 0) return date
  const [hour, minute, second] = [Math.floor(inDay / 3600), Math.floor(inDay / 60) % 60, inDay % 60]
  const time = [hour, minute, ...(second === 0 ? [] : [second])].map((part) => String(part).padStart(2, '0'))
  return `${date} ${time.join(':')}`
}

/** Rounded to microseconds: floats of days don't hold more. */
function nanoseconds(count: number | bigint, unit: bigint): bigint {
  if (typeof count === 'bigint') return count * unit
  const whole = Math.trunc(count)
  const rest = Math.round((count - whole) * (Number(unit) / 1000))
  return BigInt(whole) * unit + BigInt(rest) * 1000n
}

/** The date whose number a day has: by a guess of its year, and steps to the right one. */
function dateOfDay(calendar: Calendar, day: number): string {
  const first = (year: number) => dayNumber(calendar, year, 1, 1) ?? 0
  let year = FIRST_YEAR[calendar] + Math.floor(day / YEAR_DAYS[calendar])
  while (first(year) > day) year--
  while (first(year + 1) <= day) year++
  let month = 12
  while (month > 1 && (dayNumber(calendar, year, month, 1) ?? 0) > day) month--
  let inMonth = 31
  while (inMonth > 1 && dayNumber(calendar, year, month, inMonth) !== day) inMonth--
  const sign = year < 0 ? '-' : ''
  return `${sign}${String(Math.abs(year)).padStart(4, '0')}-${two(month)}-${two(inMonth)}`
}

const two = (part: number) => String(part).padStart(2, '0')
