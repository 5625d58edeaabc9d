// HDF Specification and Developer's Guide, section 9.3: DFTAG_VG, packed as vgp.c of the HDF library does.
import type { Cursor } from '../../../bytes/cursor.ts'

/** A vgroup: a list of other elements. */
export interface Vgroup {
  readonly ref: number
  /** Bytes of text: of any encoding. */
  readonly name: Uint8Array
  readonly className: string
  readonly members: readonly Link[]
  /** Vdata that are its attributes. */
  readonly attributes: readonly number[]
}

/** An element by its names. */
export interface Link {
  readonly tag: number
  readonly ref: number
}

const WITH_ATTRIBUTES = 4
const HAS_ATTRIBUTES = 1
/** Version and "more" stand at the end, with one byte too many behind them. */
const TAIL_BYTES = 5

export function parseVgroup(cursor: Cursor, ref: number): Vgroup {
  const count = cursor.u16()
  const tags = Array.from({ length: count }, () => cursor.u16())
  const members = tags.map((tag) => ({ tag, ref: cursor.u16() }))
  const name = takeText(cursor)
  const className = Buffer.from(takeText(cursor)).toString('latin1')
  cursor.skip(4)
  return { ref, name, className, members, attributes: parseAttributes(cursor) }
}

/** Text with its length in front; up to the first NUL. */
export function takeText(cursor: Cursor): Uint8Array {
  const text = cursor.take(cursor.u16())
  const end = text.indexOf(0)
  // A copy: what was read may be a view on a larger block.
  return text.slice(0, end < 0 ? text.length : end)
}

function parseAttributes(cursor: Cursor): readonly number[] {
  const { bytes, position } = cursor
  const version = ((bytes[bytes.length - TAIL_BYTES] ?? 0) << 8) | (bytes[bytes.length - TAIL_BYTES + 1] ?? 0)
  if (version !== WITH_ATTRIBUTES || bytes.length - position < TAIL_BYTES + 8) return []
  if ((cursor.u32() & HAS_ATTRIBUTES) === 0) return []
  const count = cursor.u32()
  return Array.from({ length: Math.min(count, Math.floor(cursor.remaining / 4)) }, () => {
    cursor.skip(2)
    return cursor.u16()
  })
}

/** Pairs of tag and reference number, in the older way of groups. */
export function parseLinks(bytes: Uint8Array | undefined): Link[] {
  if (bytes === undefined) return []
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, i) => ({
    tag: view.getUint16(4 * i),
    ref: view.getUint16(4 * i + 2),
  }))
}
