import type { Json } from '../json/json.ts'
import { type DataType, type IntegerType, integerRange, type Scalar } from '../model/data-type.ts'

type FloatBits = 16 | 32 | 64

/** A value as its type holds it; `overflow` when a finite number became infinite on the way (FV-16). */
export interface Held<T> {
  readonly value: T
  readonly overflow: boolean
}

/** An integer as a scalar of an integer type; undefined when it is out of range. */
export function integerScalar(value: bigint, type: IntegerType): Scalar | undefined {
  const [min, max] = integerRange(type)
  if (value < min || value > max) return undefined
  return type.bits === 64 ? { kind: 'bigint', value } : { kind: 'number', value: Number(value) }
}

/** A number of an unsigned type as the signed number of the same bits; anything else as it is. */
export function inSignedType(json: Json, type: DataType): Json {
  const isInteger = typeof json === 'bigint' || Number.isInteger(json)
  if (type.kind !== 'uint' || !isInteger) return json
  const bits = BigInt(json as number | bigint)
  const [min, max] = integerRange(type)
  return bits < min || bits > max ? json : integerJson(BigInt.asIntN(type.bits, bits))
}

/** An integer as JSON: a bigint only where a number would not be exact. */
export function integerJson(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** The nearest value of a float type, widened to a double again. */
export function roundToFloat(value: number, bits: FloatBits): Held<number> {
  const rounded = bits === 64 ? value : bits === 32 ? Math.fround(value) : Math.f16round(value)
  return { value: rounded, overflow: Number.isFinite(value) && !Number.isFinite(rounded) }
}

/** Bits of each part of a complex number. */
export function partBits(type: Extract<DataType, { readonly kind: 'complex' }>): 32 | 64 {
  return type.bits === 64 ? 32 : 64
}

/** An integral double as a bigint; undefined for fractions, NaN and infinities. */
export function integerOf(value: number): bigint | undefined {
  return Number.isInteger(value) ? BigInt(value) : undefined
}

/** Whether two scalars are the same value: NaN equals NaN, and 0 equals -0, as masking has it. */
export function isSameScalar(a: Scalar, b: Scalar): boolean {
  switch (a.kind) {
    case 'number':
      return b.kind === 'number' && isSameNumber(a.value, b.value)
    case 'complex':
      return b.kind === 'complex' && isSameNumber(a.value[0], b.value[0]) && isSameNumber(a.value[1], b.value[1])
    case 'bytes':
      return b.kind === 'bytes' && Buffer.compare(a.value, b.value) === 0
    case 'bigint':
    case 'bool':
    case 'string':
      return a.kind === b.kind && a.value === b.value
  }
}

function isSameNumber(a: number, b: number): boolean {
  return a === b || (Number.isNaN(a) && Number.isNaN(b))
}
