import { typeInWords } from '../fill-value/in-words.ts'
import { Float, type Json } from '../json/json.ts'
import { writeJson } from '../json/write.ts'
import type { ArrayReading } from '../service/values/read-array.ts'
import type { ValueStatistics } from '../service/values/statistics.ts'
import { columns } from './settings.ts'
import { shownNumber, shownText } from './shown.ts'

/** `{"shape": …, "count": …, "missing": …, "min": …, "max": …, "mean": …}`; null where there is no such value. */
export function statisticsJson(reading: ArrayReading, { count, missing, ...of }: ValueStatistics): string {
  const shape = reading.axes.map((axis) => reading.box.extent[axis] ?? 0)
  return `${writeJson({ shape, count, missing, min: of.least, max: of.greatest, mean: of.mean })}\n`
}

/** The same for people. */
export function statisticsText(reading: ArrayReading, { count, missing, ...of }: ValueStatistics): string {
  const dimensions = reading.axes.map(
    (axis) => `${shownText(reading.dimensionNames[axis] ?? '?')}: ${reading.box.extent[axis] ?? 0}`,
  )
  const type = `${typeInWords(reading.dataType)}${reading.isDecoded ? ', decoded' : ''}`
  const part = count === 0 ? '' : ` (${Number(((100 * missing) / count).toPrecision(3))} %)`
  const rows = [
    ['values', String(count)],
    ['missing', `${missing}${part}`],
    ['min', valueText(of.least)],
    ['max', valueText(of.greatest)],
    ['mean', valueText(of.mean)],
  ]
  return `${reading.path === '' ? 'the array' : shownText(reading.path)}  ${type} (${dimensions.join(', ')})\n${columns(rows)}\n`
}

function valueText(value: Json): string {
  if (value === null) return 'none'
  if (typeof value === 'number' || value instanceof Float) return shownNumber(value, 'rounded')
  return typeof value === 'string' ? shownText(value) : shownText(writeJson(value))
}
