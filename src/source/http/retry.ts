import type { SourceSettings } from '../settings.ts'
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
    return await attempted(new Tries(terms), url, scope, task)
  } finally {
    scope.release()
  }
}

/** The attempts themselves, under a deadline that the caller holds. */
export async function attempted<T>(
  tries: Tries,
  url: string,
  scope: AbortScope,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let failure: unknown
  for (;;) {
    const begun = Date.now()
    try {
      return await task(scope.signal)
    } catch (error) {
      const delay = scope.expired() ? undefined : tries.delayAfter(error, begun)
      // What the origin said last is worth more than that time is over.
      if (scope.expired()) throw failure ?? tooSlow('the origin took too long', url, error)
      if (delay === undefined) throw error
      failure = error
      await pause(delay, scope.signal).catch((reason) => {
        throw scope.expired() ? failure : reason
      })
    }
  }
}

/** A wait the origin asks for is kept when it is short; a longer one (or one we made up) is the client's to keep. */
const MOST_RETRY_AFTER_MS = 2_000

/** What one read may still try: so many attempts, and so long a time in which nothing comes. */
export class Tries {
  readonly #terms: RetryTerms
  #failures = 0
  #stalledMs = 0

  constructor(terms: RetryTerms) {
    this.#terms = terms
  }

  /** How long to wait before the next attempt, after a failed one that began at `begun`; undefined: there is none. */
  delayAfter(error: unknown, begun: number): number | undefined {
    const { retry, deadlines } = this.#terms
    if (!isTransient(error)) return undefined
    this.#failures++
    if (error.code === 'source-timeout') {
      // However long the attempt took: what came before its origin fell silent was no waiting in vain.
      const longest = Math.max(deadlines.slowHeadersMs, deadlines.bodyWindowMs)
      this.#stalledMs += Math.min(Date.now() - begun, longest)
    }
    if (this.#failures >= retry.attempts || this.#stalledMs >= deadlines.stalledMs) return undefined
    const usual = retry.baseDelayMs * 2 ** (this.#failures - 1) * (0.5 + Math.random())
    const asked = (error.context.retryAfterSeconds ?? 0) * 1000
    return asked > MOST_RETRY_AFTER_MS ? usual : Math.max(usual, asked)
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
