// CF Conventions 1.11, section 4.4: times that are counted from a date.
import { type Calendar, calendarOf, dayNumber } from './calendar.ts'

/** What the numbers of a time coordinate mean, in whole nanoseconds. */
export interface TimeUnits {
  readonly calendar: Calendar
  /** Nanoseconds of one unit. */
  readonly unit: bigint
  /** The instant that is counted from: nanoseconds from day 0 of the calendar. */
  readonly start: bigint
  /** The reference date as the attribute spells it. */
  readonly since: string
}

const MICROSECOND = 1000n
const MILLISECOND = 1_000_000n
export const SECOND = 1_000_000_000n
const MINUTE = 60n * SECOND
const HOUR = 60n * MINUTE
const DAY = 24n * HOUR

/** The spellings that readers know. Months and years have no fixed length, so that nobody counts in them exactly. */
const UNITS: readonly (readonly [RegExp, bigint])[] = [
  [/^(?:days?|d)$/, DAY],
  [/^(?:hours?|hrs?|h)$/, HOUR],
  [/^(?:minutes?|mins?)$/, MINUTE],
  [/^(?:seconds?|secs?|s)$/, SECOND],
  [/^(?:milliseconds?|millisecs?|msecs?|ms)$/, MILLISECOND],
  [/^(?:microseconds?|microsecs?|us)$/, MICROSECOND],
  [/^(?:nanoseconds?|nanosecs?|ns)$/, 1n],
]

/** Units by the names that every reader knows, the longest first. */
export const UNIT_NAMES: readonly (readonly [string, bigint])[] = [
  ['days', DAY],
  ['hours', HOUR],
  ['minutes', MINUTE],
  ['seconds', SECOND],
  ['milliseconds', MILLISECOND],
  ['microseconds', MICROSECOND],
  ['nanoseconds', 1n],
]

const SINCE = /^\s*(\S+)\s+since\s+(\S(?:.*\S)?)\s*$/i
const DATE =
  /^(\d{1,6})-(\d{1,2})(?:-(\d{1,2}))?(?:(?:T|\s+)(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:\.(\d{0,9})\d*)?)?)?)?\s*(?:Z|UTC|GMT|([+-])(\d{1,2})(?::?(\d{2}))?)?$/i

/** Whether text says that something is counted from a date, in whatever unit. */
export function countsFromDate(units: string): boolean {
  return SINCE.test(units)
}

/** Reads `units` and `calendar`; undefined where they say no time that has a fixed length and a date of their calendar. */
export function parseTimeUnits(units: string, calendarName: string | undefined): TimeUnits | undefined {
  const [, word = '', since = ''] = SINCE.exec(units) ?? []
  const unit = UNITS.find(([pattern]) => pattern.test(word.toLowerCase()))?.[1]
  const calendar = calendarOf(calendarName)
  const match = DATE.exec(since)
  if (unit === undefined || calendar === undefined || match === null) return undefined
  const [year = 0, month = 0, day = 1, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((text, place) => Number(text ?? (place === 2 ? 1 : 0)))
  const number = dayNumber(calendar, year, month, day)
  if (number === undefined || hour > 23 || minute > 59 || second > 59) return undefined
  const east = BigInt((match[8] === '-' ? -1 : 1) * (Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0)))
  const fraction = BigInt((match[7] ?? '').padEnd(9, '0'))
  const clock = BigInt(hour) * HOUR + (BigInt(minute) - east) * MINUTE + BigInt(second) * SECOND + fraction
  return { calendar, unit, start: BigInt(number) * DAY + clock, since }
}
