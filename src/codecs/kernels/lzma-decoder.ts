import { malformed } from '../../errors.ts'
import { probabilities, type RangeDecoder } from './lzma-range.ts'
import type { Output } from './output.ts'

const STATES = 12
const LEAST_MATCH = 2
const END_MARK = 0xffffffff

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
  /** The last four distances, less one, the latest first. */
  readonly #reps = new Uint32Array(4)

  constructor(output: Output, properties: LzmaProperties, start: number) {
    this.#output = output
    this.#properties = properties
    this.#start = start
    this.#literals = probabilities(0x300 << (properties.lc + properties.lp))
  }

  /** Decodes until the output has grown to `end`, or until the end mark, which only an unknown length allows. */
  decode(range: RangeDecoder, end: number | undefined): void {
    const output = this.#output
    const start = this.#start
    const isMatch = this.#isMatch
    const literals = this.#literals
    const { lc, lp, pb } = this.#properties
    const positions = (1 << pb) - 1
    const literalPositions = (1 << lp) - 1
    const most = end ?? Number.POSITIVE_INFINITY
    let { bytes, length } = output
    while (length < most) {
      const state = this.#state
      const written = length - start
      const position = written & positions
      const at = (state << 4) + position
      if (range.bit(isMatch, at) === 0) {
        if (length >= bytes.length) {
          output.length = length
          output.reserve(1)
          bytes = output.bytes
        }
        const previous = written > 0 ? (bytes[length - 1] ?? 0) : 0
        const context = 0x300 * (((written & literalPositions) << lc) + (previous >> (8 - lc)))
        bytes[length] =
          state < 7
            ? range.tree(literals, context, 8)
            : range.matched(literals, context, bytes[length - (this.#reps[0] ?? 0) - 1] ?? 0)
        length++
        this.#state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6
        continue
      }
      output.length = length
      const more = this.#match(range, at, position)
      range.requireTaken()
      if (more > 0) this.#copy(more, most)
      else if (end === undefined) return
      else throw malformed('an LZMA stream ends before its declared length')
      length = output.length
      bytes = output.bytes
    }
    output.length = length
    range.requireTaken()
  }

  /** The length of a match; zero at the end mark. */
  #match(range: RangeDecoder, at: number, position: number): number {
    const state = this.#state
    const reps = this.#reps
    if (range.bit(this.#isRep, state) === 0) {
      const length = readLength(range, this.#matchLength, position)
      this.#state = state < 7 ? 7 : 10
      const distance = this.#distance(range, length)
      this.#moveBack(3)
      reps[0] = distance
      return distance === END_MARK ? 0 : length + LEAST_MATCH
    }
    if (range.bit(this.#isRepG0, state) === 0) {
      if (range.bit(this.#isRep0Long, at) === 0) {
        this.#state = state < 7 ? 9 : 11
        return 1
      }
    } else this.#takeOlder(range, state)
    this.#state = state < 7 ? 8 : 11
    return readLength(range, this.#repLength, position) + LEAST_MATCH
  }

  /** Brings one of the three older distances to the front. */
  #takeOlder(range: RangeDecoder, state: number): void {
    const reps = this.#reps
    const place = range.bit(this.#isRepG1, state) === 0 ? 1 : 2 + range.bit(this.#isRepG2, state)
    const distance = reps[place] ?? 0
    this.#moveBack(place)
    reps[0] = distance
  }

  #moveBack(places: number): void {
    const reps = this.#reps
    for (let place = places; place > 0; place--) reps[place] = reps[place - 1] ?? 0
  }

  #distance(range: RangeDecoder, length: number): number {
    const slots = this.#slots[Math.min(length, 3) as 0 | 1 | 2 | 3]
    const slot = range.tree(slots, 0, 6)
    if (slot < 4) return slot
    const direct = (slot >> 1) - 1
    const base = (2 | (slot & 1)) << direct
    if (slot < 14) return base + range.reversedTree(this.#positions, base - slot, direct)
    const high = range.direct(direct - 4) << 4
    return (base + high + range.reversedTree(this.#align, 0, 4)) >>> 0
  }

  #copy(length: number, most: number): void {
    const output = this.#output
    if (output.length + length > most) throw malformed('an LZMA match runs past the declared length')
    const distance = (this.#reps[0] ?? 0) + 1
    if (output.length - distance < this.#start) throw malformed('an LZMA match refers to before the beginning')
    output.reserve(length)
    const { bytes } = output
    const end = output.length + length
    for (let to = output.length; to < end; to++) bytes[to] = bytes[to - distance] ?? 0
    output.length = end
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
  if (range.bit(coder.choice, 0) === 0) return range.tree(coder.low, position << 3, 3)
  if (range.bit(coder.choice, 1) === 0) return 8 + range.tree(coder.middle, position << 3, 3)
  return 16 + range.tree(coder.high, 0, 8)
}
