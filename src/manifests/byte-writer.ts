import { NotWritten } from '../model/recipe.ts'

/** Bytes that grow as they are written. */
export class ByteWriter {
  readonly #most: number
  #bytes = Buffer.allocUnsafe(16_384)
  #length = 0

  /** Beyond `most` bytes it throws `NotWritten`. */
  constructor(most: number) {
    this.#most = most
  }

  /** A view, good until more is written. */
  finished(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  byte(value: number): void {
    this.#reserve(1)
    this.#bytes[this.#length++] = value
  }

  /** Seven bits a byte, the lowest first. */
  whole(value: number): void {
    this.#reserve(8)
    let rest = value
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.#bytes[this.#length++] = rest
  }

  double(value: number): void {
    this.#reserve(8)
    this.#length = this.#bytes.writeDoubleLE(value, this.#length)
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** Its length in bytes, and the characters. */
  text(value: string, encoding: 'latin1' | 'utf16le'): void {
    const length = encoding === 'latin1' ? value.length : value.length * 2
    this.whole(length)
    this.#reserve(length)
    this.#length += this.#bytes.write(value, this.#length, encoding)
  }

  #reserve(count: number): void {
    const end = this.#length + count
    if (end <= this.#bytes.length) return
    if (end > this.#most) throw new NotWritten(`more than ${this.#most} bytes`)
    const wider = Buffer.allocUnsafe(Math.max(end, this.#bytes.length * 2))
    wider.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = wider
  }
}
