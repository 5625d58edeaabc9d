import { roundToFloat } from '../../fill-value/numbers.ts'
import { leadingInteger, leadingNumber } from '../../formats/georeference/c-numbers.ts'
import { lookUp, textIn } from '../../formats/georeference/gdal-xml.ts'
import { type DataType, type IntegerType, integerRange, type Scalar } from '../../model/data-type.ts'
import { numberScalar } from '../packing.ts'
import { isInteger, typeName } from '../types.ts'
import type { VrtNodata } from './document.ts'
import { isTrue, type Reading, spelledNumber } from './reading.ts'

/** The `NoDataValue` of a band: GDAL fills with it in any case, and marks missing points by it where it is a value of the type. */
export function bandNodata(reading: Reading, dataType: DataType): VrtNodata | undefined {
  const text = lookUp(reading.element, 'NoDataValue')
  if (text === undefined) return undefined
  const isHidden = isTrue(textIn(reading.element, 'HideNoDataValue'))
  const isLong = isInteger(dataType) && dataType.bits === 64
  const { fillValue, isHeld } = isLong ? longValue(reading, text, dataType) : shortValue(reading, text, dataType)
  if (isHeld) return { fillValue, sentinel: isHidden ? undefined : fillValue }
  const shown = fillValue.kind === 'number' ? String(fillValue.value) : 'its nearest value'
  const message = `NoDataValue of ${reading.path} is ${text.trim().slice(0, 60)}, no value of ${typeName(dataType)}: no point is marked as missing, and what no source covers reads as ${shown}, as in GDAL`
  reading.warn({ code: 'sentinel-dropped', message })
  return { fillValue, sentinel: undefined }
}

interface HeldValue {
  readonly fillValue: Scalar
  /** Whether it is the number of the text. */
  readonly isHeld: boolean
}

/** GDAL reads 64 bits by `strtoll` and `strtoull`, which end at a point, and take -1 for the largest of all. */
function longValue(reading: Reading, text: string, type: IntegerType): HeldValue {
  spelledNumber(reading, 'NoDataValue', text, leadingInteger)
  const [digits = '0'] = /[+-]?\d+/.exec(text.trim()) ?? []
  const value = BigInt(digits.replace('+', ''))
  const [least, most] = integerRange(type)
  const isWrapped = type.kind === 'uint' && value < 0n && value >= -most
  return {
    fillValue: { kind: 'bigint', value: isWrapped ? value + most + 1n : cutOff(value, least, most) },
    isHeld: true,
  }
}

function cutOff(value: bigint, least: bigint, most: bigint): bigint {
  if (value < least) return least
  return value > most ? most : value
}

function shortValue(reading: Reading, text: string, type: DataType): HeldValue {
  const { value } = spelledNumber(reading, 'NoDataValue', text, (spelled) => leadingNumber(spelled.replace(',', '.')))
  const fillValue = fillOf(value, type)
  if (fillValue.kind !== 'number') return { fillValue, isHeld: true }
  const isHeld = isInteger(type)
    ? fillValue.value === value
    : Number.isFinite(fillValue.value) || !Number.isFinite(value)
  return { fillValue, isHeld }
}

/** A number as GDAL writes it to a band: integers are rounded, halves away from zero, and cut off; no number is 0. */
function fillOf(value: number, type: DataType): Scalar {
  if (type.kind === 'complex') return { kind: 'complex', value: [value, 0] }
  if (type.kind === 'float') return { kind: 'number', value: roundToFloat(value, type.bits).value }
  if (!isInteger(type)) return numberScalar(value, type)
  const [least, most] = integerRange(type).map(Number)
  const rounded = Number.isNaN(value) ? 0 : Math.sign(value) * Math.round(Math.abs(value))
  return { kind: 'number', value: Math.min(Math.max(rounded, least ?? 0), most ?? 0) }
}
