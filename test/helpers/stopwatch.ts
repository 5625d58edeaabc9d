const TICK_MS = 10

/** Starts to measure time; what it answers is without the time in which this process came to nothing, when its timers are late. */
export function stopwatch(): () => number {
  const start = performance.now()
  let last = start
  let lost = 0
  const timer = setInterval(() => {
    const now = performance.now()
    if (now - last > 2 * TICK_MS) lost += now - last - TICK_MS
    last = now
  }, TICK_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    return performance.now() - start - lost
  }
}
