import type { Endian } from '../../bytes/cursor.ts'
import { bitsAt, integerBits } from '../../bytes/integers.ts'
import { malformed, unsupported } from '../../errors.ts'
import { elementCount } from '../../model/shape.ts'
import { requireInteger } from '../configuration.ts'
import { fixedBytes } from '../elements.ts'
import { internalArray } from '../internal.ts'
import { type FloatFields, floatValue } from '../kernels/odd-float.ts'
import { bytesOf, type Numbers, zeroNumbers } from '../numbers.ts'

/** Numbers that use only some bits of their bytes, or floats of another make (HDF5's classes 0, 1 and 4). */
export const bitField = internalArray<BitFieldParameters>({
  name: 'vz.bit-field',
  prepare: (parameters, { shape, dataType }) => {
    const field = fieldOf(parameters)
    const count = elementCount(shape)
    return {
      encodedLayout: { shape, dataType: { kind: 'opaque', length: field.size } },
      decode: (elements) => {
        const bytes = fixedBytes(elements, 'vz.bit-field')
        const target = zeroNumbers(count, dataType)
        if (bytes.length !== count * field.size) {
          throw malformed(`vz.bit-field: ${bytes.length} bytes hold no ${count} elements of ${field.size}`)
        }
        if (field.float !== undefined) decodeFloats(bytes, field, field.float, target)
        else if (field.size <= 4 && !isLong(target)) decodeShort(bytes, field, target)
        else decodeLong(bytes, field, target)
        return { kind: 'fixed', bytes: bytesOf(target) }
      },
    }
  },
})

type BitFieldParameters = Bits & ({ readonly class?: 'integer' } | ({ readonly class: 'float' } & FloatFields))

interface Bits {
  /** Of an element, in bytes. */
  readonly size: number
  readonly order?: Endian
  /** In bits; all of them when absent. */
  readonly offset?: number
  readonly precision?: number
  readonly signed?: boolean
}

interface Field {
  readonly size: number
  readonly endian: Endian
  readonly bitOffset: number
  readonly precision: number
  readonly signed: boolean
  readonly float: FloatFields | undefined
}

const MOST_BYTES = 32

function fieldOf(parameters: BitFieldParameters): Field {
  const { size, order, offset = 0, precision, signed = false } = parameters
  const float = parameters.class === 'float' ? parameters : undefined
  requireInteger('size', size, 1, MOST_BYTES)
  requireInteger('offset', offset, 0, 8 * size - 1)
  const used = precision ?? 8 * size - offset
  requireInteger('precision', used, 1, 8 * size - offset)
  if (float === undefined && used > 64) {
    throw unsupported(`integers of ${used} bits`, `integers of ${used} bits fit in no Zarr data type`)
  }
  if (float !== undefined) requireFloat(float, 8 * size)
  return { size, endian: order ?? 'little', bitOffset: offset, precision: used, signed, float }
}

function requireFloat(float: FloatFields, bits: number): void {
  const { signBit, exponentBit, exponentSize, exponentBias, mantissaBit, mantissaSize } = float
  for (const [name, place] of Object.entries({ signBit, exponentBit, mantissaBit })) {
    requireInteger(name, place, 0, bits - 1)
  }
  requireInteger('exponentSize', exponentSize, 1, 30)
  requireInteger('exponentBias', exponentBias, 0, 2 ** 32 - 1)
  requireInteger('mantissaSize', mantissaSize, 1, bits)
  if (exponentBit + exponentSize > bits || mantissaBit + mantissaSize > bits) {
    throw malformed(`vz.bit-field: exponent or mantissa lie outside of ${bits} bits`)
  }
}

function isLong(target: Numbers): target is BigInt64Array | BigUint64Array {
  return target instanceof BigInt64Array || target instanceof BigUint64Array
}

/** Elements of at most 4 bytes. */
function decodeShort(bytes: Uint8Array, field: Field, target: Exclude<Numbers, BigInt64Array | BigUint64Array>): void {
  const { size, bitOffset, precision, signed } = field
  const isBig = field.endian === 'big'
  const unused = 32 - precision
  for (let i = 0; i < target.length; i++) {
    let word = 0
    for (let at = 0; at < size; at++) word = (word << 8) | (bytes[i * size + (isBig ? at : size - 1 - at)] ?? 0)
    const top = (word >>> bitOffset) << unused
    target[i] = signed ? top >> unused : top >>> unused
  }
}

function decodeLong(bytes: Uint8Array, field: Field, target: Numbers): void {
  const { size, endian, bitOffset, precision, signed } = field
  for (let i = 0; i < target.length; i++) {
    const value = integerBits(bitsAt(bytes, i * size, size, endian), bitOffset, precision, signed)
    if (isLong(target)) target[i] = value
    else target[i] = Number(value)
  }
}

function decodeFloats(bytes: Uint8Array, field: Field, fields: FloatFields, target: Numbers): void {
  if (isLong(target)) throw malformed('vz.bit-field: floats are decoded to floats, not to integers of 64 bits')
  const { size, endian } = field
  for (let i = 0; i < target.length; i++) target[i] = floatValue(bitsAt(bytes, i * size, size, endian), fields)
}
