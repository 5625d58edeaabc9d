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
