import { resumedStream } from './resumed-stream.ts'
import { type RetryTerms, retried } from './retry.ts'
import type { ReadOptions, Source } from './source.ts'

/** Failures that may pass are tried again; a stream goes on from the byte it had reached. */
export function withRetry(inner: Source, terms: RetryTerms): Source {
  return {
    url: inner.url,
    size: inner.size,
    validator: inner.validator,
    settle: () => inner.settle?.(),
    read: (range, options: ReadOptions = {}) =>
      retried(terms, inner.url, options.signal, (signal) => inner.read(range, { signal })),
    stream: (range, options: ReadOptions = {}) =>
      resumedStream(
        { terms, url: inner.url, range, start: (rest, signal) => inner.stream(rest, { signal }) },
        options.signal,
      ),
  }
}
