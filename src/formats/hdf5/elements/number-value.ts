import { bitsAt, integerBits } from '../../../bytes/integers.ts'
import { floatValue } from '../../../codecs/kernels/odd-float.ts'
import type { Json } from '../../../json/json.ts'
import { floatJson } from '../../../json/json.ts'
import type { Datatype, FloatType } from '../messages/datatype.ts'

type IntegerType = Extract<Datatype, { class: 'integer' | 'bitfield' }>

/** An integer of any width, precision and place in its bytes. */
export function integerOf(bytes: Uint8Array, type: IntegerType): bigint {
  const bits = bitsAt(bytes, 0, bytes.length, type.endian)
  return integerBits(bits, type.bitOffset, type.precision, type.class === 'integer' && type.signed)
}

/** An integer as JSON: a bigint only where a number would not be exact. */
export function integerJson(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** A floating-point number of any format, to the nearest double; undefined for VAX order. */
export function floatOf(bytes: Uint8Array, type: FloatType): number | undefined {
  if (type.isVax) return undefined
  return floatValue(bitsAt(bytes, 0, bytes.length, type.endian), type)
}

export function floatValueJson(bytes: Uint8Array, type: FloatType): Json | undefined {
  const value = floatOf(bytes, type)
  return value === undefined ? undefined : floatJson(value)
}
