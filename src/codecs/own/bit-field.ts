import { malformed, unsupported } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import { elementCount } from '../../model/shape.ts'
import type { ArrayCodec } from '../codec.ts'
import { integerMember, wordMember } from '../configuration.ts'
import { fixedBytes } from '../elements.ts'
import { type FloatFields, floatValue } from '../kernels/odd-float.ts'
import { bytesOf, type Numbers, zeroNumbers } from '../numbers.ts'

/**
 * Numbers that use only some bits of their bytes, or floats of another make (HDF5's classes 0, 1 and 4): `size` in bytes,
 * `order`, `offset` and `precision` in bits, `signed`. With `class: 'float'` also HDF5's `signBit`, `exponentBit`,
 * `exponentSize`, `exponentBias`, `mantissaBit`, `mantissaSize`, `isImplied` (its first bit is 1, not stored), `isVax`.
 */
export const bitField: ArrayCodec = {
  kind: 'array',
  name: 'vz.bit-field',
  reach: 'internal',
  check: (configuration) => {
    fieldOf(configuration)
  },
  encodedLayout: (layout, configuration) => ({
    shape: layout.shape,
    dataType: { kind: 'opaque', length: fieldOf(configuration).size },
  }),
  decode: (elements, layout, configuration) => {
    const field = fieldOf(configuration)
    const bytes = fixedBytes(elements, 'vz.bit-field')
    const target = zeroNumbers(elementCount(layout.shape), layout.dataType)
    if (bytes.length !== target.length * field.size) {
      throw malformed(`vz.bit-field: ${bytes.length} bytes hold no ${target.length} elements of ${field.size}`)
    }
    if (field.float !== undefined) decodeFloats(bytes, field, field.float, target)
    else if (field.size <= 4 && !isLong(target)) decodeShort(bytes, field, target)
    else decodeLong(bytes, field, target)
    return { kind: 'fixed', bytes: bytesOf(target) }
  },
}

interface Field {
  readonly size: number
  readonly isBig: boolean
  readonly bitOffset: number
  readonly precision: number
  readonly signed: boolean
  readonly float: FloatFields | undefined
}

const MOST_BYTES = 32

function fieldOf(configuration: JsonObject): Field {
  const kind = wordMember(configuration, 'class', ['integer', 'float'], 'integer')
  const size = integerMember(configuration, 'size', { least: 1, most: MOST_BYTES })
  const bitOffset = integerMember(configuration, 'offset', { least: 0, most: 8 * size - 1, fallback: 0 })
  const room = 8 * size - bitOffset
  const precision = integerMember(configuration, 'precision', { least: 1, most: room, fallback: room })
  if (kind === 'integer' && precision > 64) {
    throw unsupported(`integers of ${precision} bits`, `integers of ${precision} bits fit in no Zarr data type`)
  }
  return {
    size,
    isBig: wordMember(configuration, 'order', ['little', 'big'], 'little') === 'big',
    bitOffset,
    precision,
    signed: configuration['signed'] === true,
    float: kind === 'float' ? floatFields(configuration, 8 * size) : undefined,
  }
}

function floatFields(configuration: JsonObject, bits: number): FloatFields {
  if (configuration['isVax'] === true) throw unsupported('VAX floats', 'floats in VAX order are not decoded')
  const place = (name: string) => integerMember(configuration, name, { least: 0, most: bits - 1 })
  const width = (name: string, most: number) => integerMember(configuration, name, { least: 1, most })
  const fields = {
    signBit: place('signBit'),
    exponentBit: place('exponentBit'),
    exponentSize: width('exponentSize', 30),
    exponentBias: integerMember(configuration, 'exponentBias', { least: 0, most: 2 ** 32 - 1 }),
    mantissaBit: place('mantissaBit'),
    mantissaSize: width('mantissaSize', bits),
    isImplied: configuration['isImplied'] === true,
  }
  if (fields.exponentBit + fields.exponentSize > bits || fields.mantissaBit + fields.mantissaSize > bits) {
    throw malformed(`vz.bit-field: exponent or mantissa lie outside of ${bits} bits`)
  }
  return fields
}

function isLong(target: Numbers): target is BigInt64Array | BigUint64Array {
  return target instanceof BigInt64Array || target instanceof BigUint64Array
}

/** Elements of at most 4 bytes. */
function decodeShort(bytes: Uint8Array, field: Field, target: Exclude<Numbers, BigInt64Array | BigUint64Array>): void {
  const { size, isBig, bitOffset, precision, signed } = field
  const unused = 32 - precision
  for (let i = 0; i < target.length; i++) {
    let word = 0
    for (let at = 0; at < size; at++) word = (word << 8) | (bytes[i * size + (isBig ? at : size - 1 - at)] ?? 0)
    const top = (word >>> bitOffset) << unused
    target[i] = signed ? top >> unused : top >>> unused
  }
}

function decodeLong(bytes: Uint8Array, field: Field, target: Numbers): void {
  const { size, bitOffset, precision, signed } = field
  for (let i = 0; i < target.length; i++) {
    const word = wordOf(bytes, i * size, field) >> BigInt(bitOffset)
    const value = signed ? BigInt.asIntN(precision, word) : BigInt.asUintN(precision, word)
    if (isLong(target)) target[i] = value
    else target[i] = Number(value)
  }
}

function decodeFloats(bytes: Uint8Array, field: Field, fields: FloatFields, target: Numbers): void {
  if (isLong(target)) throw malformed('vz.bit-field: floats are decoded to floats, not to integers of 64 bits')
  for (let i = 0; i < target.length; i++) target[i] = floatValue(wordOf(bytes, i * field.size, field), fields)
}

/** All bits of an element as one number. */
function wordOf(bytes: Uint8Array, start: number, { size, isBig }: Field): bigint {
  let word = 0n
  for (let at = 0; at < size; at++) {
    word = (word << 8n) | BigInt(bytes[start + (isBig ? at : size - 1 - at)] ?? 0)
  }
  return word
}
