import { bitsAt, integerBits } from '../../../bytes/integers.ts'
import { floatValue } from '../../../codecs/kernels/odd-float.ts'
import type { Json } from '../../../json/json.ts'
import { floatJson } from '../../../json/json.ts'
import type { DataType } from '../../../model/data-type.ts'
import { isBooleanEnum } from '../../hdf5-elements/enumerations.ts'
import type { CompoundMember, Datatype, FloatType } from '../messages/datatype.ts'

type Integer = Extract<Datatype, { class: 'integer' | 'bitfield' }>

export function isBoolean(type: Extract<Datatype, { class: 'enum' }>): boolean {
  return isBooleanEnum(type.names, type.values, type.size)
}

/** Text of fixed length, with its padding where that is not NULs. */
export function fixedText({ size, padding }: Extract<Datatype, { class: 'string' }>): DataType {
  const type = { kind: 'fixed-text', encoding: 'bytes', length: size } as const
  // A character alone has no room for padding.
  return padding === 'nul' || size === 1 ? type : { ...type, padding }
}

/** The width of an integer that uses all its bits; undefined for any other. */
export function wholeBits(type: Integer): 8 | 16 | 32 | 64 | undefined {
  if (type.bitOffset !== 0 || type.precision !== type.size * 8) return undefined
  return ([8, 16, 32, 64] as const).find((bits) => bits === type.precision)
}

interface IeeeFormat {
  readonly bits: 16 | 32 | 64
  readonly exponent: number
  readonly mantissa: number
}

/** IEEE 754, by size. */
const IEEE: ReadonlyMap<number, IeeeFormat> = new Map<number, IeeeFormat>([
  [2, { bits: 16, exponent: 5, mantissa: 10 }],
  [4, { bits: 32, exponent: 8, mantissa: 23 }],
  [8, { bits: 64, exponent: 11, mantissa: 52 }],
])

/** The width of an IEEE float; undefined for any other. */
export function ieeeBits(type: FloatType): 16 | 32 | 64 | undefined {
  const format = IEEE.get(type.size)
  const isIeee =
    format !== undefined &&
    !type.isVax &&
    type.isImplied &&
    type.bitOffset === 0 &&
    type.precision === format.bits &&
    type.signBit === format.bits - 1 &&
    type.exponentBit === format.mantissa &&
    type.exponentSize === format.exponent &&
    type.mantissaBit === 0 &&
    type.mantissaSize === format.mantissa &&
    type.exponentBias === 2 ** (format.exponent - 1) - 1
  return isIeee ? format.bits : undefined
}

/** The parts of a complex number: the class of HDF5 2, or records of `r` and `i` as h5py writes them. */
export function complexPart(type: Datatype): FloatType | undefined {
  if (type.class === 'complex') return type.base.class === 'float' ? type.base : undefined
  if (type.class !== 'compound' || type.members.length !== 2) return undefined
  const [re, im] = type.members
  return re?.name === 'r' && im?.name === 'i' ? commonPart(re, im, type.size) : undefined
}

function commonPart(re: CompoundMember, im: CompoundMember, size: number): FloatType | undefined {
  if (re.type.class !== 'float' || im.type.class !== 'float') return undefined
  const isSame =
    re.type.size === im.type.size && re.type.endian === im.type.endian && ieeeBits(re.type) === ieeeBits(im.type)
  const isPacked = re.offset === 0 && im.offset === re.type.size && size === 2 * re.type.size
  return isSame && isPacked ? re.type : undefined
}

/** The width of a complex number that Zarr has; undefined for any other. */
export function complexBits(part: FloatType): 64 | 128 | undefined {
  const bits = ieeeBits(part)
  if (bits === 32) return 64
  return bits === 64 ? 128 : undefined
}

type IntegerType = Extract<Datatype, { class: 'integer' | 'bitfield' }>

/** An integer of any width, precision and place in its bytes. */
export function integerOf(bytes: Uint8Array, type: IntegerType): bigint {
  const bits = bitsAt(bytes, 0, bytes.length, type.endian)
  return integerBits(bits, type.bitOffset, type.precision, type.class === 'integer' && type.signed)
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
