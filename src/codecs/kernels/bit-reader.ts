import { malformed } from '../../errors.ts'

/** Bytes of zeros after the input: whole words can be read at its end. */
const MARGIN = 8

/** Reads bits, the highest of each byte first; a read past the end is `malformed-source`. */
export class BitReader {
  readonly #view: DataView
  readonly #length: number
  readonly #what: string
  #byte = 0
  #bit = 0

  /** `what` is named in errors. */
  constructor(bytes: Uint8Array, what: string) {
    const padded = new Uint8Array(bytes.length + MARGIN)
    padded.set(bytes)
    this.#view = new DataView(padded.buffer)
    this.#length = bytes.length
    this.#what = what
  }

  /** The next 0 to 32 bits as a number. */
  read(bits: number): number {
    if (bits > 24) {
      const high = this.read(bits - 16)
      return high * 65536 + this.read(16)
    }
    if (bits === 0) return 0
    if (this.#byte >= this.#length) throw this.#past()
    const value = (this.#view.getUint32(this.#byte) << this.#bit) >>> (32 - bits)
    this.#advance(bits)
    return value
  }

  /** How many zeros come before the next one; both are consumed. */
  unary(): number {
    let zeros = 0
    for (;;) {
      if (this.#byte >= this.#length) throw this.#past()
      const word = this.#view.getUint32(this.#byte) << this.#bit
      if (word !== 0) {
        const run = Math.clz32(word)
        this.#advance(run + 1)
        return zeros + run
      }
      zeros += 32 - this.#bit
      this.#byte += 4
      this.#bit = 0
    }
  }

  /** Goes on at the next whole byte. */
  align(): void {
    if (this.#bit > 0) this.#advance(8 - this.#bit)
  }

  /** Throws when the last read went past the end. */
  finish(): void {
    if (this.#byte * 8 + this.#bit > this.#length * 8) throw this.#past()
  }

  #advance(bits: number): void {
    const bit = this.#bit + bits
    this.#byte += bit >> 3
    this.#bit = bit & 7
  }

  #past(): Error {
    return malformed(`${this.#what} ends after ${this.#length} bytes, more are expected`)
  }
}
