import { malformed } from '../../errors.ts'
import { chunkMemory } from './chunk-memory.ts'
import { byteKernels } from './wasm/bytes.ts'

/** How samples were coded (CCSDS 121.0-B, unsigned samples). */
export interface RiceSettings {
  /** Of a sample: 1 to 32. */
  readonly bits: number
  /** Samples in a block: even. */
  readonly blockLength: number
  /** Blocks between two reference samples. */
  readonly blocks: number
  /** Whether differences to the sample before were coded. */
  readonly predicted: boolean
  /** Samples of up to 4 bits with shorter names for the codes of blocks. */
  readonly restricted?: boolean | undefined
  /** Whether each interval ends on a whole byte. */
  readonly aligned?: boolean | undefined
}

/** Samples as bytes, in an order. */
export interface RiceBytesSettings extends RiceSettings {
  readonly endian: 'little' | 'big'
}

/** Zeros behind the codes, which can be read in whole words. */
const MARGIN = 8

/** What is wrong with an interval, by what the kernel returns. */
const FAILURES: Readonly<Record<number, string>> = {
  [-2]: 'a pair of Rice codes is more than 90, the highest there is',
  [-3]: 'Rice codes say more blocks of zeros than are left',
}

/** Decodes samples into `length` bytes: 1, 2 or 4 bytes for each, as few as hold its bits. */
export function decodeRice(stream: Uint8Array, settings: RiceBytesSettings, length: number): Uint8Array {
  const sampleBytes = settings.bits > 16 ? 4 : settings.bits > 8 ? 2 : 1
  const result = chunkMemory.zeros(length)
  const numbers =
    sampleBytes === 1
      ? result
      : sampleBytes === 2
        ? new Uint16Array(result.buffer, 0, length >> 1)
        : new Uint32Array(result.buffer, 0, length >> 2)
  decodeIntervals(stream, settings, length / sampleBytes, (samples, at) => {
    for (let i = 0; i < samples.length; i++) numbers[at + i] = samples[i] ?? 0
  })
  if (settings.endian === 'little' || sampleBytes === 1) return result
  const swapped = Buffer.from(result.buffer)
  if (sampleBytes === 2) swapped.swap16()
  else swapped.swap32()
  return result
}

/** Gives the samples of one interval after the other, each with the place of its first. */
export function decodeIntervals(
  stream: Uint8Array,
  { bits, blockLength, blocks, predicted, restricted, aligned }: RiceSettings,
  total: number,
  use: (samples: Uint32Array, at: number) => void,
): void {
  const interval = blocks * blockLength
  const idBits = bits > 16 ? 5 : bits > 8 ? 4 : restricted === true ? (bits > 2 ? 2 : 1) : 3
  byteKernels.use([stream.length + MARGIN, 4 * interval], (kernels, memory, source, place) => {
    const end = source + stream.length
    memory.set(stream, source)
    memory.fill(0, end, end + MARGIN)
    kernels.ccsdsStart(source, end, bits, idBits, blockLength, blocks, predicted, aligned === true)
    const samples = new Uint32Array(memory.buffer, place, interval)
    for (let at = 0; at < total; at += interval) {
      const count = Math.min(interval, total - at)
      const failure = kernels.ccsdsInterval(place, count)
      if (failure !== 0) throw malformed(FAILURES[failure] ?? endsEarly(stream))
      use(samples.subarray(0, count), at)
    }
  })
}

function endsEarly(stream: Uint8Array): string {
  return `a stream of Rice codes ends after ${stream.length} bytes, more are expected`
}
