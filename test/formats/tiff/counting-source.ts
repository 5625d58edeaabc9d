import { Readable } from 'node:stream'
import { type ByteRange, endOf } from '../../../src/bytes/byte-range.ts'
import { malformed } from '../../../src/errors.ts'
import type { Source } from '../../../src/source/source.ts'

/** A file in memory that remembers what was read of it. */
export interface CountingSource extends Source {
  readonly reads: ByteRange[]
}

/** `content` answers for bytes that are not held: a large file of which little is looked at. */
export function countingSource(
  bytes: Uint8Array,
  size: number = bytes.length,
  content: (position: number) => number = () => 0,
): CountingSource {
  const reads: ByteRange[] = []
  const read = async (range: ByteRange): Promise<Uint8Array> => {
    if (endOf(range) > size) throw malformed(`bytes ${range.offset}+${range.length} are not in the file`)
    reads.push(range)
    const answer = new Uint8Array(range.length)
    for (let i = 0; i < range.length; i++) {
      const position = range.offset + i
      answer[i] = position < bytes.length ? (bytes[position] ?? 0) : content(position)
    }
    return answer
  }
  return {
    url: 'memory:file.tif',
    size,
    validator: '"1"',
    reads,
    read,
    stream: async (range) => Readable.from([await read(range)]),
  }
}
