import { Cursor, type CursorOrigin } from '../../bytes/cursor.ts'
import { anyText } from '../../bytes/text.ts'
import { malformed, overLimit } from '../../errors.ts'

/** Versions of the format by the magic's last byte: classic, 64-bit offset, 64-bit data. */
export type Version = 1 | 2 | 5

/** The header goes on behind the bytes at hand, which are not the whole file: read more and parse again. */
export class HeaderCut extends Error {
  /** Bytes of the file that are needed to get any further. */
  readonly needed: number

  constructor(needed: number) {
    super(`the header goes on behind ${needed} bytes`)
    this.name = 'HeaderCut'
    this.needed = needed
  }
}

/** Names are repeated in every document that refers to them; the library writes at most 256 bytes. */
const MOST_NAME_BYTES = 1024

/** Reads the primitives of a header: everything is big-endian and padded to four bytes. */
export class HeaderCursor {
  readonly version: Version
  readonly #cursor: Cursor
  readonly #origin: CursorOrigin
  readonly #fileSize: number

  constructor(bytes: Uint8Array, version: Version, fileSize: number, origin: CursorOrigin) {
    this.version = version
    this.#cursor = new Cursor(bytes, 'big', origin)
    this.#origin = origin
    this.#fileSize = fileSize
  }

  get position(): number {
    return this.#cursor.position
  }

  /** A four-byte tag or type code. */
  code(): number {
    this.#need(4)
    return this.#cursor.u32()
  }

  /** NON_NEG: a length or a count; undefined for all ones, which only the number of records may be (STREAMING). */
  integer(): number | undefined {
    this.#need(this.version === 5 ? 8 : 4)
    if (this.version !== 5) {
      const value = this.#cursor.u32()
      return value === 0xffffffff ? undefined : value
    }
    const at = this.position
    const value = this.#cursor.bigU64()
    if (value === 0xffffffffffffffffn) return undefined
    if (value > Number.MAX_SAFE_INTEGER) throw this.fail(`${value} is beyond 2^53, expected a length or a count`, at)
    return Number(value)
  }

  /** OFFSET: where a variable begins. */
  offset(): number {
    this.#need(this.version === 1 ? 4 : 8)
    return this.version === 1 ? this.#cursor.u32() : this.#cursor.u64()
  }

  /** The count of a list whose elements take at least `elementSize` bytes: more than the file can hold is malformed. */
  count(what: string, elementSize: number): number {
    const at = this.position
    const value = this.integer()
    const most = Math.floor((this.#fileSize - this.position) / elementSize)
    if (value === undefined || value > most) {
      throw this.fail(`${value ?? -1} ${what} are declared where the file has room for ${most}`, at)
    }
    return value
  }

  /** Bytes, then padding up to a multiple of four; its content is not checked, since files in the wild have blanks there. */
  padded(length: number): Uint8Array {
    const total = length + padding(length)
    // The padding may be missing where the header is the file's very end.
    this.#need(Math.min(total, Math.max(length, this.#fileSize - this.position)))
    const bytes = this.#cursor.take(length)
    this.#cursor.skip(Math.min(total - length, this.#cursor.remaining))
    return bytes
  }

  /** A name; `guessed` is told when it is not UTF-8, as the specification wants it. */
  name(guessed: () => void): string {
    const at = this.position
    const length = this.count('bytes of a name', 1)
    if (length > MOST_NAME_BYTES) {
      throw overLimit(`a name of ${length} bytes, expected at most ${MOST_NAME_BYTES}`, { ...this.#origin, offset: at })
    }
    const bytes = this.padded(length)
    const end = bytes.indexOf(0)
    return anyText(end < 0 ? bytes : bytes.subarray(0, end), guessed)
  }

  /** A malformed-source error that cites a place in the header. */
  fail(message: string, offset: number = this.position): Error {
    return malformed(message, { ...this.#origin, offset })
  }

  #need(length: number): void {
    const end = this.position + length
    if (length <= this.#cursor.remaining) return
    if (end <= this.#fileSize) throw new HeaderCut(end)
    throw this.fail(`the header is cut off: ${length} bytes are expected where the file has ${this.#fileSize} in all`)
  }
}

/** Zero to three bytes that bring a length up to a multiple of four. */
export function padding(length: number): number {
  return (4 - (length % 4)) % 4
}
