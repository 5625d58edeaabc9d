import type { ByteRange } from '../bytes/byte-range.ts'
import type { Feed, Sink } from '../bytes/feed.ts'
import { type AbortScope, abortScope, pause } from './abort-scope.ts'
import { isTransient } from './failures.ts'
import { attempted, delayAfter, type RetryTerms } from './retry.ts'
import type { ReadOptions, Source } from './source.ts'

/** A source whose bodies can be gone on with where one broke off. */
export interface ResumableSource extends Source {
  /** The rest of a range whose beginning another answer brought; throws where nothing proves that both are of one version. */
  resume(rest: ByteRange, options: ReadOptions): Promise<Feed>
}

/**
 * A feed that survives failures which may pass: it resolves with the first good answer, and where that breaks off it
 * goes on from the byte it had reached.
 */
export async function resumedFeed(
  source: ResumableSource,
  range: ByteRange,
  terms: RetryTerms,
  outer: AbortSignal | undefined,
): Promise<Feed> {
  const scope = abortScope(outer, terms.deadlines.totalMs)
  try {
    const first = await attempted(terms, source.url, scope, (signal) => source.feed(range, { signal }))
    scope.disarm()
    return new ResumedFeed(first, { source, range, terms }, scope)
  } catch (error) {
    scope.release()
    throw error
  }
}

interface Resumption {
  readonly source: ResumableSource
  readonly range: ByteRange
  readonly terms: RetryTerms
}

class ResumedFeed implements Feed, Sink {
  readonly #resumption: Resumption
  readonly #scope: AbortScope
  #current: Feed
  #sink: Sink | undefined
  #received = 0
  #failures = 0
  #isPaused = false
  #isOver = false

  constructor(first: Feed, resumption: Resumption, scope: AbortScope) {
    this.#current = first
    this.#resumption = resumption
    this.#scope = scope
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
    this.#scope.abort(new DOMException('the reader left', 'AbortError'))
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
    this.#failures++
    const { terms } = this.#resumption
    if (isTransient(error) && this.#failures < terms.retry.attempts)
      void this.#goOn(delayAfter(error, this.#failures, terms))
    else this.#close()?.fail(error)
  }

  async #goOn(delay: number): Promise<void> {
    const { terms, source, range } = this.#resumption
    const scope = abortScope(this.#scope.signal, terms.deadlines.totalMs)
    try {
      await pause(delay, scope.signal)
      const rest = { offset: range.offset + this.#received, length: range.length - this.#received }
      // What nobody has seen yet can be begun again, whatever proves its version.
      const again = (signal: AbortSignal) =>
        this.#received === 0 ? source.feed(range, { signal }) : source.resume(rest, { signal })
      const next = await attempted(terms, source.url, scope, again)
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
    this.#scope.release()
    return sink
  }
}
