// CF Conventions 1.11, section 4.4.2: the calendars in which times are counted.

export type Calendar = 'standard' | 'proleptic_gregorian' | 'julian' | 'noleap' | 'all_leap' | '360_day'

const NAMES: Readonly<Record<string, Calendar>> = {
  standard: 'standard',
  gregorian: 'standard',
  proleptic_gregorian: 'proleptic_gregorian',
  julian: 'julian',
  noleap: 'noleap',
  '365_day': 'noleap',
  all_leap: 'all_leap',
  '366_day': 'all_leap',
  '360_day': '360_day',
}

/** The calendar that an attribute names, under whatever of its names; without the attribute the standard one. */
export function calendarOf(name: string | undefined): Calendar | undefined {
  const key = (name ?? 'standard').trim().toLowerCase()
  return Object.hasOwn(NAMES, key) ? NAMES[key] : undefined
}

/** Days from 1970-01-01 to 1582-10-15, the first day of the Gregorian calendar: from then on the three real calendars agree or run parallel. */
export const GREGORIAN_START = -141_427

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/**
 * The number of a day in its calendar. In the standard, the Gregorian and the Julian calendar it is the days from 1970-01-01 of
 * the Gregorian one, so that a day has one number in all three; in the others the days from their own year 0. Undefined where
 * the calendar has no such day.
 */
export function dayNumber(calendar: Calendar, year: number, month: number, day: number): number | undefined {
  if (month < 1 || month > 12 || day < 1 || day > monthLength(calendar, year, month)) return undefined
  switch (calendar) {
    case 'proleptic_gregorian':
      return gregorianDay(year, month, day)
    case 'julian':
      return julianDay(year, month, day)
    case 'standard': {
      const number = gregorianDay(year, month, day)
      if (number >= GREGORIAN_START) return number
      const julian = julianDay(year, month, day)
      return julian < GREGORIAN_START ? julian : undefined
    }
    case 'noleap':
      return year * 365 + daysBefore(month, false) + day - 1
    case 'all_leap':
      return year * 366 + daysBefore(month, true) + day - 1
    case '360_day':
      return year * 360 + (month - 1) * 30 + day - 1
  }
}

function monthLength(calendar: Calendar, year: number, month: number): number {
  if (calendar === '360_day') return 30
  if (month !== 2) return MONTH_LENGTHS[month - 1] ?? 0
  return isLeap(calendar, year) ? 29 : 28
}

function isLeap(calendar: Calendar, year: number): boolean {
  switch (calendar) {
    case 'noleap':
    case '360_day':
      return false
    case 'all_leap':
      return true
    case 'julian':
      return year % 4 === 0
    case 'standard':
    case 'proleptic_gregorian':
      if (calendar === 'standard' && year < 1582) return year % 4 === 0
      return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  }
}

function daysBefore(month: number, leap: boolean): number {
  const days = MONTH_LENGTHS.slice(0, month - 1).reduce((sum, length) => sum + length, 0)
  return leap && month > 2 ? days + 1 : days
}

/** Years begin in March, so that the leap day is the last of its year. */
function marchYear(year: number, month: number, day: number) {
  const years = month > 2 ? year : year - 1
  const months = (month + 9) % 12
  return { years, days: Math.floor((153 * months + 2) / 5) + day - 1 }
}

function gregorianDay(year: number, month: number, day: number): number {
  const { years, days } = marchYear(year, month, day)
  return 365 * years + Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400) + days - 719_468
}

function julianDay(year: number, month: number, day: number): number {
  const { years, days } = marchYear(year, month, day)
  return 365 * years + Math.floor(years / 4) + days - 719_470
}
