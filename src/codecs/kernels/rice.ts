import { malformed } from '../../errors.ts'
import { BitReader } from './bit-reader.ts'

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

/** This code for the number of zero blocks means: to the end of the segment. */
const REST_OF_SEGMENT = 5
/** Zero blocks are counted within segments of so many blocks. */
const SEGMENT = 64
/** Bits that are within one word wherever they begin. */
const MOST_SHORT = 24
/** The highest code of the second extension: pairs of samples whose sum is at most 12. */
const MOST_PAIR = 90

/** Decodes samples into `length` bytes: 1, 2 or 4 bytes for each, as few as hold its bits. */
export function decodeRice(stream: Uint8Array, settings: RiceBytesSettings, length: number): Uint8Array {
  const sampleBytes = settings.bits > 16 ? 4 : settings.bits > 8 ? 2 : 1
  const result = new Uint8Array(length)
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
  settings: RiceSettings,
  total: number,
  use: (samples: Uint32Array, at: number) => void,
): void {
  const reader = new BitReader(stream, 'a stream of Rice codes')
  const samples = new Uint32Array(settings.blocks * settings.blockLength)
  for (let at = 0; at < total; at += samples.length) {
    const count = Math.min(samples.length, total - at)
    decodeInterval(reader, settings, samples, count)
    if (settings.predicted) undoPrediction(samples, count, 2 ** settings.bits - 1)
    if (settings.aligned === true) reader.align()
    use(samples.subarray(0, count), at)
  }
  reader.finish()
}

/** The blocks from one reference sample to the next. */
function decodeInterval(reader: BitReader, settings: RiceSettings, samples: Uint32Array, count: number): void {
  const { bits, blockLength, blocks, predicted } = settings
  const idBits = bits > 16 ? 5 : bits > 8 ? 4 : settings.restricted === true ? (bits > 2 ? 2 : 1) : 3
  const uncompressed = 2 ** idBits - 1
  let at = 0
  while (at < count) {
    const id = reader.read(idBits)
    const first = predicted && at === 0 ? 1 : 0
    const end = at + blockLength
    if (id === uncompressed) {
      for (; at < end; at++) samples[at] = reader.read(bits)
      continue
    }
    const isPairs = id === 0 && reader.read(1) === 1
    if (first === 1) samples[at] = reader.read(bits)
    if (id > 0) at = decodeSplit(reader, samples, at + first, end, id - 1)
    else if (isPairs) at = decodePairs(reader, samples, at, at + first, end)
    else {
      const stop = at + blockLength * zeroBlocks(reader, at / blockLength, blocks)
      samples.fill(0, at + first, stop)
      at = stop
    }
  }
}

/** High parts in unary, then `low` bits of each. */
function decodeSplit(reader: BitReader, samples: Uint32Array, start: number, end: number, low: number): number {
  reader.unaryInto(samples, start, end, low)
  if (low > MOST_SHORT) for (let i = start; i < end; i++) samples[i] = (samples[i] ?? 0) | reader.read(low)
  else if (low > 0) reader.addInto(samples, start, end, low)
  return end
}

/** The second extension: one code for two samples; that of the reference sample is left out. */
function decodePairs(reader: BitReader, samples: Uint32Array, block: number, start: number, end: number): number {
  for (let i = start; i < end; i++) {
    const code = reader.unary()
    if (code > MOST_PAIR) throw malformed(`a pair of Rice codes is ${code}, expected at most ${MOST_PAIR}`)
    const sum = Math.floor((Math.sqrt(8 * code + 1) - 1) / 2)
    const second = code - (sum * (sum + 1)) / 2
    if ((i - block) % 2 === 0) samples[i++] = sum - second
    samples[i] = second
  }
  return end
}

function zeroBlocks(reader: BitReader, block: number, blocks: number): number {
  const code = reader.unary() + 1
  const left = blocks - block
  const count =
    code === REST_OF_SEGMENT ? Math.min(left, SEGMENT - (block % SEGMENT)) : code - Number(code > REST_OF_SEGMENT)
  if (count > left) throw malformed(`Rice codes say ${count} blocks of zeros where ${left} are left`)
  return count
}

/** From mapped differences back to samples of 0 to `most`. */
function undoPrediction(samples: Uint32Array, count: number, most: number): void {
  const middle = (most >>> 1) + 1
  let value = samples[0] ?? 0
  for (let i = 1; i < count; i++) {
    const mapped = samples[i] ?? 0
    const mirror = (value & middle) === 0 ? 0 : most
    const half = (mapped >>> 1) + (mapped & 1)
    // Odd ones are negative: without a branch that nobody can predict.
    if (half <= (mirror ^ value) >>> 0) value += (mapped >>> 1) ^ -(mapped & 1)
    else value = ((mirror ^ mapped) & most) >>> 0
    samples[i] = value
  }
}
