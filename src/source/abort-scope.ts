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
