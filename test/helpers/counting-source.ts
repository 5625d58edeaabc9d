import { type ByteRange, endOf } from '../../src/bytes/byte-range.ts'
import { feedOf } from '../../src/bytes/feed.ts'
import { malformed } from '../../src/errors.ts'
import type { Source } from '../../src/source/source.ts'

/** A file in memory that remembers what was read of it. */
export interface CountingSource extends Source {
  readonly reads: ByteRange[]
}

/**
 * `size` may claim more bytes than there are, a large file of which little is looked at; `content` answers for those that are
 * not held.
 */
export function countingSource(
  bytes: Uint8Array,
  size: number = bytes.length,
  content?: (position: number) => number,
): CountingSource {
  const reads: ByteRange[] = []
  const read = async (range: ByteRange): Promise<Uint8Array> => {
    if (endOf(range) > size) throw malformed(`bytes ${range.offset}+${range.length} are not in the file`)
    reads.push(range)
    const answer = new Uint8Array(range.length)
    const held = bytes.subarray(range.offset, endOf(range))
    answer.set(held)
    if (content !== undefined) {
      for (let i = held.length; i < answer.length; i++) answer[i] = content(range.offset + i)
    }
    return answer
  }
  return {
    url: 'memory:file',
    size,
    validator: '"1"',
    reads,
    read,
    feed: async (range) => feedOf(await read(range)),
  }
}
