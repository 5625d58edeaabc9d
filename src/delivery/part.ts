import type { ByteRange } from '../bytes/byte-range.ts'
import type { ObjectPart } from '../source/source.ts'

/** Where a client's range lies in a body of this length; undefined when it can't be satisfied (RFC 9110, section 14.1.2). */
export function partRange(part: ObjectPart | undefined, total: number): ByteRange | undefined {
  if (part === undefined) return { offset: 0, length: total }
  if (part.kind === 'last') {
    const length = Math.min(part.length, total)
    return length === 0 ? undefined : { offset: total - length, length }
  }
  if (part.offset >= total) return undefined
  return { offset: part.offset, length: Math.min(part.length ?? total, total - part.offset) }
}

/** The overlap of a range with bytes that begin at `start`, counted from there. */
export function overlap(range: ByteRange, start: number, length: number): ByteRange {
  const from = Math.min(Math.max(range.offset - start, 0), length)
  const to = Math.min(Math.max(range.offset + range.length - start, 0), length)
  return { offset: from, length: to - from }
}
