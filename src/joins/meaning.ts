import { isOutside, type Renumbering, renumberer } from '../codecs/kernels/renumber.ts'
import { type RenumberParameters, renumber } from '../codecs/own/renumber.ts'
import { castScalar } from '../fill-value/cast.ts'
import type { DataType, Scalar } from '../model/data-type.ts'
import type { AttributeValue, VirtualArray } from '../model/virtual-store.ts'
import type { Change } from './change.ts'
import { type Difference, isSameScalar, meaningDifference, sentinelDifference } from './differences.ts'
import { inBits, numberOf, numberScalar, type Packing, packingOf, repacking } from './packing.ts'
import { countChange, isSharedCalendar, unitsText } from './times/common-times.ts'
import type { TimeUnits } from './times/time-units.ts'
import type { TimeWords } from './times-of.ts'
import { isSameType, isWideInteger, typeName } from './types.ts'

/** What the numbers of a joined array mean, so that those of each source can be made to mean that. */
export interface Meaning {
  readonly dataType: DataType
  /** What marks missing points: several values may, and the first is the one that others become. */
  readonly sentinels: readonly Scalar[]
  /** The date and unit that all count from; undefined for what is no time. */
  readonly times: TimeUnits | undefined
  /** What the first source says of its times, also where there is no common count. */
  readonly timesOfFirst?: TimeWords | undefined
  /** Scale and offset that all are packed by; 'decoded' where there is no common one. */
  readonly packing: Packing | 'decoded' | undefined
}

/** Attributes whose differences are made good. */
const TIMES = ['units', 'calendar']
export const PACKING = ['scale_factor', 'add_offset', '_Unsigned']

/** Attributes that speak of packed numbers (CF, section 8.1), and of none that were decoded. */
export const OF_PACKED = [...PACKING, 'missing_value', 'valid_min', 'valid_max', 'valid_range']

/**
 * How the numbers of one source become those of the join; undefined where they are that already. What can't be made good is
 * told to `refuse`.
 */
export function meaningChange(
  meaning: Meaning,
  first: VirtualArray,
  array: VirtualArray,
  words: TimeWords | undefined,
  refuse: (difference: Difference) => never,
): Change | undefined {
  const madeGood = [
    'missing_value',
    ...(meaning.times === undefined ? [] : TIMES),
    ...(meaning.packing === undefined ? [] : PACKING),
  ]
  const difference = meaningDifference(first, array, madeGood)
  if (difference !== undefined) refuse(difference)
  const renumbering = renumberingOf(meaning, first, array, words, refuse)
  return renumbering === undefined ? undefined : changeOf(meaning, array, renumbering)
}

function renumberingOf(
  meaning: Meaning,
  first: VirtualArray,
  array: VirtualArray,
  words: TimeWords | undefined,
  refuse: (difference: Difference) => never,
): (Renumbering & { readonly asType?: string }) | undefined {
  if (meaning.times !== undefined) return timeChange(meaning.times, meaning, first, array, words, refuse)
  const { scale, offset, bits } = packingOf(array)
  const asType = typeName(bits)
  if (meaning.packing === 'decoded') return { multiply: scale.value, add: offset.value, asType }
  if (meaning.packing !== undefined) {
    const change = repacking(packingOf(array), meaning.packing)
    if (change === undefined) {
      return refuse({ what: 'the packing', one: packingText(first), other: packingText(array) })
    }
    if (change.multiply !== 1n || change.add !== 0n) return { ...change, asType }
  }
  const { dataType, sentinels } = meaning
  if (isSameType(array.dataType, dataType) && hasSentinels(array, sentinels)) return undefined
  return isArithmetic(dataType) && isArithmetic(array.dataType)
    ? { asType }
    : refuse(
        sentinelDifference(first, array) ?? { what: 'the data type', one: dataType.kind, other: array.dataType.kind },
      )
}

function timeChange(
  times: TimeUnits,
  { dataType, sentinels }: Meaning,
  first: VirtualArray,
  array: VirtualArray,
  words: TimeWords | undefined,
  refuse: (difference: Difference) => never,
): Renumbering | undefined {
  const change = words?.parsed === undefined ? undefined : countChange(words.parsed, times)
  if (change === undefined) {
    const isCalendar = words?.parsed === undefined || !isSharedCalendar(words.parsed, times)
    const difference = isCalendar ? meaningDifference(first, array, PACKING) : undefined
    // A common unit is found where all headers are read (`check: all`).
    return refuse(
      difference ?? { what: 'the unit and date', one: shownUnits(unitsText(times)), other: shownUnits(words?.units) },
    )
  }
  const isSame = change.multiply === 1n && change.add === 0n && change.least === undefined
  if (isSame && isSameType(array.dataType, dataType) && hasSentinels(array, sentinels)) return undefined
  return dataType.kind === 'float' && isWideInteger(array.dataType) ? { ...change, isExact: true } : change
}

function shownUnits(units: string | undefined): string {
  return units === undefined ? 'absent' : JSON.stringify(units)
}

