import { malformed } from '../../../errors.ts'

const START_OF_PACKET = 0x91
const END_OF_HEADER = 0x92
const START_LENGTH = 6

/** The packets of a tile: bits of their headers, in which a byte behind 0xff has seven (T.800 B.10.1), and what follows these. */
export class PacketBits {
  readonly #bytes: Uint8Array
  #at = 0
  #byte = 0
  #left = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get remaining(): number {
    return this.#bytes.length - this.#at
  }

  bit(): number {
    if (this.#left === 0) {
      this.#left = this.#byte === 0xff ? 7 : 8
      this.#byte = this.#next()
    }
    this.#left--
    return (this.#byte >> this.#left) & 1
  }

  number(bits: number): number {
    let value = 0
    for (let i = 0; i < bits; i++) value = 2 * value + this.bit()
    return value
  }

  /** The header of a packet begins, perhaps behind a marker. */
  beginHeader(mayBeMarked: boolean): void {
    if (mayBeMarked && this.#isMarker(START_OF_PACKET)) this.take(START_LENGTH)
    this.#byte = 0
    this.#left = 0
  }

  /** The header ends with its byte, and behind 0xff with one more. */
  endHeader(mayBeMarked: boolean): void {
    if (this.#byte === 0xff) this.#next()
    if (mayBeMarked && this.#isMarker(END_OF_HEADER)) this.take(2)
  }

  take(length: number): Uint8Array {
    if (length > this.remaining) {
      throw malformed(`a JPEG 2000 packet has ${length} bytes, expected at most the ${this.remaining} that are left`)
    }
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  #isMarker(marker: number): boolean {
    return this.#bytes[this.#at] === 0xff && this.#bytes[this.#at + 1] === marker
  }

  #next(): number {
    const byte = this.#bytes[this.#at]
    if (byte === undefined) throw malformed('the packets of a JPEG 2000 tile are cut off')
    this.#at++
    return byte
  }
}
