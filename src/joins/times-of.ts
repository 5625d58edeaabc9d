import { anyText } from '../bytes/text.ts'
import type { AttributeValue } from '../model/virtual-store.ts'
import type { Difference } from './differences.ts'
import { isSharedCalendar } from './times/common-times.ts'
import { countsFromDate, parseTimeUnits, type TimeUnits } from './times/time-units.ts'
import type { PartTree } from './tree.ts'

/** What a variable says, or has said of it, about the dates that it counts from. */
export interface TimeWords {
  readonly units: string
  readonly calendar: string | undefined
  /** Bounds without a calendar of their own have that of what they bound. */
  readonly hasOwnCalendar: boolean
  /** Undefined where nobody can compute with them. */
  readonly parsed: TimeUnits | undefined
}

/** Whether a variable counts from a date; bounds have the units of what they bound (CF, section 7.1). */
export function timesOf(tree: PartTree, path: string): TimeWords | undefined {
  const array = tree.arrays.get(path)
  if (array?.kind !== 'array') return undefined
  const bounded = tree.bounded.get(path)
  const units = textAttribute(array.attributes.get('units') ?? bounded?.get('units'))
  const hasOwnCalendar = bounded === undefined || array.attributes.has('calendar')
  const calendar = textAttribute(array.attributes.get('calendar') ?? bounded?.get('calendar'))
  if (units === undefined || !countsFromDate(units)) return undefined
  return { units, calendar, hasOwnCalendar, parsed: parseTimeUnits(units, calendar) }
}

/** The difference of two calendars that share no dates, whether a variable names its own or that of what it bounds holds. */
export function calendarDifference(one: TimeWords | undefined, other: TimeWords | undefined): Difference | undefined {
  if (one?.parsed === undefined || other?.parsed === undefined) return undefined
  if (isSharedCalendar(one.parsed, other.parsed)) return undefined
  const what = one.hasOwnCalendar && other.hasOwnCalendar ? 'the attribute calendar' : 'the calendar'
  return { what, one: calendarText(one), other: calendarText(other) }
}

function calendarText({ calendar }: TimeWords): string {
  return calendar === undefined ? 'absent' : JSON.stringify(calendar)
}

export function textAttribute(value: AttributeValue | undefined): string | undefined {
  if (value instanceof Uint8Array) return anyText(value)
  return typeof value === 'string' ? value : undefined
}
