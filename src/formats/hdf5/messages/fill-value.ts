// HDF5 File Format Specification, sections IV.A.2.e and f "The Data Storage - Fill Value Message", old and new.
import type { FileCursor } from '../structures/file-cursor.ts'

/** What unwritten elements read as. */
export type FillValue =
  /** The library's default: zero bytes. */
  | { readonly state: 'default' }
  /** Explicitly without any: what is read is not defined, the library gives zero bytes. */
  | { readonly state: 'undefined' }
  | { readonly state: 'user'; readonly bytes: Uint8Array }

/** The old message: only ever there with a value. */
export function parseOldFillValue(cursor: FileCursor): FillValue {
  const size = cursor.u32()
  return size === 0 ? { state: 'default' } : { state: 'user', bytes: cursor.take(size).slice() }
}

export function parseFillValue(cursor: FileCursor): FillValue {
  const version = cursor.oneOf('fill value version', [1, 2, 3])
  if (version === 3) {
    const flags = cursor.u8()
    if ((flags & 0x10) !== 0) return { state: 'undefined' }
    return (flags & 0x20) === 0 ? { state: 'default' } : sizedValue(cursor)
  }
  cursor.skip(2)
  const isDefined = cursor.u8() !== 0
  if (!isDefined) return { state: 'undefined' }
  return sizedValue(cursor)
}

/** A size of 0 stands for the default; a negative one, which only old versions have, for none. */
function sizedValue(cursor: FileCursor): FillValue {
  const size = cursor.i32()
  if (size < 0) return { state: 'undefined' }
  return size === 0 ? { state: 'default' } : { state: 'user', bytes: cursor.take(size).slice() }
}
