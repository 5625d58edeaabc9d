// ISO/IEC 15444-1 annex I.4 and 18181-2 section 9: a container is a row of boxes, each a length, four letters and a content.

import { Cursor } from '../../bytes/cursor.ts'
import { latin1Text } from '../../bytes/text.ts'

/** A box of a container of JPEG 2000 or JPEG XL. */
export interface Box {
  readonly kind: string
  readonly content: Uint8Array
}

/** Boxes up to the first one that is not whole. */
export function* boxesOf(bytes: Uint8Array): Generator<Box> {
  const cursor = new Cursor(bytes, 'big')
  while (cursor.remaining >= 8) {
    const start = cursor.position
    const length = cursor.u32()
    const kind = latin1Text(cursor.take(4))
    // 0: up to the end; 1: the length follows, in 64 bits.
    const end = length === 0 ? bytes.length : length === 1 ? start + cursor.u64() : start + length
    if (end <= start || end > bytes.length) return
    yield { kind, content: bytes.subarray(cursor.position, end) }
    cursor.seek(end)
  }
}
