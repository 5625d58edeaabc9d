import type { TemplateKeys } from '../tables/templates-table.ts'
import { unitSeconds } from './times.ts'

/** Code table 4.10. */
const STEP_TYPES: ReadonlyMap<number, string> = new Map([
  [0, 'avg'],
  [1, 'accum'],
  [2, 'max'],
  [3, 'min'],
  [4, 'diff'],
  [5, 'rms'],
  [6, 'sd'],
  [7, 'cov'],
  [8, 'sdiff'],
  [9, 'ratio'],
  [10, 'stdanom'],
  [11, 'sum'],
  [100, 'severity'],
  [101, 'mode'],
  [102, 'index'],
])
/** The start of the forecast moves from time to time: the step does not. */
const STARTS_MOVE = 1
const SAME_START = 2

/** Whether a field is about a moment, or what was done over a time. */
export function stepTypeOf(keys: TemplateKeys): string | undefined {
  const process = numberOf(keys, 'typeOfStatisticalProcessing')
  if (process === undefined) return 'instant'
  const ranges = numberOf(keys, 'numberOfTimeRanges') ?? 1
  return ranges > 2 ? 'multiple steps' : (STEP_TYPES.get(process) ?? 'instant')
}

/** Hours from the reference time to the end of what the field is about. */
export function stepOf(keys: TemplateKeys): number | undefined {
  const start = hoursOf(keys, 'forecastTime', 'indicatorOfUnitForForecastTime', 0)
  if (start === undefined) return undefined
  const increments = keys.get('typeOfTimeIncrement') ?? []
  if (increments.length === 0) return start
  const place = increments.length === 1 ? 0 : increments.findIndex(({ value }) => value === SAME_START)
  if (place < 0 || increments[place]?.value === STARTS_MOVE) return start
  const range = hoursOf(keys, 'lengthOfTimeRange', 'indicatorOfUnitForTimeRange', place)
  return range === undefined ? undefined : start + range
}

function hoursOf(keys: TemplateKeys, count: string, unit: string, place: number): number | undefined {
  const [found, code] = [keys.get(count)?.[place]?.value, keys.get(unit)?.[place]?.value]
  const seconds = typeof code === 'number' ? unitSeconds(code, 2) : undefined
  return typeof found === 'number' && seconds !== undefined ? (found * seconds) / 3600 : undefined
}

function numberOf(keys: TemplateKeys, name: string): number | undefined {
  const value = keys.get(name)?.[0]?.value
  return typeof value === 'number' ? value : undefined
}
