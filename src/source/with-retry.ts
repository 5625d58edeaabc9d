import { type ResumableSource, resumedFeed } from './resumed-feed.ts'
import { type RetryTerms, retried } from './retry.ts'
import type { Source } from './source.ts'

/** Failures that may pass are tried again; what flows goes on from the byte it had reached. */
export function withRetry(inner: ResumableSource, terms: RetryTerms): Source {
  return {
    url: inner.url,
    get size() {
      return inner.size
    },
    get validator() {
      return inner.validator
    },
    settle: () => inner.settle?.(),
    read: (range, { signal } = {}) =>
      retried(terms, inner.url, signal, (scope) => inner.read(range, { signal: scope })),
    feed: (range, { signal } = {}) => resumedFeed(inner, range, terms, signal),
  }
}
