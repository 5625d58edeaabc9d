import { begunFeed } from '../../bytes/begun-feed.ts'
import type { ByteRange } from '../../bytes/byte-range.ts'
import type { Feed } from '../../bytes/feed.ts'
import type { SourceSettings } from '../settings.ts'
import { readAnew, type Source } from '../source.ts'
import { isTransient, tooSlow } from './failures.ts'
import { ResumedFeed, type Resumption } from './resumed-feed.ts'

/** What retrying needs to know. */
export type RetryTerms = Pick<SourceSettings, 'retry' | 'deadlines'>

/** A source whose bodies may be gone on with where one broke off. */
export interface ResumableSource extends Source {
  /** Whether an equal validator proves that the rest, asked for anew, belongs to what has come. */
  readonly canResume: boolean
}

/** Failures that may pass are tried again; what flows goes on from the byte it had reached. */
export function withRetry(inner: ResumableSource, terms: RetryTerms): Source {
  return readAnew(inner, {
    read: (range, { signal } = {}) =>
      retried(terms, inner.url, signal, (scope) => inner.read(range, { signal: scope })),
    feed: (range, { signal } = {}) => resumedFeed(inner, range, terms, signal),
  })
}

/** Does a task again when its failure may pass, within the total deadline. */
export async function retried<T>(
  terms: RetryTerms,
  url: string,
  signal: AbortSignal | undefined,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const scope = new AbortScope(signal, terms.deadlines.totalMs)
  try {
    return await attempted(triesOf(terms), url, scope, task)
  } finally {
    scope.release()
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
  const scope = new AbortScope(outer, terms.deadlines.totalMs)
  const delayAfter = triesOf(terms)
  const ask = (rest: ByteRange, within: AbortScope) =>
    attempted(delayAfter, source.url, within, (signal) => source.feed(rest, { signal }))

  async function goOn(received: number, delay: number): Promise<Feed> {
    const within = new AbortScope(scope.signal, terms.deadlines.totalMs)
    try {
      await pause(delay, within.signal)
      const rest = await ask({ offset: range.offset + received, length: range.length - received }, within)
      within.disarm()
      return rest
    } catch (error) {
      within.release()
      throw error
    }
  }

  const resumption: Resumption = {
    after(received, failure) {
      if (received > 0 && !source.canResume) return undefined
      // A body that was too slow was so for one window, whatever came before and within it.
      const delay = delayAfter(failure, Date.now() - terms.deadlines.bodyWindowMs)
      return delay === undefined ? undefined : goOn(received, delay)
    },
    release: () => scope.release(),
    abort: () => scope.abort(new DOMException('the reader left', 'AbortError')),
  }
  try {
    const { feed } = await begunFeed(new ResumedFeed(await ask(range, scope), resumption), 1)
    scope.disarm()
    return feed
  } catch (error) {
    scope.release()
    throw scope.isExpired ? tooSlow('the origin took too long', source.url, error) : error
  }
}

/** The attempts themselves, under a deadline that the caller holds. */
function attempted<T>(
  delayAfter: DelayAfter,
  url: string,
  scope: AbortScope,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const begun = Date.now()
  // No async function for the one attempt that is nearly always enough.
  return task(scope.signal).catch((error) => attemptedAgain({ error, begun }, delayAfter, url, scope, task))
}

async function attemptedAgain<T>(
  first: { readonly error: unknown; readonly begun: number },
  delayAfter: DelayAfter,
  url: string,
  scope: AbortScope,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let { error, begun } = first
  let failure: unknown
  for (;;) {
    const delay = scope.isExpired ? undefined : delayAfter(error, begun)
    // What the origin said last is worth more than that time is over.
    if (scope.isExpired) throw failure ?? tooSlow('the origin took too long', url, error)
    if (delay === undefined) throw error
    failure = error
    await pause(delay, scope.signal).catch((reason) => {
      throw scope.isExpired ? failure : reason
    })
    begun = Date.now()
    try {
      return await task(scope.signal)
    } catch (next) {
      error = next
    }
  }
}

/** A wait the origin asks for is kept when it is short; a longer one (or one we made up) is the client's to keep. */
const MOST_RETRY_AFTER_MS = 2_000

/** How long to wait before the next attempt, after a failed one that began at `begun`; undefined: there is none. */
type DelayAfter = (error: unknown, begun: number) => number | undefined

/** What one read may still try: so many attempts, and so long a time in which nothing comes. */
function triesOf({ retry, deadlines }: RetryTerms): DelayAfter {
  let failures = 0
  let stalledMs = 0
  return (error, begun) => {
    if (!isTransient(error)) return undefined
    failures++
    if (error.code === 'source-timeout') {
      // However long the attempt took: what came before its origin fell silent was no waiting in vain.
      const longest = Math.max(deadlines.slowHeadersMs, deadlines.bodyWindowMs)
      stalledMs += Math.min(Date.now() - begun, longest)
    }
    if (failures >= retry.attempts || stalledMs >= deadlines.stalledMs) return undefined
    const usual = retry.baseDelayMs * 2 ** (failures - 1) * (0.5 + Math.random())
    const asked = (error.context.retryAfterSeconds ?? 0) * 1000
    return asked > MOST_RETRY_AFTER_MS ? usual : Math.max(usual, asked)
  }
}

/** A signal that follows another one, and a deadline where one is given; it must be released, or listeners pile up. */
export class AbortScope {
  readonly signal: AbortSignal
  /** Whether the deadline, and not the caller, ended it. */
  isExpired = false
  readonly #controller = new AbortController()
  readonly #outer: AbortSignal | undefined
  readonly #timer: NodeJS.Timeout | undefined

  constructor(outer: AbortSignal | undefined, deadlineMs?: number) {
    this.signal = this.#controller.signal
    this.#outer = outer
    if (outer?.aborted === true) this.handleEvent()
    else outer?.addEventListener('abort', this)
    if (deadlineMs !== undefined) this.#timer = setTimeout(() => this.#expire(), deadlineMs)
  }

  handleEvent(): void {
    this.abort(this.#outer?.reason)
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason)
  }

  /** Lifts the deadline; the caller's signal still counts. */
  disarm(): void {
    clearTimeout(this.#timer)
  }

  /** Ends following both. */
  release(): void {
    clearTimeout(this.#timer)
    this.#outer?.removeEventListener('abort', this)
  }

  #expire(): void {
    this.isExpired = !this.signal.aborted
    this.abort(new DOMException('the deadline is over', 'TimeoutError'))
  }
}

/** Waits; an abort ends it early with the signal's reason. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
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
