// FITS Standard 4.0, section 10.4.1: Rice compression.

import { malformed } from '../../errors.ts'
import { elementCount } from '../../model/shape.ts'
import { requireInteger } from '../configuration.ts'
import { internalSerial } from '../internal.ts'
import { BitReader } from '../kernels/bit-reader.ts'
import { bytesOf, zeroNumbers } from '../numbers.ts'

/** Differences of integers, in blocks. */
export const fitsRice = internalSerial<RiceParameters>({
  name: 'vz.fits-rice',
  prepare: (parameters, { shape, dataType }) => {
    const settings = settingsOf(parameters)
    const count = elementCount(shape)
    return {
      decode: (bytes) => {
        const numbers = zeroNumbers(count, dataType)
        if (numbers instanceof BigInt64Array || numbers instanceof BigUint64Array) {
          throw malformed('vz.fits-rice: Rice-coded pixels have at most 32 bits, not 64')
        }
        decode(bytes, settings, numbers)
        return { kind: 'fixed', bytes: bytesOf(numbers) }
      },
    }
  },
})

interface RiceParameters {
  /** Of an integer (BYTEPIX): 1, 2 or 4. */
  readonly bytes: number
  /** BLOCKSIZE. */
  readonly blockLength: number
}

interface RiceSettings extends RiceParameters {
  readonly bytes: 1 | 2 | 4
}

type Samples = Pick<Int32Array, 'length'> & { [index: number]: number }

/** Bits of the code of a block, and the code of one that is not split. */
const WIDTHS = { 1: { id: 3, whole: 6 }, 2: { id: 4, whole: 14 }, 4: { id: 5, whole: 25 } } as const

function settingsOf({ bytes, blockLength }: RiceParameters): RiceSettings {
  requireInteger('blockLength', blockLength, 1, 2 ** 20)
  if (bytes === 1 || bytes === 2 || bytes === 4) return { bytes, blockLength }
  throw malformed(`vz.fits-rice: BYTEPIX is ${bytes}, expected 1, 2 or 4`)
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
