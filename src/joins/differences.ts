import { toZarrFillValue } from '../fill-value/to-zarr.ts'
import { Float, type Json } from '../json/json.ts'
import { writeJson } from '../json/write.ts'
import type { DataType, Scalar } from '../model/data-type.ts'
import type { AttributeValue, VirtualArray } from '../model/virtual-store.ts'

/** One thing in which two arrays differ, as a message tells it. */
export interface Difference {
  readonly what: string
  readonly one: string
  readonly other: string
}

/** The first difference of dimensions, and of their lengths but for those along axes that are free to differ. */
export function shapeDifference(
  one: VirtualArray,
  other: VirtualArray,
  isFree: (axis: number) => boolean = () => false,
): Difference | undefined {
  const names = [one, other].map(({ dimensionNames, shape }) =>
    shape.map((_length, at) => dimensionNames?.[at] ?? '?').join(', '),
  )
  const [left = '', right = ''] = names
  if (left !== right) return { what: 'the dimensions', one: `(${left})`, other: `(${right})` }
  const at = one.shape.findIndex((length, place) => !isFree(place) && length !== other.shape[place])
  if (at === -1) return undefined
  return {
    what: `the length of ${one.dimensionNames?.[at] ?? at}`,
    one: String(one.shape[at]),
    other: String(other.shape[at]),
  }
}

/** Attributes that say what the numbers mean: values under different ones are not of one array. */
const MEANING = [
  'calendar',
  'units',
  'scale_factor',
  'add_offset',
  '_Unsigned',
  'missing_value',
  'positive',
  'standard_name',
  'flag_values',
  'flag_masks',
  'flag_meanings',
]

/** The first difference in what the stored numbers mean, but for the attributes named. */
export function meaningDifference(
  one: VirtualArray,
  other: VirtualArray,
  but: readonly string[] = [],
): Difference | undefined {
  for (const name of MEANING) {
    if (but.includes(name)) continue
    const [left, right] = [valueText(one.attributes.get(name)), valueText(other.attributes.get(name))]
    if (left !== right) return { what: `the attribute ${name}`, one: left, other: right }
  }
  return undefined
}

/** The first difference in which values mark missing points. */
export function sentinelDifference(one: VirtualArray, other: VirtualArray): Difference | undefined {
  for (const [what, name] of [
    ['_FillValue', 'fillValue'],
    ['missing_value', 'missingValue'],
  ] as const) {
    const [left, right] = [
      scalarText(one.sentinels[name], one.dataType),
      scalarText(other.sentinels[name], other.dataType),
    ]
    if (left !== right) return { what: `the attribute ${what}`, one: left, other: right }
  }
  return undefined
}

export function typeText(type: DataType): string {
  return 'bits' in type ? `${type.kind}${type.bits}` : type.kind
}

/** Whether two values are one value of a type. */
export function isSameScalar(one: Scalar | undefined, other: Scalar | undefined, type: DataType): boolean {
  return scalarText(one, type) === scalarText(other, type)
}

function scalarText(scalar: Scalar | undefined, type: DataType): string {
  return scalar === undefined ? 'absent' : writeJson(toZarrFillValue(scalar, type))
}

/** Numbers by their value, texts as JSON. */
export function valueText(value: AttributeValue | undefined): string {
  if (value === undefined) return 'absent'
  if (value instanceof Float || typeof value === 'number' || typeof value === 'bigint') {
    return String(Number(value instanceof Float ? value.value : value))
  }
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1')
  if (Array.isArray(value)) return `[${(value as readonly AttributeValue[]).map(valueText).join(', ')}]`
  return writeJson(value as Json).slice(0, 100)
}

/** The first difference in any attribute of a single value: what describes a reference system says it there. */
export function attributeDifference(one: VirtualArray, other: VirtualArray): Difference | undefined {
  if (one.shape.length > 0) return undefined
  for (const name of new Set([...one.attributes.keys(), ...other.attributes.keys()])) {
    const [left, right] = [valueText(one.attributes.get(name)), valueText(other.attributes.get(name))]
    if (left !== right) return { what: `the attribute ${name}`, one: left, other: right }
  }
  return undefined
}
