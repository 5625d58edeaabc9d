// FITS Standard 4.0, section 10.2 and appendix I: floats that were made integers, with or without dithering.

import { malformed } from '../../errors.ts'
import type { DataType } from '../../model/data-type.ts'
import type { Encoding } from '../../model/encoding.ts'
import { elementCount } from '../../model/shape.ts'
import type { ChunkLayout, Elements } from '../codec.ts'
import { fixedBytes } from '../elements.ts'
import { internalSerial } from '../internal.ts'
import { bytesOf, zeroNumbers } from '../numbers.ts'

/**
 * A tile's prefix (four doubles, big-endian: its place in the series of random numbers, scale, zero, and the integer that
 * stands for NaN, or NaN), then integers of 32 bits in an encoding of their own.
 */
export const fitsQuantized = internalSerial<QuantizedParameters>({
  name: 'vz.fits-quantized',
  prepare: ({ dither, encoding }, layout, inner) => {
    const decodeIntegers = inner(encoding, { shape: layout.shape, dataType: INTEGERS })
    return {
      decode: async (bytes, { limit }) => {
        if (bytes.length < PREFIX_BYTES) throw malformed(`a quantized tile has ${bytes.length} bytes`)
        const elements = await decodeIntegers(bytes.subarray(PREFIX_BYTES), { limit })
        return dequantized(elements, prefixOf(bytes), layout, dither)
      },
    }
  },
})

interface QuantizedParameters {
  /** As ZQUANTIZ says. */
  readonly dither: Dither
  readonly encoding: Encoding
}

const INTEGERS: DataType = { kind: 'int', bits: 32 }
const PREFIX_BYTES = 32
const RANDOM_COUNT = 10_000
/** SUBTRACTIVE_DITHER_2 keeps zeros exact by this integer. */
const ZERO = -2_147_483_646
const RANDOM = randomNumbers()

/** Appendix I: the minimal standard generator of Park and Miller, as floats of 32 bits. */
function randomNumbers(): Float32Array {
  const numbers = new Float32Array(RANDOM_COUNT)
  let seed = 1
  for (let i = 0; i < RANDOM_COUNT; i++) {
    seed = (16_807 * seed) % 2_147_483_647
    numbers[i] = seed / 2_147_483_647
  }
  return numbers
}

type Dither = 'none' | 'subtractive-1' | 'subtractive-2'

interface Prefix {
  readonly place: number
  readonly scale: number
  readonly zero: number
  readonly blank: number
}

function prefixOf(bytes: Uint8Array): Prefix {
  const view = new DataView(bytes.buffer, bytes.byteOffset, PREFIX_BYTES)
  const [place = 0, scale = 1, zero = 0, blank = Number.NaN] = [0, 8, 16, 24].map((at) => view.getFloat64(at))
  return { place, scale, zero, blank }
}

function dequantized(elements: Elements, prefix: Prefix, layout: ChunkLayout, dither: Dither): Elements {
  const stored = fixedBytes(elements, 'vz.fits-quantized')
  const view = new DataView(stored.buffer, stored.byteOffset, stored.byteLength)
  const numbers = zeroNumbers(elementCount(layout.shape), layout.dataType)
  if (!(numbers instanceof Float32Array || numbers instanceof Float64Array)) {
    throw malformed('vz.fits-quantized: only floats are quantized')
  }
  const { scale, zero, blank } = prefix
  const random = dither === 'none' ? undefined : new DitherSeries(prefix.place)
  for (let i = 0; i < numbers.length; i++) {
    const value = view.getInt32(4 * i, true)
    const offset = random?.next()
    if (value === blank) numbers[i] = Number.NaN
    else if (offset === undefined) numbers[i] = value * scale + zero
    else if (dither === 'subtractive-2' && value === ZERO) numbers[i] = 0
    else numbers[i] = (value - offset + 0.5) * scale + zero
  }
  return { kind: 'fixed', bytes: bytesOf(numbers) }
}

/** The random numbers of one tile: each run of them begins where the one before says. */
class DitherSeries {
  #run: number
  #at: number

  constructor(place: number) {
    this.#run = (((place - 1) % RANDOM_COUNT) + RANDOM_COUNT) % RANDOM_COUNT
    this.#at = this.#start()
  }

  next(): number {
    const value = RANDOM[this.#at] ?? 0
    this.#at++
    if (this.#at === RANDOM_COUNT) {
      this.#run = (this.#run + 1) % RANDOM_COUNT
      this.#at = this.#start()
    }
    return value
  }

  #start(): number {
    return Math.floor((RANDOM[this.#run] ?? 0) * 500)
  }
}
