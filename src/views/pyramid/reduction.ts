import { unsignedAttribute } from '../../fill-value/raw-sentinel.ts'
import { Float } from '../../json/json.ts'
import type { DataType, Scalar } from '../../model/data-type.ts'
import type { AttributeValue, Reduction, VirtualArray } from '../../model/virtual-store.ts'

/** How points become those of an overview: by what they are, or all of them so. */
export type Wish = 'auto' | 'mean' | 'nearest'

/** Attributes of integers that are names and not counts. */
const NAMING = ['flag_values', 'flag_masks', 'flag_meanings', 'color_map', 'colormap', 'palette']

/**
 * How points of an array become those of an overview. Values of which a mean means nothing (names, colours by number, masks, truth
 * values) keep their first point, whatever is wished for where there is no mean at all.
 */
export function reductionOf(array: VirtualArray, wish: Wish): Reduction {
  const { dataType, attributes } = array
  const isNumber = dataType.kind === 'int' || dataType.kind === 'uint' || dataType.kind === 'float'
  const isNamed = NAMING.some((name) => attributes.has(name)) || attributes.get('photometric') === 'mask'
  const isNearest = !isNumber || wish === 'nearest' || (wish === 'auto' && isNamed && dataType.kind !== 'float')
  const readAs = readType(dataType, unsignedAttribute(attributes.get('_Unsigned')))
  return { method: isNearest ? 'nearest' : 'mean', readAs, missing: isNumber ? missingNumbers(array, readAs) : [] }
}

function readType(type: DataType, isUnsigned: boolean | undefined): DataType {
  if ((type.kind !== 'int' && type.kind !== 'uint') || isUnsigned === undefined) return type
  return { kind: isUnsigned ? 'uint' : 'int', bits: type.bits }
}

/** All numbers that mark missing points, in the type by which values are read; an attribute `missing_value` may list several. */
function missingNumbers({ sentinels, attributes }: VirtualArray, readAs: DataType): readonly (number | bigint)[] {
  const { fillValue, missingValue, declared } = sentinels
  const listed = attributes.get('missing_value')
  const others = Array.isArray(listed) ? (listed as readonly AttributeValue[]) : [listed]
  const found = [...[fillValue, missingValue, declared].map(scalarNumber), ...others.map(attributeNumber)]
  return [...new Set(found.flatMap((value) => (value === undefined ? [] : inType(value, readAs))))]
}

function scalarNumber(scalar: Scalar | undefined): number | bigint | undefined {
  return scalar?.kind === 'number' || scalar?.kind === 'bigint' ? scalar.value : undefined
}

function attributeNumber(value: AttributeValue | undefined): number | bigint | undefined {
  if (value instanceof Float) return value.value
  return typeof value === 'number' || typeof value === 'bigint' ? value : undefined
}

/** A number as the type holds it; nothing where it doesn't. */
function inType(value: number | bigint, type: DataType): (number | bigint)[] {
  if (type.kind === 'float') {
    const number = Number(value)
    return [type.bits === 64 ? number : type.bits === 32 ? Math.fround(number) : Math.f16round(number)]
  }
  if (type.kind !== 'int' && type.kind !== 'uint') return []
  if (typeof value === 'number' && !Number.isInteger(value)) return []
  const whole = type.kind === 'int' ? BigInt.asIntN(type.bits, BigInt(value)) : BigInt.asUintN(type.bits, BigInt(value))
  return [type.bits === 64 ? whole : Number(whole)]
}
