import type { ByteRange } from '../bytes/byte-range.ts'
import { type FeedingSource, feedOf, streamOfFeed } from './feed.ts'
import { checkInside } from './range-check.ts'
import type { ReadOptions } from './source.ts'

/** A source whose bytes are at hand. */
export function memorySource(url: string, bytes: Uint8Array, validator?: string): FeedingSource {
  const read = async (range: ByteRange, { signal }: ReadOptions = {}) => {
    signal?.throwIfAborted()
    checkInside(range, { url, size: bytes.length })
    return bytes.subarray(range.offset, range.offset + range.length)
  }
  const feed = async (range: ByteRange, options: ReadOptions = {}) => feedOf(await read(range, options))
  return {
    url,
    size: bytes.length,
    validator,
    read,
    feed,
    stream: async (range, options) => streamOfFeed(await feed(range, options)),
  }
}
