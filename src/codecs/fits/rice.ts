// FITS Standard 4.0, section 10.4.1: Rice compression.

import { malformed } from '../../errors.ts'
import { elementCount } from '../../model/shape.ts'
import { requireInteger } from '../configuration.ts'
import { internalSerial } from '../internal.ts'
import { byteKernels, ENDS_EARLY } from '../kernels/wasm/bytes.ts'
import { bytesOf, type Numbers, zeroNumbers } from '../numbers.ts'

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
        if (count > 0) decode(bytes, settings, numbers)
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

function settingsOf({ bytes, blockLength }: RiceParameters): RiceSettings {
  requireInteger('blockLength', blockLength, 1, 2 ** 20)
  if (bytes === 1 || bytes === 2 || bytes === 4) return { bytes, blockLength }
  throw malformed(`vz.fits-rice: BYTEPIX is ${bytes}, expected 1, 2 or 4`)
}

type Samples = Exclude<Numbers, BigInt64Array | BigUint64Array>

/** Zeros behind the codes, which can be read in whole words. */
const MARGIN = 8

function decode(stored: Uint8Array, { bytes, blockLength }: RiceSettings, numbers: Samples): void {
  const count = numbers.length
  byteKernels.use([stored.length + MARGIN, count * bytes], (kernels, memory, source, target) => {
    const end = source + stored.length
    memory.set(stored, source)
    memory.fill(0, end, end + MARGIN)
    const result = kernels.fitsRice(source, end, target, count, bytes, blockLength)
    if (result === ENDS_EARLY) {
      throw malformed(`a Rice-coded tile ends after ${stored.length} bytes, more are expected`)
    }
    if (result < 0) throw malformed(`a Rice block is split at bit ${-2 - result}, which is too high`)
    numbers.set(integersOf(memory.buffer, target, count, bytes))
  })
}

/** Arithmetic is that of C in the type of the pixels. */
function integersOf(memory: ArrayBuffer, at: number, count: number, bytes: 1 | 2 | 4) {
  if (bytes === 1) return new Uint8Array(memory, at, count)
  return bytes === 2 ? new Int16Array(memory, at, count) : new Int32Array(memory, at, count)
}
