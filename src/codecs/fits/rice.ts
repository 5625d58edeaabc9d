// FITS Standard 4.0, section 10.4.1: Rice compression.

import { malformed } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import { elementCount } from '../../model/shape.ts'
import type { SerialCodec } from '../codec.ts'
import { integerMember } from '../configuration.ts'
import { BitReader } from '../kernels/bit-reader.ts'
import { bytesOf, zeroNumbers } from '../numbers.ts'

/** Differences of integers of 1, 2 or 4 `bytes` (BYTEPIX), in blocks of `blockLength` (BLOCKSIZE). */
export const fitsRice: SerialCodec = {
  kind: 'serial',
  name: 'vz.fits-rice',
  reach: 'internal',
  check: (configuration) => {
    settingsOf(configuration)
  },
  decode: (bytes, layout, configuration) => {
    const numbers = zeroNumbers(elementCount(layout.shape), layout.dataType)
    if (numbers instanceof BigInt64Array || numbers instanceof BigUint64Array) {
      throw malformed('vz.fits-rice: Rice-coded pixels have at most 32 bits, not 64')
    }
    decode(bytes, settingsOf(configuration), numbers)
    return { kind: 'fixed', bytes: bytesOf(numbers) }
  },
}

interface RiceSettings {
  readonly bytes: 1 | 2 | 4
  readonly blockLength: number
}

type Samples = Pick<Int32Array, 'length'> & { [index: number]: number }

/** Bits of the code of a block, and the code of one that is not split. */
const WIDTHS = { 1: { id: 3, whole: 6 }, 2: { id: 4, whole: 14 }, 4: { id: 5, whole: 25 } } as const

function settingsOf(configuration: JsonObject): RiceSettings {
  const bytes = integerMember(configuration, 'bytes', { least: 1, most: 4 })
  if (bytes === 3) throw malformed('vz.fits-rice: BYTEPIX is 3, expected 1, 2 or 4')
  const blockLength = integerMember(configuration, 'blockLength', { least: 1, most: 2 ** 20 })
  return { bytes: bytes === 1 ? 1 : bytes === 2 ? 2 : 4, blockLength }
}

function decode(stored: Uint8Array, { bytes, blockLength }: RiceSettings, samples: Samples): void {
  if (samples.length === 0) return
  const reader = new BitReader(stored, 'a Rice-coded tile')
  const { id, whole } = WIDTHS[bytes]
  const bits = 8 * bytes
  const wrap = wrapOf(bytes)
  let last = wrap(reader.read(bits))
  for (let start = 0; start < samples.length; start += blockLength) {
    const end = Math.min(start + blockLength, samples.length)
    const split = reader.read(id) - 1
    if (split > whole) throw malformed(`a Rice block is split at bit ${split}, expected at most ${whole}`)
    for (let i = start; i < end; i++) {
      if (split >= 0) {
        const difference = split === whole ? reader.read(bits) : (reader.unary() << split) | reader.read(split)
        last = wrap(last + unmapped(difference))
      }
      samples[i] = last
    }
  }
  reader.finish()
}

/** Even codes are the differences that are not negative. */
function unmapped(code: number): number {
  return code & 1 ? ~(code >>> 1) : code >>> 1
}

/** Arithmetic is that of C in the type of the pixels. */
function wrapOf(bytes: 1 | 2 | 4): (value: number) => number {
  if (bytes === 1) return (value) => value & 0xff
  return bytes === 2 ? (value) => (value << 16) >> 16 : (value) => value | 0
}
