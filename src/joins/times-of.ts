import { anyText } from '../bytes/text.ts'
import type { AttributeValue } from '../model/virtual-store.ts'
import { countsFromDate, parseTimeUnits, type TimeUnits } from './times/time-units.ts'
import type { PartTree } from './tree.ts'

/** What a variable says, or has said of it, about the dates that it counts from. */
export interface TimeWords {
  readonly units: string
  readonly calendar: string | undefined
  /** Undefined where nobody can compute with them. */
  readonly parsed: TimeUnits | undefined
}

/** Whether a variable counts from a date; bounds have the units of what they bound (CF, section 7.1). */
export function timesOf(tree: PartTree, path: string): TimeWords | undefined {
  const array = tree.arrays.get(path)
  if (array?.kind !== 'array') return undefined
  const bounded = tree.bounded.get(path)
  const units = textAttribute(array.attributes.get('units') ?? bounded?.get('units'))
  const calendar = textAttribute(array.attributes.get('calendar') ?? bounded?.get('calendar'))
  if (units === undefined || !countsFromDate(units)) return undefined
  return { units, calendar, parsed: parseTimeUnits(units, calendar) }
}

export function textAttribute(value: AttributeValue | undefined): string | undefined {
  if (value instanceof Uint8Array) return anyText(value)
  return typeof value === 'string' ? value : undefined
}
