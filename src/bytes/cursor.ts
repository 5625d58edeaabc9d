import { malformed } from '../errors.ts'
import { uintAt } from './integers.ts'

/** Byte order. */
export type Endian = 'little' | 'big'

/** Where a cursor's bytes come from: cited in its errors. */
export interface CursorOrigin {
  readonly url?: string | undefined
  readonly format?: string | undefined
  readonly path?: string | undefined
  /** Position of the cursor's first byte in the file. */
  readonly base?: number | undefined
}

/** Reads numbers off a buffer, forward; throws `malformed-source` with the file position instead of reading past the end. */
export class Cursor {
  readonly bytes: Uint8Array
  readonly endian: Endian
  position = 0
  readonly #view: DataView
  readonly #origin: CursorOrigin

  constructor(bytes: Uint8Array, endian: Endian, origin: CursorOrigin = {}) {
    this.bytes = bytes
    this.endian = endian
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#origin = origin
  }

  get remaining(): number {
    return this.bytes.length - this.position
  }

  /** Position in the file of the next byte. */
  get offset(): number {
    return (this.#origin.base ?? 0) + this.position
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1))
  }

  u16(): number {
    return this.#view.getUint16(this.#take(2), this.endian === 'little')
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), this.endian === 'little')
  }

  /** An unsigned 64-bit integer as a number; beyond 2^53 the file is malformed (use `bigU64` for values). */
  u64(): number {
    const at = this.offset
    const value = Number(this.bigU64())
    if (!Number.isSafeInteger(value)) throw this.fail(`${value} is beyond 2^53, expected a position or length`, at)
    return value
  }

  bigU64(): bigint {
    return this.#view.getBigUint64(this.#take(8), this.endian === 'little')
  }

  i8(): number {
    return this.#view.getInt8(this.#take(1))
  }

  i16(): number {
    return this.#view.getInt16(this.#take(2), this.endian === 'little')
  }

  i32(): number {
    return this.#view.getInt32(this.#take(4), this.endian === 'little')
  }

  bigI64(): bigint {
    return this.#view.getBigInt64(this.#take(8), this.endian === 'little')
  }

  f32(): number {
    return this.#view.getFloat32(this.#take(4), this.endian === 'little')
  }

  f64(): number {
    return this.#view.getFloat64(this.#take(8), this.endian === 'little')
  }

  /** An unsigned integer of 1 to 8 bytes, as a safe number. */
  uint(size: number): number {
    const at = this.offset
    const value = uintAt(this.take(size), 0, size, this.endian)
    if (!Number.isSafeInteger(value)) throw this.fail(`${value} is beyond 2^53, expected a position or length`, at)
    return value
  }

  /** The next bytes, as a view on the buffer. */
  take(length: number): Uint8Array {
    const start = this.#take(length)
    return this.bytes.subarray(start, start + length)
  }

  skip(length: number): void {
    this.#take(length)
  }

  seek(position: number): void {
    if (position < 0 || position > this.bytes.length) {
      throw this.fail(`position ${position} is outside a structure of ${this.bytes.length} bytes`)
    }
    this.position = position
  }

  /** A malformed-source error that cites this cursor's place in the file. */
  fail(message: string, offset: number = this.offset): Error {
    const { url, format, path } = this.#origin
    return malformed(message, { url, format, path, offset })
  }

  #take(length: number): number {
    const start = this.position
    if (length < 0 || length > this.bytes.length - start) {
      throw this.fail(`${length} bytes are expected where ${this.bytes.length - start} are left`)
    }
    this.position = start + length
    return start
  }
}
