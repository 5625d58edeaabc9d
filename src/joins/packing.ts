import { packingFactor } from '../fill-value/packing-factor.ts'
import { unsignedAttribute } from '../fill-value/raw-sentinel.ts'
import { Float } from '../json/json.ts'
import { type DataType, type IntegerType, integerRange, type Scalar } from '../model/data-type.ts'
import type { AttributeValue, VirtualArray } from '../model/virtual-store.ts'
import { isInteger } from './types.ts'

/** What packed numbers stand for: `scale * n + offset`. */
export interface Packing {
  readonly scale: Decimal
  readonly offset: Decimal
  /** The type by which the stored bits are read: `_Unsigned` may say another sign than they are stored under. */
  readonly bits: DataType
}

/** A number as its shortest decimals spell it: `digits / 10 ** places`. */
interface Decimal {
  readonly value: number
  readonly digits: bigint
  readonly places: number
}

/** How an array is packed; numbers that are not packed have scale 1. */
export function packingOf({ attributes, dataType }: VirtualArray): Packing {
  return {
    scale: decimalOf(packingFactor(attributes.get('scale_factor')) ?? 1),
    offset: decimalOf(packingFactor(attributes.get('add_offset')) ?? 0),
    bits: signedAs(dataType, unsignedAttribute(attributes.get('_Unsigned'))),
  }
}

function signedAs(type: DataType, isUnsigned: boolean | undefined): DataType {
  if (!isInteger(type) || isUnsigned === undefined) return type
  return isUnsigned ? { kind: 'uint', bits: type.bits } : { kind: 'int', bits: type.bits }
}

/** Numbers of an integer type as the type of the other sign reads their bits. */
export function inBits(values: readonly (number | bigint)[], type: DataType): (number | bigint)[] {
  if (!isInteger(type)) return [...values]
  return values.map((value) => {
    if (!Number.isInteger(Number(value))) return value
    const whole =
      type.kind === 'uint' ? BigInt.asUintN(type.bits, BigInt(value)) : BigInt.asIntN(type.bits, BigInt(value))
    return type.bits === 64 ? whole : Number(whole)
  })
}

/** Whole numbers by which numbers of one packing become those of another, in decimals exactly; undefined where there are none. */
export function repacking(from: Packing, to: Packing): { readonly multiply: bigint; readonly add: bigint } | undefined {
  const places = Math.max(from.scale.places, from.offset.places, to.scale.places, to.offset.places)
  const [scale, offset, unit, zero] = [from.scale, from.offset, to.scale, to.offset].map((decimal) =>
    scaled(decimal, places),
  )
  if (scale === undefined || offset === undefined || unit === undefined || zero === undefined || unit === 0n)
    return undefined
  const shift = offset - zero
  if (scale % unit !== 0n || shift % unit !== 0n) return undefined
  return { multiply: scale / unit, add: shift / unit }
}

/** What a type's numbers may become once they are repacked. */
export function repackedRange(
  type: IntegerType,
  { multiply, add }: { readonly multiply: bigint; readonly add: bigint },
): readonly [least: bigint, most: bigint] {
  const [low, high] = integerRange(type)
  const [one, other] = [low * multiply + add, high * multiply + add]
  return one <= other ? [one, other] : [other, one]
}

/** The smallest integer type that holds all numbers of a range. */
export function typeOfRange([least, most]: readonly [bigint, bigint]): IntegerType | undefined {
  return INTEGERS.find((candidate) => {
    const [from, to] = integerRange(candidate)
    return least >= from && most <= to
  })
}

const INTEGERS: readonly IntegerType[] = ([8, 16, 32, 64] as const).flatMap((bits) => [
  { kind: 'int', bits } as const,
  { kind: 'uint', bits } as const,
])

function scaled({ digits, places }: Decimal, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - places)
}

/** Most places after the point: beyond them a number is no decimal that anybody wrote. */
const MOST_PLACES = 400

function decimalOf(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  const places = fraction.length - Number(exponent)
  if (!Number.isFinite(value) || Math.abs(places) > MOST_PLACES) return { value, digits: 0n, places: 0 }
  const digits = BigInt(whole + fraction)
  return places >= 0 ? { value, digits, places } : { value, digits: digits * 10n ** BigInt(-places), places: 0 }
}

export function numberOf(value: AttributeValue | undefined): number | undefined {
  const single = Array.isArray(value) && value.length === 1 ? (value[0] as AttributeValue) : value
  if (single instanceof Float) return single.value
  return typeof single === 'number' || typeof single === 'bigint' ? Number(single) : undefined
}

/** A number as a scalar of its type. */
export function numberScalar(value: number | bigint, type: DataType): Scalar {
  const isWide = isInteger(type) && type.bits === 64
  if (isWide) return { kind: 'bigint', value: Number.isNaN(value) ? 0n : BigInt(value) }
  return { kind: 'number', value: Number(value) }
}
