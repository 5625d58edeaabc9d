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

  /** As many numbers in unary as there is room for, each `low` bits higher: their places stay in the machine's registers. */
  unaryInto(numbers: Uint32Array, start: number, end: number, low: number): void {
    const [view, length] = [this.#view, this.#length]
    let byte = this.#byte
    let bit = this.#bit
    for (let i = start; i < end; i++) {
      if (byte >= length) throw this.#past()
      const word = view.getUint32(byte) << bit
      if (word === 0) {
        this.#byte = byte
        this.#bit = bit
        numbers[i] = this.unary() << low
        byte = this.#byte
        bit = this.#bit
      } else {
        const run = Math.clz32(word)
        numbers[i] = run << low
        bit += run + 1
        byte += bit >> 3
        bit &= 7
      }
    }
    this.#byte = byte
    this.#bit = bit
  }

  /** Adds bits to as many numbers: up to 24 each. */
  addInto(numbers: Uint32Array, start: number, end: number, bits: number): void {
    const [view, length] = [this.#view, this.#length]
    let byte = this.#byte
    let bit = this.#bit
    for (let i = start; i < end; i++) {
      if (byte >= length) throw this.#past()
      numbers[i] = (numbers[i] ?? 0) | ((view.getUint32(byte) << bit) >>> (32 - bits))
      bit += bits
      byte += bit >> 3
      bit &= 7
    }
    this.#byte = byte
    this.#bit = bit
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
