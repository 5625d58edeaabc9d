import { malformed } from '../../errors.ts'

const HALF = 1024
/** Below this, a byte more is taken. */
const LEAST_RANGE = 0x1000000

/** Probabilities at one half. */
export function probabilities(count: number): Uint16Array {
  return new Uint16Array(count).fill(HALF)
}

/**
 * The range decoder of LZMA (LZMA specification, "Range Decoder"). Its two numbers are unsigned, and kept as signed ones, which
 * engines keep apart from objects; loops over several bits have them in variables, which is most of the speed.
 */
export class RangeDecoder {
  readonly #bytes: Uint8Array
  #at: number
  #range = -1
  #code = 0

  /** Begins with five bytes, the first of which is zero. */
  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes
    if (bytes.length - at < 5 || bytes[at] !== 0) throw malformed('an LZMA stream does not begin with a zero byte')
    for (let i = 1; i < 5; i++) this.#code = (this.#code << 8) | (bytes[at + i] ?? 0)
    this.#at = at + 5
  }

  /** Throws once more was taken than there is; until then, zeros. */
  requireTaken(): void {
    if (this.#at > this.#bytes.length) {
      throw malformed(`an LZMA stream of ${this.#bytes.length} bytes ends too early`)
    }
  }

  /** Whether all bytes were taken, and nothing is left in the code: so a chunk of LZMA2 ends. */
  get isFinished(): boolean {
    return this.#at === this.#bytes.length && this.#code === 0
  }

  bit(table: Uint16Array, at: number): number {
    const probability = table[at] ?? HALF
    const bound = Math.imul(this.#range >>> 11, probability)
    let bit = 0
    if (this.#code >>> 0 < bound >>> 0) {
      table[at] = probability + ((2048 - probability) >> 5)
      this.#range = bound
    } else {
      table[at] = probability - (probability >> 5)
      this.#range = (this.#range - bound) | 0
      this.#code = (this.#code - bound) | 0
      bit = 1
    }
    if (this.#range >>> 0 < LEAST_RANGE) {
      this.#range <<= 8
      this.#code = (this.#code << 8) | (this.#bytes[this.#at++] ?? 0)
    }
    return bit
  }

  /** A number of `bits` bits, highest first, each with its own probability. */
  tree(table: Uint16Array, start: number, bits: number): number {
    const bytes = this.#bytes
    let at = this.#at
    let range = this.#range
    let code = this.#code
    let node = 1
    for (let left = bits; left > 0; left--) {
      const place = start + node
      const probability = table[place] ?? HALF
      const bound = Math.imul(range >>> 11, probability)
      if (code >>> 0 < bound >>> 0) {
        table[place] = probability + ((2048 - probability) >> 5)
        range = bound
        node <<= 1
      } else {
        table[place] = probability - (probability >> 5)
        range = (range - bound) | 0
        code = (code - bound) | 0
        node = (node << 1) | 1
      }
      if (range >>> 0 < LEAST_RANGE) {
        range <<= 8
        code = (code << 8) | (bytes[at++] ?? 0)
      }
    }
    this.#at = at
    this.#range = range
    this.#code = code
    return node - (1 << bits)
  }

  /** A byte whose bits have probabilities of their own as long as they are those of `match`. */
  matched(table: Uint16Array, start: number, match: number): number {
    const bytes = this.#bytes
    let at = this.#at
    let range = this.#range
    let code = this.#code
    let node = 1
    let expected = match
    /** 0x100 while all bits were those of `match`, then zero. */
    let isSame = 0x100
    while (node < 0x100) {
      expected <<= 1
      const guess = expected & isSame
      const place = start + isSame + guess + node
      const probability = table[place] ?? HALF
      const bound = Math.imul(range >>> 11, probability)
      if (code >>> 0 < bound >>> 0) {
        table[place] = probability + ((2048 - probability) >> 5)
        range = bound
        node <<= 1
        isSame &= ~guess
      } else {
        table[place] = probability - (probability >> 5)
        range = (range - bound) | 0
        code = (code - bound) | 0
        node = (node << 1) | 1
        isSame &= guess
      }
      if (range >>> 0 < LEAST_RANGE) {
        range <<= 8
        code = (code << 8) | (bytes[at++] ?? 0)
      }
    }
    this.#at = at
    this.#range = range
    this.#code = code
    return node & 255
  }

  /** As `tree`, lowest bit first. */
  reversedTree(table: Uint16Array, start: number, bits: number): number {
    let node = 1
    let value = 0
    for (let i = 0; i < bits; i++) {
      const bit = this.bit(table, start + node)
      node = (node << 1) | bit
      value |= bit << i
    }
    return value
  }

  /** Bits of equal probability. */
  direct(count: number): number {
    const bytes = this.#bytes
    let at = this.#at
    let range = this.#range
    let code = this.#code
    let value = 0
    for (let left = count; left > 0; left--) {
      range >>>= 1
      const isBelow = code >>> 0 < range
      if (!isBelow) code = (code - range) | 0
      value = (value << 1) | (isBelow ? 0 : 1)
      if (range < LEAST_RANGE) {
        range <<= 8
        code = (code << 8) | (bytes[at++] ?? 0)
      }
    }
    this.#at = at
    this.#range = range | 0
    this.#code = code
    return value
  }
}
