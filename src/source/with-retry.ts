import type { ByteRange } from '../bytes/byte-range.ts'
import { type Feed, feedOf } from './feed.ts'
import { resumedStream, type StartFeed } from './resumed-stream.ts'
import { type RetryTerms, retried } from './retry.ts'
import type { ReadOptions, Source } from './source.ts'
import { streamOf } from './stream-of.ts'

/** Below this, a stream costs more than holding its bytes, and held bytes fail before anything was sent. */
const STREAM_FROM_BYTES = 64 * 1024

/** A source whose streams can be had as feeds, which saves a stream in between. */
interface Feeding {
  feed(range: ByteRange, options: ReadOptions): Promise<Feed>
}

/** Failures that may pass are tried again; a stream goes on from the byte it had reached. */
export function withRetry(inner: Source & Partial<Feeding>, terms: RetryTerms): Source {
  return {
    url: inner.url,
    size: inner.size,
    validator: inner.validator,
    settle: () => inner.settle?.(),
    read: (range, options: ReadOptions = {}) =>
      retried(terms, inner.url, options.signal, (signal) => inner.read(range, { signal })),
    stream: async (range, options: ReadOptions = {}) => {
      if (range.length < STREAM_FROM_BYTES) {
        return streamOf(await retried(terms, inner.url, options.signal, (signal) => inner.read(range, { signal })))
      }
      const start: StartFeed = async (rest, signal) =>
        inner.feed?.(rest, { signal }) ?? feedOf(await inner.stream(rest, { signal }))
      return resumedStream({ terms, url: inner.url, range, start }, options.signal)
    },
  }
}
