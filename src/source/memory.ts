import type { ByteRange } from '../bytes/byte-range.ts'
import { feedOf } from '../bytes/feed.ts'
import type { ReadOptions, Source } from './source.ts'
import { checkInside } from './source.ts'

/** A source whose bytes are at hand. */
export function memorySource(url: string, bytes: Uint8Array, validator?: string): Source {
  const read = async (range: ByteRange, { signal }: ReadOptions = {}) => {
    signal?.throwIfAborted()
    checkInside(range, { url, size: bytes.length })
    return bytes.subarray(range.offset, range.offset + range.length)
  }
  return {
    url,
    size: bytes.length,
    validator,
    read,
    feed: async (range, options) => feedOf(await read(range, options)),
  }
}
