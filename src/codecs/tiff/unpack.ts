// TIFF 6.0 sections 2 and 3: samples of any number of bits, each row beginning with a byte of its own.

import type { Endian } from '../../bytes/cursor.ts'
import { malformed } from '../../errors.ts'
import { elementCount } from '../../model/shape.ts'
import type { ChunkLayout, Elements } from '../codec.ts'
import { requireInteger } from '../configuration.ts'
import { internalSerial } from '../internal.ts'
import { bytesOf, isLong, type Numbers, zeroNumbers } from '../numbers.ts'
import { type Block, surplusOfBlock } from './rows.ts'

/**
 * Samples of 1 to 32 bits as numbers of the layout's type. Integers form one stream of bits, the highest first, in either
 * byte order: so do GDAL and tifffile read those of 24 bits.
 */
export const tiffUnpack = internalSerial<UnpackParameters>({
  name: 'vz.tiff-unpack',
  mayLackRows: true,
  prepare: ({ bits, signed = false, float = false, endian, block }, layout) => {
    requireInteger('bits', bits, 1, 32)
    if (float && bits !== 24) throw malformed(`vz.tiff-unpack: floats of ${bits} bits are no floats of 24 bits`)
    const samples = { bits, signed, float, isBig: endian === 'big' }
    return {
      surplus: surplusOfBlock((layout.shape[0] ?? 1) * rowBytesOf(layout, samples), block),
      decode: (bytes, { inside }) => unpack(bytes, layout, samples, inside),
    }
  },
})

interface UnpackParameters extends Block {
  readonly bits: number
  readonly signed?: boolean
  /** Takes 24 bits for a float, in the byte order of the file: 1 sign, 7 exponent, 16 mantissa. */
  readonly float?: boolean
  readonly endian: Endian
}

interface Samples {
  readonly bits: number
  readonly signed: boolean
  readonly float: boolean
  readonly isBig: boolean
}

/** How many samples one row of a layout (rows, columns) or (rows, columns, samples) has. */
export function samplesOfRow({ shape }: ChunkLayout): number {
  return elementCount(shape.slice(1))
}

function rowBytesOf(layout: ChunkLayout, { bits }: Samples): number {
  return Math.ceil((samplesOfRow(layout) * bits) / 8)
}

/** Rows outside of the image may be left out, as in `vz.tiff-rows`. */
function unpack(
  bytes: Uint8Array,
  layout: ChunkLayout,
  samples: Samples,
  inside: readonly number[] | undefined,
): Elements {
  const perRow = samplesOfRow(layout)
  const rowBytes = rowBytesOf(layout, samples)
  const rows = layout.shape[0] ?? 1
  const least = inside?.[0] ?? rows
  if (bytes.length < least * rowBytes) {
    throw malformed(`a block decodes to ${bytes.length} bytes, ${least} rows of ${rowBytes} are expected`)
  }
  const numbers = zeroNumbers(rows * perRow, layout.dataType)
  if (isLong(numbers)) throw malformed('vz.tiff-unpack: samples of at most 32 bits are no integers of 64')
  for (let row = 0; row < rows; row++) {
    const stored = bytes.subarray(row * rowBytes, (row + 1) * rowBytes)
    const first = row * perRow
    if (samples.float) unpackFloats(stored, samples, numbers, first)
    else unpackBits(stored, samples, numbers, first, perRow)
  }
  return { kind: 'fixed', bytes: bytesOf(numbers) }
}

type ShortNumbers = Exclude<Numbers, BigInt64Array | BigUint64Array>

function unpackFloats(stored: Uint8Array, { isBig }: Samples, to: ShortNumbers, first: number) {
  for (let at = 0, place = first; at < stored.length; at += 3, place++) {
    const [low, high] = isBig ? [stored[at + 2], stored[at]] : [stored[at], stored[at + 2]]
    to[place] = float24(((high ?? 0) << 16) | ((stored[at + 1] ?? 0) << 8) | (low ?? 0))
  }
}

function unpackBits(stored: Uint8Array, { bits, signed }: Samples, to: ShortNumbers, first: number, count: number) {
  const unused = 32 - bits
  let bit = 0
  for (let i = 0; i < count; i++, bit += bits) {
    const at = bit >> 3
    const shift = bit & 7
    const word =
      ((stored[at] ?? 0) << 24) | ((stored[at + 1] ?? 0) << 16) | ((stored[at + 2] ?? 0) << 8) | (stored[at + 3] ?? 0)
    // A sample of more than 25 bits may end in a fifth byte.
    const top = shift === 0 ? word : (word << shift) | ((stored[at + 4] ?? 0) >> (8 - shift))
    to[first + i] = signed ? top >> unused : top >>> unused
  }
}

const EXPONENT_BIAS = 63

function float24(word: number): number {
  const sign = word & 0x800000 ? -1 : 1
  const exponent = (word >> 16) & 0x7f
  const mantissa = word & 0xffff
  if (exponent === 0x7f) return mantissa === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  if (exponent === 0) return sign * mantissa * 2 ** (1 - EXPONENT_BIAS - 16)
  return sign * (1 + mantissa / 65_536) * 2 ** (exponent - EXPONENT_BIAS)
}
