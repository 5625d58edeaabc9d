import { unsignedAttribute } from '../fill-value/raw-sentinel.ts'
import { Float } from '../json/json.ts'
import type { DataType, Scalar } from '../model/data-type.ts'
import type { AttributeValue, VirtualArray } from '../model/virtual-store.ts'

/** The type by which the bits of an array are read: `_Unsigned` may say another sign than they are stored under. */
export function storedNumberType({ dataType, attributes }: VirtualArray): DataType {
  const isUnsigned = unsignedAttribute(attributes.get('_Unsigned'))
  if ((dataType.kind !== 'int' && dataType.kind !== 'uint') || isUnsigned === undefined) return dataType
  return { kind: isUnsigned ? 'uint' : 'int', bits: dataType.bits }
}

/** All numbers that mark missing points, in the type by which values are read; an attribute `missing_value` may list several. */
export function missingNumbers(
  { sentinels, attributes }: VirtualArray,
  readAs: DataType,
): readonly (number | bigint)[] {
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
