/** Share of a container's memory that may be in use. */
const MAX_MEMORY_SHARE = 0.9
/** A process over its bound for a shorter time may be about to collect garbage. */
const GRACE_MS = 30_000
/** Then it gets no requests for so long. V8 collects no garbage without work, so requests must come again for it to find out. */
const REST_MS = 60_000

/** Bytes that the process may take: those that the operator sets, else most of what its container has; 0 is any number. */
export function memoryBound(configured: number | undefined, constrained: number, total: number): number {
  if (configured !== undefined) return configured
  return constrained > 0 && constrained < total ? Math.floor(constrained * MAX_MEMORY_SHARE) : 0
}

/** What is measured, so that tests can say what it is. */
const PROCESS = { residentBytes: () => process.memoryUsage.rss(), now: () => performance.now() }

/** Returns a function that says whether memory is within the bound; false for a minute after it was beyond it for 30 seconds. */
export function memoryWatch(bound: number, { residentBytes, now } = PROCESS): () => boolean {
  let overSince: number | undefined
  return () => {
    if (bound === 0 || residentBytes() <= bound) {
      overSince = undefined
      return true
    }
    overSince ??= now()
    const overMs = now() - overSince
    if (overMs >= GRACE_MS + REST_MS) overSince = now()
    return overMs < GRACE_MS || overMs >= GRACE_MS + REST_MS
  }
}
