import { fromBase64 } from '../../fill-value/base64.ts'

// What a reference's `target` says; from `FIRST_URL` on it is the number of a URL.

/** `offset` and `length` are those of the bytes in the document's pool. */
export const INLINE = 1
/** `offset` and `length` are those of the text in the document, which is read again. */
export const DEFERRED = 2
/** `offset` is the place of the reason in `BREAKAGES`. */
export const BROKEN = 3
export const FIRST_URL = 4
/** A length of 0 never stands for a chunk: here it says that the whole object is meant. */
export const WHOLE = 0

/** Why a reference can't be followed. Its chunk is an error, and never a fill value. */
export const BREAKAGES = [
  'is neither text nor [url] nor [url, offset, length]',
  'has an offset or length that is no whole number from 0 to 2^53',
  'has a length of 0',
  'holds no bytes',
  'is not valid base64',
  'is not text that UTF-8 can spell',
  'has an empty URL, or one that is too long',
] as const
export type Breakage = (typeof BREAKAGES)[number]

/** The numbers of a reference with this breakage. */
export function broken(reason: Breakage): {
  readonly target: number
  readonly offset: number
  readonly length: number
} {
  return { target: BROKEN, offset: BREAKAGES.indexOf(reason), length: 0 }
}

const BASE64_MARK = 'base64:'

/** The bytes that an inline reference stands for: its text, or what `base64:` is followed by. */
export function inlineBytes(text: string): Uint8Array | Breakage {
  if (!text.startsWith(BASE64_MARK)) return text.isWellFormed() ? Buffer.from(text) : 'is not text that UTF-8 can spell'
  // MIME's line ends and blanks are passed over, as Python does.
  return fromBase64(text.slice(BASE64_MARK.length).replace(/\s+/g, '')) ?? 'is not valid base64'
}
