import { fromUtf8 } from '../../fill-value/fixed-text.ts'
import type { Padding } from './messages/datatype.ts'

const NUL = 0
const BLANK = 0x20

/** Bytes of text without what only fills its type up. */
export function withoutPadding(bytes: Uint8Array, padding: Padding): Uint8Array {
  if (padding === 'terminated') {
    const end = bytes.indexOf(NUL)
    return end < 0 ? bytes : bytes.subarray(0, end)
  }
  let end = bytes.length
  // Blank-padded text that C programs wrote ends with a NUL all the same.
  while (end > 0 && (bytes[end - 1] === NUL || (padding === 'space' && bytes[end - 1] === BLANK))) end--
  return bytes.subarray(0, end)
}

/** Text, or the bytes where they are no UTF-8 (JSON-7): ASCII is a part of it, and writers of other bytes say ASCII too. */
export function textOrBytes(bytes: Uint8Array): string | Uint8Array {
  return fromUtf8(bytes) ?? bytes.slice()
}
