import { malformed } from '../../errors.ts'

const HALF = 1024

/** Probabilities at one half. */
export function probabilities(count: number): Uint16Array {
  return new Uint16Array(count).fill(HALF)
}

/** The range decoder of LZMA (LZMA specification, "Range Decoder"). */
export class RangeDecoder {
  readonly #bytes: Uint8Array
  #at: number
  #range = 0xffffffff
  #code = 0

  /** Begins with five bytes, the first of which is zero. */
  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes
    if (bytes.length - at < 5 || bytes[at] !== 0) throw malformed('an LZMA stream does not begin with a zero byte')
    for (let i = 1; i < 5; i++) this.#code = ((this.#code << 8) | (bytes[at + i] ?? 0)) >>> 0
    this.#at = at + 5
  }

  bit(table: Uint16Array, at: number): number {
    const probability = table[at] ?? HALF
    const bound = (this.#range >>> 11) * probability
    if (this.#code < bound) {
      table[at] = probability + ((2048 - probability) >> 5)
      this.#range = bound
      if (bound < 0x1000000) this.#normalise()
      return 0
    }
    table[at] = probability - (probability >> 5)
    this.#range -= bound
    this.#code -= bound
    if (this.#range < 0x1000000) this.#normalise()
    return 1
  }

  /** Bits of equal probability. */
  direct(count: number): number {
    let value = 0
    for (let i = 0; i < count; i++) {
      this.#range >>>= 1
      const bit = this.#code >= this.#range ? 1 : 0
      if (bit === 1) this.#code -= this.#range
      if (this.#range < 0x1000000) this.#normalise()
      value = value * 2 + bit
    }
    return value
  }

  #normalise(): void {
    const byte = this.#bytes[this.#at++]
    if (byte === undefined) throw malformed(`an LZMA stream of ${this.#bytes.length} bytes ends too early`)
    this.#range = (this.#range << 8) >>> 0
    this.#code = ((this.#code << 8) | byte) >>> 0
  }
}

/** A number of `bits` bits, highest first, each with its own probability. */
export function decodeTree(range: RangeDecoder, table: Uint16Array, start: number, bits: number): number {
  let value = 1
  for (let i = 0; i < bits; i++) value = (value << 1) | range.bit(table, start + value)
  return value - (1 << bits)
}

/** The same, lowest bit first. */
export function decodeTreeReversed(range: RangeDecoder, table: Uint16Array, start: number, bits: number): number {
  let node = 1
  let value = 0
  for (let i = 0; i < bits; i++) {
    const bit = range.bit(table, start + node)
    node = (node << 1) | bit
    value |= bit << i
  }
  return value
}
