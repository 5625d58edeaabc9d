import { Cursor, type CursorOrigin } from '../../../bytes/cursor.ts'
import { uintAt } from '../../../bytes/integers.ts'
import { latin1Text } from '../../../bytes/text.ts'
import type { ErrorContext } from '../../../errors.ts'

/** Widths of addresses and lengths, which the superblock says. */
export interface Widths {
  readonly offsetSize: number
  readonly lengthSize: number
}

/** Reads the fields of HDF5's structures: little-endian, with addresses and lengths as wide as the file has them. */
export class FileCursor extends Cursor {
  readonly #widths: Widths

  constructor(bytes: Uint8Array, widths: Widths, origin: CursorOrigin = {}) {
    super(bytes, 'little', origin)
    this.#widths = widths
  }

  /** An address in the file; undefined where all bits are set ("undefined address"). */
  address(): number | undefined {
    return this.allOnesOr(this.#widths.offsetSize)
  }

  /** An address that must be there. */
  definedAddress(what: string): number {
    const at = this.offset
    const address = this.address()
    if (address === undefined) throw this.fail(`the address of ${what} is undefined`, at)
    return address
  }

  length(): number {
    return this.uint(this.#widths.lengthSize)
  }

  /** A length; undefined where all bits are set (an unlimited dimension). */
  unlimitedLength(): number | undefined {
    return this.allOnesOr(this.#widths.lengthSize)
  }

  /** A length that may be beyond 2^53, and is rounded then: only to be compared. */
  roughLength(): number {
    const { lengthSize } = this.#widths
    return uintAt(this.take(lengthSize), 0, lengthSize, 'little')
  }

  /** Four letters that begin a structure. */
  signature(expected: string): void {
    const at = this.offset
    const found = latin1Text(this.take(4))
    if (found !== expected) throw this.fail(`${JSON.stringify(found)} is found where ${expected} is expected`, at)
  }

  /** A version or another byte that has only some values. */
  oneOf(what: string, allowed: readonly number[]): number {
    const at = this.offset
    const value = this.u8()
    if (!allowed.includes(value)) throw this.fail(`${what} ${value}, expected ${allowed.join(' or ')}`, at)
    return value
  }

  /** Text up to its NUL, which is read too. */
  terminated(): Uint8Array {
    const end = this.bytes.indexOf(0, this.position)
    if (end < 0) throw this.fail('a text without its final NUL')
    const text = this.take(end - this.position)
    this.skip(1)
    return text
  }

  /** Goes on to the next multiple of eight, as far as there is one. */
  align8(): void {
    this.skip(Math.min((8 - (this.position % 8)) % 8, this.remaining))
  }

  /** A cursor of its own over the next bytes. */
  part(length: number, origin: ErrorContext = {}): FileCursor {
    const base = this.offset
    return new FileCursor(this.take(length), this.#widths, { ...origin, base })
  }

  allOnesOr(size: number): number | undefined {
    const start = this.position
    const bytes = this.take(size)
    if (bytes.every((byte) => byte === 0xff)) return undefined
    this.seek(start)
    return this.uint(size)
  }
}
