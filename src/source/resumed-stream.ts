import { Readable } from 'node:stream'
import type { ByteRange } from '../bytes/byte-range.ts'
import { type AbortScope, abortScope, pause } from './abort-scope.ts'
import { isTransient } from './failures.ts'
import type { Feed } from './feed.ts'
import { attempted, delayAfter, type RetryTerms, retried } from './retry.ts'

/** Starts to bring the bytes of a range. */
export type StartFeed = (rest: ByteRange, signal: AbortSignal) => Promise<Feed>

/** One stream over several answers. */
interface Resumption {
  readonly terms: RetryTerms
  readonly url: string
  readonly range: ByteRange
  readonly start: StartFeed
}

/**
 * A stream that survives failures which may pass: it resolves with the first good answer, and where that breaks off it
 * goes on from the byte it had reached.
 */
export async function resumedStream(resumption: Resumption, outer: AbortSignal | undefined): Promise<Readable> {
  const { terms, url, range, start } = resumption
  const scope = abortScope(outer, terms.deadlines.totalMs)
  try {
    const first = await attempted(terms, url, scope, (signal) => start(range, signal))
    scope.disarm()
    return resumable(first, resumption, scope)
  } catch (error) {
    scope.release()
    throw error
  }
}

/** The stream of a feed that is already under way, made resumable. */
export function resumable(first: Feed, resumption: Resumption, scope: AbortScope): Readable {
  const { terms, url, range, start } = resumption
  const end = range.offset + range.length
  let at = range.offset
  let failures = 0
  let current = first
  const stream = new Readable({
    read: () => void current.resume(),
    destroy: (error, done) => {
      scope.abort(error ?? new DOMException('the reader left', 'AbortError'))
      scope.release()
      current.stop()
      done(error)
    },
  })
  scope.signal.addEventListener('abort', () => stream.destroy(asError(scope.signal.reason)), { once: true })

  function attach(feed: Feed): void {
    current = feed
    feed.start({
      data: (bytes) => {
        at += bytes.length
        if (!stream.push(bytes)) feed.pause()
      },
      end: () => void stream.push(null),
      fail: (error) => void resume(error),
    })
  }

  async function resume(error: Error): Promise<void> {
    failures++
    if (stream.destroyed) return
    if (!isTransient(error) || failures >= terms.retry.attempts) return void stream.destroy(error)
    try {
      await pause(delayAfter(error, failures, terms), scope.signal)
      const rest = { offset: at, length: end - at }
      const next = await retried(terms, url, scope.signal, (signal) => start(rest, signal))
      if (stream.destroyed) next.stop()
      else attach(next)
    } catch (lastError) {
      stream.destroy(asError(lastError))
    }
  }

  attach(first)
  return stream
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new DOMException('aborted', 'AbortError')
}
