import type { ArrayInfo, Attributes, Inspection } from '../service/types.ts'
import { parentOf } from '../store/nodes.ts'
import { datesOf } from './dates.ts'
import { meaningOf, numberText } from './meaning.ts'
import { readAlong } from './single-values.ts'
import type { ZarrStore } from './zarr-store.ts'

/** What stands along a dimension. */
export interface Coordinate {
  readonly name: string
  readonly length: number
  /** Numbers in the units of the file; undefined for texts and where there are none. */
  readonly values: Float64Array | undefined
  readonly attributes: Attributes
  /** A point of it in words: a date, a number with its unit, or its index. */
  label(index: number): string
}

/** Coordinates longer than this are not read for labels. */
const MOST_VALUES = 100_000

/** The coordinate of each dimension, from the array of its name beside the array or in a group above. */
export async function coordinatesOf(
  store: ZarrStore,
  inspection: Inspection,
  path: string,
  array: ArrayInfo,
  signal: AbortSignal,
): Promise<readonly Coordinate[]> {
  return await Promise.all(
    array.dimension_names.map(async (name, axis) => {
      const length = array.shape[axis] ?? 0
      const at = pathOf(inspection, path, name, length)
      const found = at === undefined ? undefined : inspection.arrays[at]
      if (at === undefined || found === undefined || at === path || length > MOST_VALUES)
        return plainCoordinate(name, length)
      const stored = await readAlong(store, at, found, 0, { at: [0], signal })
      return coordinateOf(name, length, found, stored)
    }),
  )
}

function pathOf(inspection: Inspection, path: string, name: string, length: number): string | undefined {
  for (let group = parentOf(path); ; group = parentOf(group)) {
    const at = group === '' ? name : `${group}/${name}`
    const array = inspection.arrays[at]
    if (array?.shape.length === 1 && array.shape[0] === length) return at
    if (group === '') return undefined
  }
}

function plainCoordinate(name: string, length: number): Coordinate {
  return { name, length, values: undefined, attributes: {}, label: (index) => String(index) }
}

function coordinateOf(
  name: string,
  length: number,
  array: ArrayInfo,
  stored: readonly (number | bigint | string)[],
): Coordinate {
  const { attributes } = array
  const first = stored[0]
  if (typeof first === 'string')
    return { name, length, values: undefined, attributes, label: (index) => String(stored[index] ?? '') }
  const dates = datesOf(attributes)
  const numbers = stored as readonly (number | bigint)[]
  const meaning = meaningOf(array)
  const values = Float64Array.from(numbers, (one) => meaning.of(one))
  const units = shortUnits(meaning.units)
  return {
    name,
    length,
    values,
    attributes,
    label: (index) => {
      const number = numbers[index]
      if (number === undefined) return String(index)
      return dates === undefined ? `${numberText(values[index] ?? Number.NaN)}${units}` : dates(number)
    },
  }
}

/** Units as they stand behind a number. */
function shortUnits(units: string): string {
  if (/^degrees?_?(north|east|n|e)$/i.test(units) || /^degrees?$/i.test(units)) return '°'
  if (units === '' || units === '1') return ''
  return ` ${/^met(re|er)s?$/i.test(units) ? 'm' : units}`
}
