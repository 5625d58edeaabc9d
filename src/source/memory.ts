import { checkInside } from './range-check.ts'
import type { ReadOptions, Source } from './source.ts'
import { streamOf } from './stream-of.ts'

/** A source whose bytes are at hand. */
export function memorySource(url: string, bytes: Uint8Array, validator?: string): Source {
  return {
    url,
    size: bytes.length,
    validator,
    read: async (range, options: ReadOptions = {}) => {
      options.signal?.throwIfAborted()
      checkInside(range, { url, size: bytes.length })
      return bytes.subarray(range.offset, range.offset + range.length)
    },
    stream: async (range, options: ReadOptions = {}) => {
      options.signal?.throwIfAborted()
      checkInside(range, { url, size: bytes.length })
      return streamOf(bytes.subarray(range.offset, range.offset + range.length))
    },
  }
}
