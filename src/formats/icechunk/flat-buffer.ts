// FlatBuffers, "Internals" (flatbuffers.dev): tables, vectors and strings, each offset checked before it is followed.
import { utf8Text } from '../../bytes/text.ts'
import { type ErrorContext, malformed } from '../../errors.ts'

/** Where a vector's elements begin, and how many there are. */
export interface FlatVector {
  readonly start: number
  readonly count: number
}

const NO_VECTOR: FlatVector = { start: 0, count: 0 }

/** The content of a file. Tables and vectors are positions in it; 0, where no table can be, stands for an absent field. */
export class FlatBuffer {
  readonly bytes: Uint8Array
  readonly #view: DataView
  readonly #place: ErrorContext

  constructor(bytes: Uint8Array, place: ErrorContext) {
    this.bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#place = place
  }

  /** The outermost table. */
  root(): number {
    return this.follow(0)
  }

  /** Where a field of a table lies; 0 where it has its default. */
  field(table: number, slot: number): number {
    const vtable = table - this.#i32(table)
    const length = this.u16(vtable)
    const entry = 4 + slot * 2
    if (entry + 2 > length) return 0
    const offset = this.u16(vtable + entry)
    return offset === 0 ? 0 : table + offset
  }

  /** A field that the schema requires. */
  required(table: number, slot: number, name: string): number {
    const at = this.field(table, slot)
    if (at === 0) throw this.fail(`a table has no ${name}`, table)
    return at
  }

  /** Where the offset at a position leads: to a table, a vector or a string, which lie behind it. */
  follow(at: number): number {
    const offset = this.u32(at)
    if (offset === 0) throw this.fail('an offset leads to itself', at)
    return at + offset
  }

  /** The vector that a field refers to, all elements of which are inside the buffer. */
  vector(field: number, elementBytes: number): FlatVector {
    if (field === 0) return NO_VECTOR
    const at = this.follow(field)
    const count = this.u32(at)
    this.#check(at + 4, count * elementBytes)
    return { start: at + 4, count }
  }

  /** The tables of the vector that a field refers to. */
  *tables(field: number): Generator<number> {
    const { start, count } = this.vector(field, 4)
    for (let index = 0; index < count; index++) yield this.follow(start + index * 4)
  }

  /** The bytes of a vector or string that a field refers to; undefined where it is absent. */
  bytesOf(field: number): Uint8Array | undefined {
    if (field === 0) return undefined
    const { start, count } = this.vector(field, 1)
    return this.bytes.subarray(start, start + count)
  }

  /** A string; undefined where it is absent. */
  text(field: number): string | undefined {
    const bytes = this.bytesOf(field)
    if (bytes === undefined) return undefined
    const text = utf8Text(bytes)
    if (text === undefined) throw this.fail('a string is not UTF-8', field)
    return text
  }

  /** A struct of so many bytes. */
  struct(at: number, length: number): Uint8Array {
    this.#check(at, length)
    return this.bytes.subarray(at, at + length)
  }

  u8(at: number): number {
    this.#check(at, 1)
    return this.#view.getUint8(at)
  }

  u16(at: number): number {
    this.#check(at, 2)
    return this.#view.getUint16(at, true)
  }

  u32(at: number): number {
    this.#check(at, 4)
    return this.#view.getUint32(at, true)
  }

  /** A number beyond 2^53 is not exact, and no position. */
  u64(at: number): number {
    this.#check(at, 8)
    return this.#view.getUint32(at, true) + this.#view.getUint32(at + 4, true) * 2 ** 32
  }

  fail(message: string, at: number): Error {
    return malformed(`${message}, at byte ${at} of the decompressed content`, this.#place)
  }

  #i32(at: number): number {
    this.#check(at, 4)
    return this.#view.getInt32(at, true)
  }

  #check(at: number, length: number): void {
    if (at >= 0 && length <= this.bytes.length - at) return
    throw this.fail(`${length} bytes are expected where there are none`, at)
  }
}
