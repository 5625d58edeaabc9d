import { malformed } from '../../errors.ts'

/** Takes bits off a buffer, highest first. */
export class BitReader {
  readonly #bytes: Uint8Array
  #at = 0
  #held = 0
  #count = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Up to 24 bits. */
  take(count: number): number {
    while (this.#count < count) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) throw malformed(`a bzip2 stream of ${this.#bytes.length} bytes ends too early`)
      this.#held = ((this.#held << 8) | byte) & 0x7fffffff
      this.#count += 8
    }
    this.#count -= count
    return (this.#held >>> this.#count) & (2 ** count - 1)
  }

  take32(): number {
    const high = this.take(16)
    return high * 65536 + this.take(16)
  }

  alignToByte(): void {
    this.#count -= this.#count % 8
  }

  remainingBytes(): number {
    return this.#bytes.length - this.#at + Math.floor(this.#count / 8)
  }
}
