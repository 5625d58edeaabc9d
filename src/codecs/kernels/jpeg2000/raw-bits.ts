/** Bits that are not coded (T.800 D.6): behind 0xff a byte has seven of them. */
export class RawBits {
  #bytes = new Uint8Array(0)
  #at = 0
  #byte = 0
  #left = 0

  /** Bytes of a segment, with two of 0xff behind them. */
  start(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes
    this.#at = 0
    this.#byte = 0
    this.#left = 0
  }

  bit(): number {
    if (this.#left === 0) {
      const isStuffed = this.#byte === 0xff
      // Behind the end there are ones.
      this.#byte = this.#at < this.#bytes.length ? (this.#bytes[this.#at++] ?? 0xff) : 0xff
      this.#left = isStuffed ? 7 : 8
    }
    this.#left--
    return (this.#byte >> this.#left) & 1
  }
}
