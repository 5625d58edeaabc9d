import { fromBase64 } from '../../fill-value/base64.ts'
import type { Breakage } from './reference-codes.ts'

const BASE64_MARK = 'base64:'

/** The bytes that an inline reference stands for: its text, or what `base64:` is followed by. */
export function inlineBytes(text: string): Uint8Array | Breakage {
  if (!text.startsWith(BASE64_MARK)) return text.isWellFormed() ? Buffer.from(text) : 'is not text that UTF-8 can spell'
  // MIME's line ends and blanks are passed over, as Python does.
  return fromBase64(text.slice(BASE64_MARK.length).replace(/\s+/g, '')) ?? 'is not valid base64'
}
