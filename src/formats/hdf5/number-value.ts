import type { Json } from '../../json/json.ts'
import { floatJson } from '../../json/json.ts'
import type { Datatype, Endian, FloatType } from './messages/datatype.ts'

type IntegerType = Extract<Datatype, { class: 'integer' | 'bitfield' }>

/** An integer of any width, precision and place in its bytes. */
export function integerOf(bytes: Uint8Array, type: IntegerType): bigint {
  const bits = BigInt.asUintN(type.precision, bitsOf(bytes, type.endian) >> BigInt(type.bitOffset))
  return type.class === 'integer' && type.signed ? BigInt.asIntN(type.precision, bits) : bits
}

/** An integer as JSON: a bigint only where a number would not be exact. */
export function integerJson(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** A floating-point number of any format, to the nearest double; undefined for VAX order. */
export function floatOf(bytes: Uint8Array, type: FloatType): number | undefined {
  if (type.isVax) return undefined
  const bits = bitsOf(bytes, type.endian)
  const field = (start: number, size: number) => BigInt.asUintN(size, bits >> BigInt(start))
  const sign = field(type.signBit, 1) === 1n ? -1 : 1
  const exponent = Number(field(type.exponentBit, type.exponentSize))
  const mantissa = field(type.mantissaBit, type.mantissaSize)
  const highest = 2 ** type.exponentSize - 1
  if (exponent === highest) return fractionOf(mantissa, type) === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  const fraction = Number(mantissa) / 2 ** type.mantissaSize
  const bias = type.exponentBias
  if (!type.isImplied) return sign * fraction * 2 ** (exponent - bias + 1)
  return exponent === 0 ? sign * fraction * 2 ** (1 - bias) : sign * (1 + fraction) * 2 ** (exponent - bias)
}

/** Formats that store their leading bit have it set in infinity as well. */
function fractionOf(mantissa: bigint, type: FloatType): number {
  return Number(type.isImplied ? mantissa : BigInt.asUintN(Math.max(type.mantissaSize - 1, 0), mantissa))
}

export function floatValueJson(bytes: Uint8Array, type: FloatType): Json | undefined {
  const value = floatOf(bytes, type)
  return value === undefined ? undefined : floatJson(value)
}

function bitsOf(bytes: Uint8Array, endian: Endian): bigint {
  let bits = 0n
  for (let i = 0; i < bytes.length; i++) {
    bits = (bits << 8n) | BigInt(bytes[endian === 'big' ? i : bytes.length - 1 - i] ?? 0)
  }
  return bits
}
