import { malformed } from '../../errors.ts'

/** Bits of a scan, the highest first; a byte behind one of ones has seven (ITU-T T.87 A.1), and a marker ends them. */
export class JpegLsBits {
  readonly #bytes: Uint8Array
  #position = 0
  #held = 0
  #count = 0
  #isBehindOnes = false

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Bytes up to the marker that ends the scan. */
  end(): number {
    let at = this.#position
    while (at < this.#bytes.length && !this.#isMarker(at, this.#bytes[at - 1] === 0xff)) at++
    // The marker's first byte is of ones.
    return Math.max(at - 1, 0)
  }

  bit(): number {
    if (this.#count === 0) this.#fill(1)
    this.#count--
    return (this.#held >> this.#count) & 1
  }

  /** At most 24. */
  bits(count: number): number {
    if (this.#count < count) this.#fill(count)
    this.#count -= count
    return (this.#held >> this.#count) & ((1 << count) - 1)
  }

  /** A code of limited length (A.5.3). */
  golomb(shift: number, limit: number, rangeBits: number): number {
    const most = limit - rangeBits - 1
    const zeros = this.#zeros(most)
    return zeros < most ? (zeros << shift) | this.bits(shift) : this.bits(rangeBits) + 1
  }

  /** Zeros before a one, which is read too. */
  #zeros(most: number): number {
    let zeros = 0
    for (;;) {
      if (this.#count === 0) this.#fill(1)
      const found = Math.clz32(this.#held << (32 - this.#count))
      if (found < this.#count) {
        zeros += found
        this.#count -= found + 1
        if (zeros > most) break
        return zeros
      }
      zeros += this.#count
      this.#count = 0
      if (zeros > most) break
    }
    throw malformed('a code of a JPEG-LS picture is too long')
  }

  /** As many bits as there is room for, `needed` at least. */
  #fill(needed: number): void {
    while (this.#count <= 23) {
      const byte = this.#bytes[this.#position]
      if (byte === undefined || this.#isMarker(this.#position, this.#isBehindOnes)) break
      this.#position++
      const width = this.#isBehindOnes ? 7 : 8
      this.#held = ((this.#held << width) | byte) & 0x7fffffff
      this.#count += width
      this.#isBehindOnes = byte === 0xff
    }
    if (this.#count < needed) throw malformed('a scan of a JPEG-LS picture is cut off')
  }

  #isMarker(at: number, isBehindOnes: boolean): boolean {
    return isBehindOnes && (this.#bytes[at] ?? 0) >= 0x80
  }
}
