import type { ByteRange } from '../bytes/byte-range.ts'
import { malformed, overLimit } from '../errors.ts'
import { publicUrl } from './public-url.ts'

/** Most bytes that one read may hold in memory. */
const MAX_READ_BYTES = 2 ** 31

/** Throws `malformed-source` for a range that is not inside the file: whoever named it lied. */
export function checkInside(range: ByteRange, source: { readonly url: string; readonly size: number }): void {
  const { offset, length } = range
  if (Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0) {
    if (length <= source.size - offset) return
  }
  const message = `bytes ${offset}+${length} are expected in a file of ${source.size} bytes`
  throw malformed(message, { url: publicUrl(source.url), offset })
}

/** Throws `limit-exceeded` for a range that nobody should hold in memory. */
export function checkReadable(range: ByteRange, source: { readonly url: string }): void {
  if (range.length <= MAX_READ_BYTES) return
  const message = `${range.length} bytes are too many to be read at once, at most ${MAX_READ_BYTES}`
  throw overLimit(message, { url: publicUrl(source.url), offset: range.offset })
}
