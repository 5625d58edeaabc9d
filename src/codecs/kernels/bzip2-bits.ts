import { malformed } from '../../errors.ts'

/** Takes bits off a buffer, highest first. Its fields are open to the one loop that takes millions of codes (bzip2-symbols.ts). */
export class Bzip2Bits {
  readonly bytes: Uint8Array
  /** The next byte to be held. */
  at = 0
  /** The lowest `count` bits are those that come next; after the end they are zeros. */
  held = 0
  count = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** Up to 24 bits. */
  take(count: number): number {
    while (this.count < count) {
      this.held = (this.held << 8) | (this.bytes[this.at++] ?? 0)
      this.count += 8
    }
    this.count -= count
    this.#requireTaken()
    return (this.held >>> this.count) & (2 ** count - 1)
  }

  take32(): number {
    const high = this.take(16)
    return high * 65536 + this.take(16)
  }

  /** Takes over where that loop has come to. */
  goOn(at: number, held: number, count: number): void {
    this.at = at
    this.held = held
    this.count = count
    this.#requireTaken()
  }

  alignToByte(): void {
    this.count -= this.count % 8
  }

  /** What comes after the bytes of which bits were taken. */
  rest(): Uint8Array {
    return this.bytes.subarray(this.#taken())
  }

  #taken(): number {
    return this.at - Math.floor(this.count / 8)
  }

  #requireTaken(): void {
    if (this.#taken() > this.bytes.length)
      throw malformed(`a bzip2 stream of ${this.bytes.length} bytes ends too early`)
  }
}
