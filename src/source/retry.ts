import type { VirtualZarrError } from '../errors.ts'
import { type AbortScope, abortScope, pause } from './abort-scope.ts'
import { isTransient, tooSlow } from './failures.ts'
import type { SourceSettings } from './settings.ts'

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
