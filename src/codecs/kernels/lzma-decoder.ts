import { malformed } from '../../errors.ts'
import { decodeTree, decodeTreeReversed, probabilities, type RangeDecoder } from './lzma-range.ts'
import type { Output } from './output.ts'

const STATES = 12
const LEAST_MATCH = 2

/** The three parameters of LZMA: literal context bits, literal position bits, position bits. */
export interface LzmaProperties {
  readonly lc: number
  readonly lp: number
  readonly pb: number
}

/** The properties in one byte (LZMA specification, "LZMA properties"). */
export function parseLzmaProperties(byte: number): LzmaProperties {
  if (byte >= 9 * 5 * 5) throw malformed(`LZMA properties are ${byte}, expected less than 225`)
  return { lc: byte % 9, lp: Math.floor(byte / 9) % 5, pb: Math.floor(byte / 45) }
}

/** Decodes LZMA (LZMA specification by I. Pavlov), keeping its state between the chunks of LZMA2. */
export class LzmaDecoder {
  readonly #output: Output
  readonly #properties: LzmaProperties
  readonly #literals: Uint16Array
  readonly #isMatch = probabilities(STATES << 4)
  readonly #isRep = probabilities(STATES)
  readonly #isRepG0 = probabilities(STATES)
  readonly #isRepG1 = probabilities(STATES)
  readonly #isRepG2 = probabilities(STATES)
  readonly #isRep0Long = probabilities(STATES << 4)
  readonly #slots = [probabilities(64), probabilities(64), probabilities(64), probabilities(64)] as const
  readonly #positions = probabilities(115)
  readonly #align = probabilities(16)
  readonly #matchLength = lengthCoder()
  readonly #repLength = lengthCoder()
  /** Where matches may reach back to. */
  readonly #start: number
  #state = 0
  #reps: [number, number, number, number] = [0, 0, 0, 0]

  constructor(output: Output, properties: LzmaProperties, start: number) {
    this.#output = output
    this.#properties = properties
    this.#start = start
    this.#literals = probabilities(0x300 << (properties.lc + properties.lp))
  }

  /** Decodes until the output has grown to `end`, or until the end mark, which only an unknown length allows. */
  decode(range: RangeDecoder, end: number | undefined): void {
    const output = this.#output
    while (end === undefined || output.length < end) {
      const position = (output.length - this.#start) & ((1 << this.#properties.pb) - 1)
      const at = (this.#state << 4) + position
      if (range.bit(this.#isMatch, at) === 0) this.#literal(range)
      else if (!this.#match(range, at, position, end)) return
    }
  }

  #literal(range: RangeDecoder): void {
    const output = this.#output
    const { lc, lp } = this.#properties
    const written = output.length - this.#start
    const previous = written > 0 ? (output.bytes[output.length - 1] ?? 0) : 0
    const context = 0x300 * (((written & ((1 << lp) - 1)) << lc) + (previous >> (8 - lc)))
    let symbol = 1
    if (this.#state >= 7) {
      let match = this.#byteBack(this.#reps[0])
      while (symbol < 0x100) {
        const expected = (match >> 7) & 1
        match <<= 1
        const bit = range.bit(this.#literals, context + ((1 + expected) << 8) + symbol)
        symbol = (symbol << 1) | bit
        if (bit !== expected) break
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | range.bit(this.#literals, context + symbol)
    output.push(symbol & 255)
    this.#state = this.#state < 4 ? 0 : this.#state < 10 ? this.#state - 3 : this.#state - 6
  }

  /** False at the end mark. */
  #match(range: RangeDecoder, at: number, position: number, end: number | undefined): boolean {
    const state = this.#state
    if (range.bit(this.#isRep, state) === 0) {
      const length = readLength(range, this.#matchLength, position)
      const distance = this.#distance(range, length)
      this.#state = state < 7 ? 7 : 10
      this.#reps = [distance, this.#reps[0], this.#reps[1], this.#reps[2]]
      if (distance === 0xffffffff) {
        if (end !== undefined) throw malformed('an LZMA stream ends before its declared length')
        return false
      }
      this.#copy(length + LEAST_MATCH, end)
      return true
    }
    if (range.bit(this.#isRepG0, state) === 0) {
      if (range.bit(this.#isRep0Long, at) === 0) {
        this.#state = state < 7 ? 9 : 11
        this.#copy(1, end)
        return true
      }
    } else this.#reps = this.#olderRep(range, state)
    const length = readLength(range, this.#repLength, position)
    this.#state = state < 7 ? 8 : 11
    this.#copy(length + LEAST_MATCH, end)
    return true
  }

  #olderRep(range: RangeDecoder, state: number): [number, number, number, number] {
    const [a, b, c, d] = this.#reps
    if (range.bit(this.#isRepG1, state) === 0) return [b, a, c, d]
    return range.bit(this.#isRepG2, state) === 0 ? [c, a, b, d] : [d, a, b, c]
  }

  #distance(range: RangeDecoder, length: number): number {
    const slots = this.#slots[Math.min(length, 3) as 0 | 1 | 2 | 3]
    const slot = decodeTree(range, slots, 0, 6)
    if (slot < 4) return slot
    const direct = (slot >> 1) - 1
    const base = ((2 | (slot & 1)) << direct) >>> 0
    if (slot < 14) return base + decodeTreeReversed(range, this.#positions, base - slot, direct)
    const high = range.direct(direct - 4) * 16
    return (base + high + decodeTreeReversed(range, this.#align, 0, 4)) >>> 0
  }

  #byteBack(distance: number): number {
    const at = this.#output.length - distance - 1
    if (at < this.#start) throw malformed('an LZMA match refers to before the beginning')
    return this.#output.bytes[at] ?? 0
  }

  #copy(length: number, end: number | undefined): void {
    const output = this.#output
    if (end !== undefined && output.length + length > end)
      throw malformed('an LZMA match runs past the declared length')
    this.#byteBack(this.#reps[0])
    output.reserve(length)
    const bytes = output.bytes
    const distance = this.#reps[0] + 1
    for (let i = 0, to = output.length; i < length; i++, to++) bytes[to] = bytes[to - distance] ?? 0
    output.length += length
  }
}

interface LengthCoder {
  readonly choice: Uint16Array
  readonly low: Uint16Array
  readonly middle: Uint16Array
  readonly high: Uint16Array
}

function lengthCoder(): LengthCoder {
  return { choice: probabilities(2), low: probabilities(128), middle: probabilities(128), high: probabilities(256) }
}

function readLength(range: RangeDecoder, coder: LengthCoder, position: number): number {
  if (range.bit(coder.choice, 0) === 0) return decodeTree(range, coder.low, position << 3, 3)
  if (range.bit(coder.choice, 1) === 0) return 8 + decodeTree(range, coder.middle, position << 3, 3)
  return 16 + decodeTree(range, coder.high, 0, 8)
}
