import type { ByteRange } from '../bytes/byte-range.ts'
import { type FeedingSource, feedOf, streamOfFeed } from './feed.ts'
import { resumedFeed } from './resumed-feed.ts'
import { type RetryTerms, retried } from './retry.ts'
import type { Feed, ReadOptions } from './source.ts'

/** Below this, held bytes are cheaper, and they fail before anything was sent. */
const FEED_FROM_BYTES = 64 * 1024

/** Failures that may pass are tried again; what flows goes on from the byte it had reached. */
export function withRetry(inner: FeedingSource, terms: RetryTerms): FeedingSource {
  const { url } = inner
  const read = (range: ByteRange, { signal }: ReadOptions = {}) =>
    retried(terms, url, signal, (scope) => inner.read(range, { signal: scope }))
  const feed = async (range: ByteRange, options: ReadOptions = {}): Promise<Feed> => {
    if (range.length < FEED_FROM_BYTES) return feedOf(await read(range, options))
    const start = (rest: ByteRange, signal: AbortSignal) => inner.feed(rest, { signal })
    return resumedFeed({ terms, url, range, start }, options.signal)
  }
  return {
    url,
    size: inner.size,
    validator: inner.validator,
    settle: () => inner.settle?.(),
    read,
    stream: async (range, options) => streamOfFeed(await feed(range, options)),
    feed,
  }
}
