import type { ByteRange } from '../bytes/byte-range.ts'

/** What a `Content-Range` header says (RFC 9110, section 14.4). */
export interface ContentRange {
  /** Undefined in the answer to a range that can't be satisfied. */
  readonly range: ByteRange | undefined
  /** Undefined when the origin does not tell. */
  readonly total: number | undefined
}

/** Reads the header; undefined when it makes no sense. */
export function parseContentRange(text: string | undefined): ContentRange | undefined {
  const match = /^bytes\s+(?:(\d{1,16})-(\d{1,16})|\*)\/(?:(\d{1,16})|\*)$/i.exec(text?.trim() ?? '')
  if (match === null) return undefined
  const [, first, last, whole] = match
  const total = whole === undefined ? undefined : Number(whole)
  if (total !== undefined && !Number.isSafeInteger(total)) return undefined
  if (first === undefined || last === undefined) return { range: undefined, total }
  const offset = Number(first)
  const length = Number(last) - offset + 1
  if (length < 1 || !Number.isSafeInteger(offset + length)) return undefined
  if (total !== undefined && offset + length > total) return undefined
  return { range: { offset, length }, total }
}

/** The `Range` header of a byte range that is not empty. */
export function rangeHeader(range: ByteRange): string {
  return `bytes=${range.offset}-${range.offset + range.length - 1}`
}
