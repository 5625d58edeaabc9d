/** How long work may keep all others waiting before they have their turn. */
const TURN_MILLISECONDS = 20

/**
 * For long work on the main thread: asked at each step, it tells when to wait for a moment. Awaiting what is there already
 * (a block of a file, a finished promise) lets nobody else run.
 */
export function turn(): Promise<void> | undefined {
  return EVENT_LOOP.turn()
}

/** The time since the loop came around is shared by all who work: ten of them hold it no longer than one. */
class EventLoop {
  #cameAround = Number.NEGATIVE_INFINITY
  readonly #waiting: (() => void)[] = []
  #isCalling = false

  turn(): Promise<void> | undefined {
    if (!this.#isOver()) return undefined
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#isCalling) return
      this.#isCalling = true
      setImmediate(() => this.#comeAround())
    })
  }

  #isOver(): boolean {
    return performance.now() - this.#cameAround >= TURN_MILLISECONDS
  }

  #comeAround(): void {
    this.#cameAround = performance.now()
    this.#callNext()
  }

  /** First come, first served, as many as there is time for. */
  #callNext(): void {
    const next = this.#waiting.shift()
    this.#isCalling = next !== undefined
    if (next === undefined) return
    next()
    // After all microtasks: once the one that was called waits for something, or has asked again.
    queueMicrotask(() =>
      process.nextTick(() => {
        if (this.#isOver()) setImmediate(() => this.#comeAround())
        else this.#callNext()
      }),
    )
  }
}

const EVENT_LOOP = new EventLoop()
