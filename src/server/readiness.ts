import { collectGarbage } from './garbage.ts'

/** Garbage is collected so often at most, before the service is said to be full. */
const COLLECT_MILLISECONDS = 10_000

/** Part of a container's memory that may be in use. */
const MOST_PART = 0.9

/** How much memory the process may take: what the operator says, else most of what its container has; 0 is any. */
export function memoryBound(configured: number | undefined, constrained: number, total: number): number {
  if (configured !== undefined) return configured
  return constrained > 0 && constrained < total ? Math.floor(constrained * MOST_PART) : 0
}

/** Whether memory is within its bound. Garbage is no reason to send clients away, and who gets no requests collects none. */
export function memoryWatch(bound: number): () => boolean {
  let collectedAt = Number.NEGATIVE_INFINITY
  const isWithin = () => process.memoryUsage.rss() <= bound
  return () => {
    if (bound === 0 || isWithin()) return true
    if (performance.now() - collectedAt > COLLECT_MILLISECONDS) {
      collectGarbage()
      collectedAt = performance.now()
    }
    return isWithin()
  }
}
