import { setImmediate } from 'node:timers/promises'

/** How long one request may keep all others waiting before they have their turn. */
const TURN_MILLISECONDS = 20

/**
 * For long work on the main thread: asked at each step, it tells when to wait for a moment. Awaiting what is there already
 * (a block of a file, a finished promise) lets nobody else run.
 */
export function turns(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < TURN_MILLISECONDS) return undefined
    return setImmediate().then(() => {
      began = performance.now()
    })
  }
}
