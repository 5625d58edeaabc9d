// TIFF 6.0 section 2, "Image File Header", and the BigTIFF design.
import { Cursor, type Endian } from '../../../bytes/cursor.ts'
import { type ErrorContext, malformed } from '../../../errors.ts'

/** How a TIFF file is written, and where its first directory is. */
export interface FileHeader {
  readonly endian: Endian
  /** BigTIFF: offsets and counts of 64 bits. */
  readonly big: boolean
  readonly first: number
}

const CLASSIC = 42
const BIG = 43
/** Bytes of the longer header. */
export const HEADER_BYTES = 16

/** Whether bytes begin as a TIFF file does. */
export function isTiff(head: Uint8Array): boolean {
  const endian = endianOf(head)
  if (endian === undefined || head.length < 4) return false
  const version = new DataView(head.buffer, head.byteOffset, head.byteLength).getUint16(2, endian === 'little')
  return version === CLASSIC || version === BIG
}

/** Reads the header; throws `malformed-source` for anything else. */
export function parseHeader(head: Uint8Array, place: ErrorContext): FileHeader {
  const endian = endianOf(head)
  if (endian === undefined) throw malformed('a TIFF file begins with II or MM', { ...place, offset: 0 })
  const cursor = new Cursor(head, endian, place)
  cursor.skip(2)
  const version = cursor.u16()
  if (version === CLASSIC) return { endian, big: false, first: cursor.u32() }
  if (version !== BIG) throw cursor.fail(`TIFF version ${version}, expected 42 or 43`, 2)
  const size = cursor.u16()
  if (size !== 8) throw cursor.fail(`BigTIFF offsets of ${size} bytes, expected 8`, 4)
  cursor.skip(2)
  return { endian, big: true, first: cursor.u64() }
}

function endianOf(head: Uint8Array): Endian | undefined {
  if (head[0] === 0x49 && head[1] === 0x49) return 'little'
  if (head[0] === 0x4d && head[1] === 0x4d) return 'big'
  return undefined
}
