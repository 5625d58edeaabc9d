// ITU-T T.800 annex C: the MQ decoder, an arithmetic decoder of bits whose probabilities it learns.

/** Probabilities of the less probable bit, and the states that follow a more and a less probable one (table C.2). */
const PROBABILITIES = [
  0x5601, 0x3401, 0x1801, 0x0ac1, 0x0521, 0x0221, 0x5601, 0x5401, 0x4801, 0x3801, 0x3001, 0x2401, 0x1c01, 0x1601,
  0x5601, 0x5401, 0x5101, 0x4801, 0x3801, 0x3401, 0x3001, 0x2801, 0x2401, 0x2201, 0x1c01, 0x1801, 0x1601, 0x1401,
  0x1201, 0x1101, 0x0ac1, 0x09c1, 0x08a1, 0x0521, 0x0441, 0x02a1, 0x0221, 0x0141, 0x0111, 0x0085, 0x0049, 0x0025,
  0x0015, 0x0009, 0x0005, 0x0001, 0x5601,
]
const AFTER_MORE = [
  1, 2, 3, 4, 5, 38, 7, 8, 9, 10, 11, 12, 13, 29, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
  32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 45, 46,
]
const AFTER_LESS = [
  1, 6, 9, 12, 29, 33, 6, 14, 14, 14, 17, 18, 20, 21, 14, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 23, 24, 25, 26, 27,
  28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 46,
]
/** Where a less probable bit changes which one is the more probable. */
const SWITCHING = [0, 6, 14]

// A state is its number twice, and the more probable bit.
const QE = Int32Array.from({ length: 94 }, (_, state) => PROBABILITIES[state >> 1] ?? 0)
const MORE = Uint8Array.from({ length: 94 }, (_, state) => 2 * (AFTER_MORE[state >> 1] ?? 0) + (state & 1))
const LESS = Uint8Array.from({ length: 94 }, (_, state) => {
  const turned = SWITCHING.includes(state >> 1) ? 1 : 0
  return 2 * (AFTER_LESS[state >> 1] ?? 0) + ((state & 1) ^ turned)
})

/** Contexts of code blocks: 0 to 8 say what is around a coefficient, 9 to 13 what signs are, 14 to 16 how it is refined. */
const CONTEXTS = 19
export const FIRST_SIGN_CONTEXT = 9
export const FIRST_REFINING_CONTEXT = 14
export const RUN_CONTEXT = 17
export const UNIFORM_CONTEXT = 18

/** Decodes one segment after the other, with the same contexts. */
export class MqDecoder {
  readonly #states = new Uint8Array(CONTEXTS)
  #bytes = new Uint8Array(0)
  #at = 0
  /** The interval, the code, and how many bits of it were not used. */
  #interval = 0
  #code = 0
  #left = 0

  resetContexts(): void {
    this.#states.fill(0)
    this.#states[0] = 2 * 4
    this.#states[RUN_CONTEXT] = 2 * 3
    this.#states[UNIFORM_CONTEXT] = 2 * 46
  }

  /** Bytes of a segment, with two of 0xff behind them: these are never passed. */
  start(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes
    this.#at = 0
    this.#code = (bytes[0] ?? 0) << 16
    this.#nextByte()
    this.#code <<= 7
    this.#left -= 7
    this.#interval = 0x8000
  }

  /** The next bit. */
  bit(context: number): number {
    const state = this.#states[context] ?? 0
    const probability = QE[state] ?? 0
    const interval = this.#interval - probability
    if (this.#code >>> 16 < probability) {
      this.#interval = probability
      return this.#changed(context, state, interval < probability)
    }
    this.#code = (this.#code - (probability << 16)) | 0
    this.#interval = interval
    return (interval & 0x8000) === 0 ? this.#changed(context, state, interval >= probability) : state & 1
  }

  /** A bit that changes what is known of its context. */
  #changed(context: number, state: number, isMoreProbable: boolean): number {
    this.#states[context] = (isMoreProbable ? MORE[state] : LESS[state]) ?? 0
    let shift = Math.clz32(this.#interval) - 16
    this.#interval <<= shift
    for (;;) {
      if (this.#left === 0) this.#nextByte()
      const step = Math.min(shift, this.#left)
      this.#code <<= step
      this.#left -= step
      shift -= step
      if (shift === 0) return isMoreProbable ? state & 1 : (state & 1) ^ 1
    }
  }

  /** Behind 0xff a byte has seven bits; more than 0x8f is a marker, in front of which ones are read. */
  #nextByte(): void {
    const next = this.#bytes[this.#at + 1] ?? 0xff
    if (this.#bytes[this.#at] !== 0xff) {
      this.#code += next << 8
      this.#left = 8
      this.#at++
    } else if (next > 0x8f) {
      this.#code += 0xff00
      this.#left = 8
    } else {
      this.#code += next << 9
      this.#left = 7
      this.#at++
    }
  }
}
