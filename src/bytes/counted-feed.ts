import type { Feed, Sink } from './feed.ts'

const PART_BYTES = 2 ** 18

/** How long a reader may take nothing at all. */
const MOST_IDLE_MILLISECONDS = 30_000

/**
 * Bytes at hand as a feed, in parts. Somebody counts them as long as they are needed: `release` is called once, at the end, or
 * when the reader leaves or stops reading.
 */
export function countedFeed(bytes: Uint8Array, release: () => void): Feed {
  return new CountedFeed(bytes, release)
}

class CountedFeed implements Feed {
  #bytes: Uint8Array
  #release: (() => void) | undefined
  #sink: Sink | undefined
  #isPaused = false
  #isFlowing = false
  #idle: NodeJS.Timeout | undefined

  constructor(bytes: Uint8Array, release: () => void) {
    this.#bytes = bytes
    this.#release = release
  }

  start(sink: Sink): void {
    this.#sink = sink
    this.#flow()
  }

  pause(): void {
    this.#isPaused = true
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.#giveUp(), MOST_IDLE_MILLISECONDS)
  }

  resume(): void {
    this.#isPaused = false
    clearTimeout(this.#idle)
    this.#flow()
  }

  stop(): void {
    clearTimeout(this.#idle)
    this.#sink = undefined
    // Nothing keeps the bytes that nobody will read.
    this.#bytes = new Uint8Array(0)
    this.#release?.()
    this.#release = undefined
  }

  #flow(): void {
    if (this.#isFlowing) return
    this.#isFlowing = true
    while (!this.#isPaused && this.#sink !== undefined) {
      if (this.#bytes.length === 0) {
        const sink = this.#sink
        this.stop()
        sink.end()
      } else {
        const part = this.#bytes.subarray(0, PART_BYTES)
        this.#bytes = this.#bytes.subarray(PART_BYTES)
        this.#sink.data(part)
      }
    }
    this.#isFlowing = false
  }

  #giveUp(): void {
    const sink = this.#sink
    this.stop()
    sink?.fail(new Error(`nothing was read for ${MOST_IDLE_MILLISECONDS / 1000} seconds`))
  }
}
