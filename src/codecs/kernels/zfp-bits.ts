import { malformed } from '../../errors.ts'

/** Reads bits, the lowest of each byte first; a read past the end is `malformed-source`. */
export class ZfpBits {
  readonly #bytes: Uint8Array
  #byte = 0
  #bit = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  bit(): number {
    if (this.#byte >= this.#bytes.length) throw past(this.#bytes.length)
    const value = ((this.#bytes[this.#byte] ?? 0) >> this.#bit) & 1
    this.skip(1)
    return value
  }

  /** The next 0 to 24 bits. */
  read(bits: number): number {
    if (bits === 0) return 0
    const at = this.#byte
    const last = at + ((this.#bit + bits - 1) >> 3)
    if (last >= this.#bytes.length) throw past(this.#bytes.length)
    let word = 0
    for (let i = last; i >= at; i--) word = (word << 8) | (this.#bytes[i] ?? 0)
    const value = (word >>> this.#bit) & ((1 << bits) - 1)
    this.skip(bits)
    return value
  }

  skip(bits: number): void {
    const bit = this.#bit + bits
    this.#byte += bit >> 3
    this.#bit = bit & 7
  }
}

function past(length: number): Error {
  return malformed(`a zfp stream ends after ${length} bytes, more are expected`)
}
