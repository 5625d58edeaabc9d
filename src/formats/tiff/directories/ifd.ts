// TIFF 6.0 section 2, "Image File Directory".
import type { ByteRange } from '../../../bytes/byte-range.ts'
import { Cursor } from '../../../bytes/cursor.ts'
import { type ErrorContext, malformed } from '../../../errors.ts'
import type { FileHeader } from './file-header.ts'

/** One entry of a directory: what it says of its values, and where they are. */
export interface Field {
  readonly tag: number
  readonly type: number
  readonly count: number
  /** Bytes of one value. */
  readonly size: number
  readonly position: number
  /** The values themselves where the entry holds them. */
  readonly inline: Uint8Array | undefined
}

/** A directory: its fields by tag, and where the next one is (0: nowhere). */
export interface Ifd {
  readonly offset: number
  readonly fields: ReadonlyMap<number, Field>
  readonly next: number
}

/** Bytes of one value, by field type; 13, 16, 17 and 18 are IFD, LONG8, SLONG8 and IFD8. */
const TYPE_SIZES: ReadonlyMap<number, number> = new Map([
  [1, 1],
  [2, 1],
  [3, 2],
  [4, 4],
  [5, 8],
  [6, 1],
  [7, 1],
  [8, 2],
  [9, 4],
  [10, 8],
  [11, 4],
  [12, 8],
  [13, 4],
  [16, 8],
  [17, 8],
  [18, 8],
])

/** The standard allows more; libtiff gives up at the same number. */
const MOST_FIELDS = 4096

/** Bytes of a directory's count. */
export function countBytes({ big }: FileHeader): number {
  return big ? 8 : 2
}

/** Whether a directory ends behind the end of the file, by a count that is plausible. */
export function isDirectoryCut(count: Uint8Array, offset: number, size: number, header: FileHeader): boolean {
  const cursor = new Cursor(count, header.endian, { base: offset })
  const fields = header.big ? saturated(cursor.bigU64()) : cursor.u16()
  return fields <= MOST_FIELDS && offset + countBytes(header) + fields * (header.big ? 20 : 12) > size
}

/** Where the rest of a directory is, by its count; a directory at the very end of a file may lack its last pointer. */
export function bodyRange(count: Uint8Array, offset: number, size: number, header: FileHeader): ByteRange {
  const cursor = new Cursor(count, header.endian, { base: offset })
  const fields = header.big ? cursor.u64() : cursor.u16()
  if (fields === 0) throw malformed('a directory has no entries', { offset })
  if (fields > MOST_FIELDS)
    throw malformed(`a directory has ${fields} entries, at most ${MOST_FIELDS} are read`, { offset })
  const start = offset + countBytes(header)
  const entries = fields * (header.big ? 20 : 12)
  if (start + entries > size) {
    throw malformed(`a directory of ${fields} entries ends at byte ${start + entries} of a file of ${size}`, { offset })
  }
  return { offset: start, length: Math.min(entries + (header.big ? 8 : 4), size - start) }
}

/** Reads the entries and the pointer after them; `bytes` is what `bodyRange` named. */
export function parseIfd(bytes: Uint8Array, offset: number, header: FileHeader, place: ErrorContext): Ifd {
  const cursor = new Cursor(bytes, header.endian, { ...place, base: offset + countBytes(header) })
  const entryBytes = header.big ? 20 : 12
  const fields = new Map<number, Field>()
  for (let left = Math.floor(bytes.length / entryBytes); left > 0; left--) {
    const field = parseField(cursor, header)
    // The first of two fields with one tag counts, as in libtiff.
    if (field !== undefined && !fields.has(field.tag)) fields.set(field.tag, field)
  }
  const hasNext = cursor.remaining >= (header.big ? 8 : 4)
  return { offset, fields, next: !hasNext ? 0 : header.big ? saturated(cursor.bigU64()) : cursor.u32() }
}

/** Undefined for a field of a type that is not defined: readers skip those (TIFF 6.0, page 16). */
function parseField(cursor: Cursor, { big }: FileHeader): Field | undefined {
  const tag = cursor.u16()
  const type = cursor.u16()
  const count = big ? saturated(cursor.bigU64()) : cursor.u32()
  const place = cursor.offset
  // A copy: a view would keep the block alive that it was read in.
  const value = cursor.take(big ? 8 : 4).slice()
  const size = TYPE_SIZES.get(type)
  if (size === undefined) return undefined
  if (size * count <= value.length) return { tag, type, count, size, position: place, inline: value }
  const pointer = new Cursor(value, cursor.endian)
  return { tag, type, count, size, position: big ? saturated(pointer.bigU64()) : pointer.u32(), inline: undefined }
}

/** Beyond every file: what is there is refused when it is used, not before. */
function saturated(value: bigint): number {
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value)
}
