import { begunFeed } from '../../bytes/begun-feed.ts'
import type { ByteRange } from '../../bytes/byte-range.ts'
import type { Feed, Sink } from '../../bytes/feed.ts'
import type { Source } from '../source.ts'
import { tooSlow } from './failures.ts'
import { type AbortScope, abortScope, attempted, pause, type RetryTerms, retried, Tries } from './retry.ts'

/** A source whose bodies may be gone on with where one broke off. */
export interface ResumableSource extends Source {
  /** Whether an equal validator proves that the rest, asked for anew, belongs to what has come. */
  readonly canResume: boolean
}

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
    get isGuessed() {
      return inner.isGuessed
    },
    ...(inner.foresee === undefined ? {} : { foresee: inner.foresee.bind(inner) }),
    settle: () => inner.settle?.(),
    read: (range, { signal } = {}) =>
      retried(terms, inner.url, signal, (scope) => inner.read(range, { signal: scope })),
    feed: (range, { signal } = {}) => resumedFeed(inner, range, terms, signal),
  }
}

/**
 * A feed that survives failures which may pass. It resolves when its first bytes have come: until then it is read again from
 * its start, and an origin that falls silent behind its headers is no body that has begun.
 */
async function resumedFeed(
  source: ResumableSource,
  range: ByteRange,
  terms: RetryTerms,
  outer: AbortSignal | undefined,
): Promise<Feed> {
  const scope = abortScope(outer, terms.deadlines.totalMs)
  const tries = new Tries(terms)
  try {
    const first = await attempted(tries, source.url, scope, (signal) => source.feed(range, { signal }))
    const { feed } = await begunFeed(new ResumedFeed(first, { source, range, terms, tries, scope }), 1)
    scope.disarm()
    return feed
  } catch (error) {
    scope.release()
    throw scope.expired() ? tooSlow('the origin took too long', source.url, error) : error
  }
}

interface Resumption {
  readonly source: ResumableSource
  readonly range: ByteRange
  readonly terms: RetryTerms
  readonly tries: Tries
  readonly scope: AbortScope
}

class ResumedFeed implements Feed, Sink {
  readonly #resumption: Resumption
  #current: Feed
  #sink: Sink | undefined
  #received = 0
  #isPaused = false
  #isOver = false

  constructor(first: Feed, resumption: Resumption) {
    this.#current = first
    this.#resumption = resumption
  }

  start(sink: Sink): void {
    this.#sink = sink
    this.#current.start(this)
  }

  pause(): void {
    this.#isPaused = true
    this.#current.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#current.resume()
  }

  stop(): void {
    if (this.#isOver) return
    this.#close()
    this.#resumption.scope.abort(new DOMException('the reader left', 'AbortError'))
    this.#current.stop()
  }

  data(bytes: Uint8Array): void {
    this.#received += bytes.length
    this.#sink?.data(bytes)
  }

  end(): void {
    this.#close()?.end()
  }

  fail(error: Error): void {
    const { source, terms, tries } = this.#resumption
    const mayGoOn = this.#received === 0 || source.canResume
    // A body that was too slow was so for one window, whatever came before and within it.
    const slowSince = Date.now() - terms.deadlines.bodyWindowMs
    const delay = mayGoOn ? tries.delayAfter(error, slowSince) : undefined
    if (delay === undefined) this.#close()?.fail(error)
    else void this.#goOn(delay)
  }

  async #goOn(delay: number): Promise<void> {
    const { terms, source, range, tries } = this.#resumption
    const scope = abortScope(this.#resumption.scope.signal, terms.deadlines.totalMs)
    try {
      await pause(delay, scope.signal)
      const rest = { offset: range.offset + this.#received, length: range.length - this.#received }
      const next = await attempted(tries, source.url, scope, (signal) => source.feed(rest, { signal }))
      scope.disarm()
      if (this.#isOver) return next.stop()
      this.#current = next
      next.start(this)
      if (this.#isPaused) next.pause()
    } catch (error) {
      scope.release()
      this.#close()?.fail(error instanceof Error ? error : new DOMException('aborted', 'AbortError'))
    }
  }

  /** After this nothing more is handed on. */
  #close(): Sink | undefined {
    const sink = this.#sink
    this.#sink = undefined
    this.#isOver = true
    this.#resumption.scope.release()
    return sink
  }
}
