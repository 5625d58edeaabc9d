import { type DataType, type IntegerType, itemSize } from '../model/data-type.ts'

/** The smallest type that holds every value of both; undefined where there is none: then they are not joined. */
export function commonType(one: DataType, other: DataType): DataType | undefined {
  if (isSameType(one, other)) return one
  if (one.kind === 'float' && other.kind === 'float') return one.bits > other.bits ? one : other
  if (isInteger(one) && isInteger(other)) return commonInteger(one, other)
  if (isInteger(one) && other.kind === 'float') return floatFor(one, other)
  if (one.kind === 'float' && isInteger(other)) return floatFor(other, one)
  return undefined
}

export function isSameType(one: DataType, other: DataType): boolean {
  if (one.kind !== other.kind) return false
  return 'bits' in one && 'bits' in other ? one.bits === other.bits : itemSize(one) === itemSize(other)
}

type FloatType = Extract<DataType, { readonly kind: 'float' }>

export function isInteger(type: DataType): type is IntegerType {
  return type.kind === 'int' || type.kind === 'uint'
}

function commonInteger(one: IntegerType, other: IntegerType): IntegerType | undefined {
  if (one.kind === other.kind) return one.bits > other.bits ? one : other
  const [signed, unsigned] = one.kind === 'int' ? [one, other] : [other, one]
  if (signed.bits > unsigned.bits) return signed
  const bits = ([16, 32, 64] as const).find((size) => size > unsigned.bits)
  return bits === undefined ? undefined : { kind: 'int', bits }
}

/** A float of 32 bits holds every integer of 16, one of 64 every integer of 32. */
function floatFor(integer: IntegerType, float: FloatType): FloatType | undefined {
  if (integer.bits === 64) return undefined
  const least = integer.bits === 32 ? 64 : 32
  return float.bits >= least ? float : { kind: 'float', bits: least }
}

/** Whether a float of 64 bits may not hold a number of the type. */
export function isWideInteger(type: DataType): boolean {
  return isInteger(type) && type.bits === 64
}

/** As `commonType`, but integers of 64 bits go with floats: each count of time is converted exactly, or is an error. */
export function commonTimeType(one: DataType, other: DataType): DataType | undefined {
  const isMixed = [one, other].some(isWideInteger) && [one, other].some(({ kind }) => kind === 'float')
  return isMixed ? { kind: 'float', bits: 64 } : commonType(one, other)
}

/** The name by which codecs know a number type. */
export function typeName(type: DataType): string {
  return 'bits' in type ? `${type.kind}${type.bits}` : type.kind
}