function packingText(array: VirtualArray): string {
  const { scale, offset } = packingOf(array)
  return `${scale.value} * n + ${offset.value}`
}

/** Whether missing points are marked as they are in the join. NaN is itself, whether an attribute says so or not. */
export function hasSentinels(array: VirtualArray, wanted: readonly Scalar[]): boolean {
  const own = sentinelsOf(array).flatMap(finiteNumber)
  const all = wanted.flatMap(finiteNumber)
  return own.every((value) => all.includes(value)) && all.every((value) => own.includes(value))
}

/** The values that mark missing points of an array: an attribute `missing_value` may list several. */
export function sentinelsOf({ sentinels, attributes, dataType }: VirtualArray): readonly Scalar[] {
  const all = [
    sentinels.fillValue,
    sentinels.missingValue,
    ...listedSentinels(attributes.get('missing_value'), dataType),
  ]
  return all.filter((sentinel) => sentinel !== undefined)
}

/** What the format left of the attribute: a list, or, under `_Unsigned`, a number of the other sign. */
function listedSentinels(listed: AttributeValue | undefined, type: DataType): readonly (Scalar | undefined)[] {
  const numbers = (Array.isArray(listed) ? (listed as readonly AttributeValue[]) : [listed]).map(numberOf)
  return inBits(
    numbers.filter((value) => value !== undefined),
    type,
  ).map((value) => asType(typeof value === 'bigint' ? { kind: 'bigint', value } : { kind: 'number', value }, type))
}

function changeOf(
  meaning: Meaning,
  array: VirtualArray,
  renumbering: Renumbering & { readonly asType?: string },
): Change {
  const { dataType, sentinels } = meaning
  const numbers = sentinelsOf(array).flatMap(finiteNumber)
  const own = renumbering.asType === undefined ? numbers : inBits(numbers, packingOf(array).bits)
  const [missing, ...marks] = sentinels.flatMap(finiteNumber)
  const complete = {
    ...renumbering,
    ...(own.length === 0 ? {} : { sentinels: own }),
    ...(missing === undefined ? {} : { missing }),
    ...(marks.length === 0 ? {} : { marks }),
    ...unwrittenOf(array, renumbering, dataType),
  }
  const parameters: RenumberParameters = { type: typeName(array.dataType), ...complete }
  const codec = renumber.stored(parameters)
  const invalid = [...(missing === undefined ? [] : [numberScalar(missing, dataType)]), ...notANumber(dataType)]
  return { codec, dataType, fillValue: fillOf(array, complete, dataType), invalid }
}

/** What marks missing points of floats whatever an attribute says. */
export function notANumber({ kind }: DataType): readonly Scalar[] {
  if (kind === 'complex') return [{ kind, value: [Number.NaN, Number.NaN] }]
  return kind === 'float' ? [{ kind: 'number', value: Number.NaN }] : []
}

/** A value in another type, where that holds it. */
export function asType(scalar: Scalar | undefined, type: DataType): Scalar | undefined {
  return scalar === undefined ? undefined : castScalar(scalar, type)?.value
}

/** NetCDF's fill of integers may be no date that the join can count: it is named, so that it is no error where nothing was written. */
function unwrittenOf(
  { fillValue }: VirtualArray,
  renumbering: Renumbering & { readonly asType?: string },
  dataType: DataType,
): Pick<Renumbering, 'unwritten'> {
  const [fill] = finiteNumber(fillValue)
  if (fill === undefined || renumbering.asType !== undefined || !isOutside(fill, renumbering, dataType)) return {}
  return { unwritten: fill }
}

/** What unwritten chunks of a source read as. A number that has no place in the join reads as missing. */
function fillOf(
  array: VirtualArray,
  renumbering: Renumbering & { readonly asType?: string },
  dataType: DataType,
): Scalar {
  const numbers = finiteNumber(array.fillValue)
  const [value] = renumbering.asType === undefined ? numbers : inBits(numbers, packingOf(array).bits)
  if (value === undefined) return numberScalar(Number.NaN, dataType)
  return numberScalar(renumberer(renumbering, dataType)(value), dataType)
}

/** A scalar as the number that it is; none where it is none, or not finite. */
export function finiteNumber(scalar: Scalar | undefined): (number | bigint)[] {
  if (scalar?.kind === 'bigint') return [scalar.value]
  return scalar?.kind === 'number' && Number.isFinite(scalar.value) ? [scalar.value] : []
}

function isArithmetic({ kind }: DataType): boolean {
  return kind === 'int' || kind === 'uint' || kind === 'float'
}

function isNotANumber(scalar: Scalar): boolean {
  return scalar.kind === 'number' && Number.isNaN(scalar.value)
}

/** Whether a value of the join says that there is none. */
export function isMissingValue(value: Scalar, { sentinels, dataType }: Meaning): boolean {
  return isNotANumber(value) || sentinels.some((sentinel) => isSameScalar(value, sentinel, dataType))
}
