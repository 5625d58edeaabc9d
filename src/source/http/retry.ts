import type { ByteRange } from '../../bytes/byte-range.ts'
import type { Feed, Sink } from '../../bytes/feed.ts'
import type { VirtualZarrError } from '../../errors.ts'
import type { SourceSettings } from '../settings.ts'
import type { ReadOptions, Source } from '../source.ts'
import { isTransient, tooSlow } from './failures.ts'

/** What retrying needs to know. */
export type RetryTerms = Pick<SourceSettings, 'retry' | 'deadlines'>

/** Does a task again when its failure may pass, within the total deadline. */
export async function retried<T>(
  terms: RetryTerms,
  url: string,
  signal: AbortSignal | undefined,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const scope = abortScope(signal, terms.deadlines.totalMs)
  try {
    return await attempted(terms, url, scope, task)
  } finally {
    scope.release()
  }
}

/** The attempts themselves, under a deadline that the caller holds. */
export async function attempted<T>(
  terms: RetryTerms,
  url: string,
  scope: AbortScope,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const end = Date.now() + terms.deadlines.totalMs
  let failure: unknown
  let delay = 0
  for (let attempt = 1; ; attempt++) {
    try {
      if (attempt > 1) await pause(delay, scope.signal)
      return await task(scope.signal)
    } catch (error) {
      // What the origin said last is worth more than that time is over.
      if (scope.expired()) throw failure ?? tooSlow('the origin took too long', url, error)
      if (!isTransient(error) || attempt >= terms.retry.attempts) throw error
      delay = delayAfter(error, attempt, terms)
      if (Date.now() + delay >= end) throw error
      failure = error
    }
  }
}

/** A wait the origin asks for is kept when it is short; a longer one (or one we made up) is the client's to keep. */
const MAX_RETRY_AFTER_MS = 2_000

/** How long to wait after that many attempts. */
export function delayAfter(error: VirtualZarrError, attempt: number, { retry }: RetryTerms): number {
  const usual = retry.baseDelayMs * 2 ** (attempt - 1) * (0.5 + Math.random())
  const asked = (error.context.retryAfterSeconds ?? 0) * 1000
  return asked > MAX_RETRY_AFTER_MS ? usual : Math.max(usual, asked)
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
    settle: () => inner.settle?.(),
    read: (range, { signal } = {}) =>
      retried(terms, inner.url, signal, (scope) => inner.read(range, { signal: scope })),
    feed: (range, { signal } = {}) => resumedFeed(inner, range, terms, signal),
  }
}

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

/** A signal that follows another one and a deadline; what follows must be let go of, or listeners pile up. */
export interface AbortScope {
  readonly signal: AbortSignal
  /** Whether the deadline, and not the caller, ended it. */
  readonly expired: () => boolean
  abort(reason?: unknown): void
  /** Lifts the deadline; the caller's signal still counts. */
  disarm(): void
  /** Ends following both. */
  release(): void
}

/** Follows the caller's signal, and a deadline when one is given. */
export function abortScope(outer: AbortSignal | undefined, deadlineMs?: number): AbortScope {
  const controller = new AbortController()
  let expired = false
  const follow = () => controller.abort(outer?.reason)
  if (outer?.aborted === true) follow()
  outer?.addEventListener('abort', follow, { once: true })
  const timer =
    deadlineMs === undefined
      ? undefined
      : setTimeout(() => {
          expired = !controller.signal.aborted
          controller.abort(new DOMException('the deadline is over', 'TimeoutError'))
        }, deadlineMs)
  return {
    signal: controller.signal,
    expired: () => expired,
    abort: (reason) => controller.abort(reason),
    disarm: () => clearTimeout(timer),
    release: () => {
      clearTimeout(timer)
      outer?.removeEventListener('abort', follow)
    },
  }
}

/** Waits; an abort ends it early with the signal's reason. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', stop, { once: true })
  })
}

/** A promise that others share: this caller stops waiting when its signal aborts, the work goes on. */
export function waitFor<T>(shared: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return shared
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    shared.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })
}
