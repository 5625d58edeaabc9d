import type { Endian } from '../../../bytes/cursor.ts'
import { floatValue } from '../../../codecs/kernels/odd-float.ts'
import type { Json } from '../../../json/json.ts'
import { floatJson } from '../../../json/json.ts'
import type { Datatype, FloatType } from '../messages/datatype.ts'

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
  return floatValue(bitsOf(bytes, type.endian), type)
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
