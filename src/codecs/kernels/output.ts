import { malformed } from '../../errors.ts'

/** Bytes of unknown number, up to a limit: grows by doubling, so that a lying header costs nothing. */
export class Output {
  bytes: Uint8Array
  length = 0
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
    this.bytes = new Uint8Array(Math.min(limit, 65536))
  }

  push(byte: number): void {
    if (this.length >= this.bytes.length) this.reserve(1)
    this.bytes[this.length++] = byte
  }

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length)
    this.bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /** Room for so many more bytes in `bytes`. */
  reserve(more: number): void {
    const needed = this.length + more
    if (needed > this.#limit) throw malformed(`a compressed chunk holds more than the ${this.#limit} bytes expected`)
    if (needed <= this.bytes.length) return
    const grown = new Uint8Array(Math.min(this.#limit, Math.max(needed, this.bytes.length * 2)))
    grown.set(this.bytes.subarray(0, this.length))
    this.bytes = grown
  }

  /** What was written so far. */
  done(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }
}
