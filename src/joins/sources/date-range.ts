import { malformed } from '../../errors.ts'
import type { FieldValues } from './source-list.ts'

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2})(?::(\d{2})(?::(\d{2}))?)?)?Z?$/
const DURATION =
  /^P(?=.)(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=.)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/

/** So many months, then so many seconds: what a duration of ISO 8601 adds to a date. */
interface Step {
  readonly months: number
  readonly milliseconds: number
}

/**
 * Reads `first..last` or `first..last..P1M`, both ends included, a day apart where no step is given; undefined where the text is
 * no such range. The days are those of the Gregorian calendar.
 */
export function dateRange(text: string): FieldValues | undefined {
  const [firstText = '', lastText, stepText = 'P1D', ...more] = text.split('..')
  if (lastText === undefined || more.length > 0 || !DATE.test(firstText)) return undefined
  const first = parseDate(firstText)
  const last = parseDate(lastText)
  const step = parseStep(stepText, first)
  if (first === undefined || last === undefined || last < first) {
    throw malformed(
      `${text} is no range of dates: the first, the last and the step are like 2000-01-01..2020-12-31..P1M`,
    )
  }
  return {
    length: countOf(first, last, step),
    spelled: (position, format) => spellDate(dateAt(first, step, position), format),
  }
}

/** A single date of a list; undefined where the text is none. */
export function parseDate(text: string): number | undefined {
  const match = DATE.exec(text)
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0))
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  if (hour > 23 || minute > 59 || second > 59) return undefined
  return date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000
}

function parseStep(text: string, first: number | undefined): Step {
  const match = DURATION.exec(text)
  if (match === null)
    throw malformed(`the step ${text.slice(0, 50)} is no duration of ISO 8601 such as P1D, P1M or PT6H`)
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0))
  const step = {
    months: 12 * years + months,
    milliseconds: ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000,
  }
  if (step.months === 0 && step.milliseconds === 0) throw malformed(`the step ${text} is no time at all`)
  if (step.months > 0 && step.milliseconds > 0) {
    throw malformed(`the step ${text} mixes months with shorter units, which has no one meaning`)
  }
  if (step.months > 0 && first !== undefined && new Date(first).getUTCDate() > 28) {
    throw malformed(`steps of months begin at a day that every month has, at most the 28th`)
  }
  return step
}

function dateAt(first: number, { months, milliseconds }: Step, position: number): number {
  if (months === 0) return first + milliseconds * position
  const date = new Date(first)
  return date.setUTCMonth(date.getUTCMonth() + months * position)
}

function countOf(first: number, last: number, step: Step): number {
  if (step.months === 0) return Math.floor((last - first) / step.milliseconds) + 1
  const [from, to] = [new Date(first), new Date(last)]
  const months = 12 * (to.getUTCFullYear() - from.getUTCFullYear()) + to.getUTCMonth() - from.getUTCMonth()
  const steps = Math.floor(months / step.months)
  return dateAt(first, step, steps) <= last ? steps + 1 : steps
}

const PARTS: Readonly<Record<string, (date: Date) => string>> = {
  Y: (date) => digits(date.getUTCFullYear(), 4),
  y: (date) => digits(date.getUTCFullYear() % 100, 2),
  m: (date) => digits(date.getUTCMonth() + 1, 2),
  d: (date) => digits(date.getUTCDate(), 2),
  H: (date) => digits(date.getUTCHours(), 2),
  M: (date) => digits(date.getUTCMinutes(), 2),
  S: (date) => digits(date.getUTCSeconds(), 2),
  j: (date) => digits(1 + Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000), 3),
  '%': () => '%',
}

/** A date as `strftime` spells it, of the parts that file names have; without a format `2000-01-31`. */
export function spellDate(time: number, format = '%Y-%m-%d'): string {
  const date = new Date(time)
  return format.replace(/%(.?)/g, (_all, letter: string) => {
    const part = Object.hasOwn(PARTS, letter) ? PARTS[letter] : undefined
    if (part !== undefined) return part(date)
    throw malformed(`%${letter} in the format ${format} is not known: dates take %${Object.keys(PARTS).join(' %')}`)
  })
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0')
}
