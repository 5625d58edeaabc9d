// LZO1X, as Linux' documentation of "LZO stream format" describes it.
import { malformed } from '../../errors.ts'
import { internalBytes, type NoParameters } from '../internal.ts'
import { Output } from '../kernels/output.ts'
import { repeatBack } from '../kernels/repeat-back.ts'

/** PyTables' filter 305: a stream, and what the library puts behind it, which is not looked at. */
export const lzo = internalBytes<NoParameters>({
  name: 'vz.lzo',
  prepare: () => ({ decode: (bytes, { limit }) => new LzoReader(bytes, limit).decode() }),
})

/** Distances of matches after literals, and of far ones, begin here. */
const NEAR = 0x800
const FAR = 0x4000

class LzoReader {
  readonly #bytes: Uint8Array
  readonly #output: Output
  #at = 0

  constructor(bytes: Uint8Array, limit: number) {
    this.#bytes = bytes
    this.#output = new Output(limit)
  }

  decode(): Uint8Array {
    let code = this.#byte()
    // Literals that were copied last: 0 to 3 after a match, 4 for a longer run of them.
    let literals = 0
    if (code > 17) {
      literals = this.#literals(code - 17)
      code = this.#byte()
    }
    for (;;) {
      if (code >= 16 || literals > 0) {
        if (!this.#match(code, literals)) return this.#output.done()
        literals = this.#literals((this.#bytes[this.#at - 2] ?? 0) & 3)
      } else literals = this.#literals(this.#length(code, 15) + 3)
      code = this.#byte()
    }
  }

  /** Copies what was there before; false at the end of the stream. */
  #match(code: number, literals: number): boolean {
    if (code >= 64) this.#copy(1 + ((code >> 2) & 7) + 8 * this.#byte(), (code >> 5) + 1)
    else if (code >= 32) {
      const length = this.#length(code & 31, 31) + 2
      this.#copy(1 + (this.#word() >> 2), length)
    } else if (code >= 16) {
      const length = this.#length(code & 7, 7) + 2
      const distance = ((code & 8) << 11) + (this.#word() >> 2)
      if (distance === 0) return false
      this.#copy(FAR + distance, length)
    } else {
      const distance = 1 + (code >> 2) + 4 * this.#byte()
      if (literals < 4) this.#copy(distance, 2)
      else this.#copy(NEAR + distance, 3)
    }
    return true
  }

  /** A length of more than fits goes on in bytes, those of 0 standing for 255. */
  #length(given: number, most: number): number {
    if (given !== 0) return given
    let length = most
    for (let byte = this.#byte(); ; byte = this.#byte()) {
      if (byte !== 0) return length + byte
      length += 255
    }
  }

  #literals(count: number): number {
    this.#output.append(this.#take(count))
    return Math.min(count, 4)
  }

  #copy(distance: number, length: number): void {
    const output = this.#output
    if (distance > output.length) throw malformed('an LZO stream refers to before its beginning')
    output.reserve(length)
    output.length = repeatBack(output.bytes, output.length, distance, length)
  }

  #byte(): number {
    return this.#take(1)[0] ?? 0
  }

  #word(): number {
    const [low = 0, high = 0] = this.#take(2)
    return low | (high << 8)
  }

  #take(count: number): Uint8Array {
    const end = this.#at + count
    if (end > this.#bytes.length) throw malformed('an LZO stream is cut off')
    const bytes = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return bytes
  }
}
