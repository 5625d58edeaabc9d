import type { Feed, Sink } from './feed.ts'

/** A feed that has begun. */
export interface BegunFeed {
  readonly feed: Feed
  /** Its first bytes, so many as were asked for, or all there are; they are in the feed as well. */
  readonly head: Uint8Array
}

/** Bytes that are held besides, until the feed is paused: who waits for it mostly comes before the next do, and pausing costs. */
const MOST_HELD_BYTES = 64 * 1024

/** Resolves when the first bytes of a feed have come, so that a feed which fails before them is none. */
export function begunFeed(inner: Feed, length: number): Promise<BegunFeed> {
  return new HeldFeed(inner, length).begin()
}

class HeldFeed implements Feed, Sink {
  readonly #inner: Feed
  readonly #length: number
  readonly #begun = Promise.withResolvers<BegunFeed>()
  #held: Uint8Array[] = []
  #heldBytes = 0
  #outcome: 'flows' | 'ended' | Error = 'flows'
  #sink: Sink | undefined
  #isPaused = false

  constructor(inner: Feed, length: number) {
    this.#inner = inner
    this.#length = length
  }

  begin(): Promise<BegunFeed> {
    this.#inner.start(this)
    return this.#begun.promise
  }

  start(sink: Sink): void {
    const held = this.#held
    this.#held = []
    this.#sink = sink
    for (const bytes of held) this.#sink?.data(bytes)
    if (this.#outcome !== 'flows') this.#tellOutcome()
    else if (!this.#isPaused) this.#inner.resume()
  }

  pause(): void {
    this.#isPaused = true
    this.#inner.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#inner.resume()
  }

  stop(): void {
    this.#sink = undefined
    this.#held = []
    this.#inner.stop()
  }

  data(bytes: Uint8Array): void {
    if (this.#sink !== undefined) {
      this.#sink.data(bytes)
      return
    }
    this.#held.push(bytes)
    this.#heldBytes += bytes.length
    if (this.#heldBytes < this.#length) return
    this.#resolve()
    if (this.#heldBytes - this.#length > MOST_HELD_BYTES) this.#inner.pause()
  }

  end(): void {
    this.#outcome = 'ended'
    if (this.#sink === undefined) this.#resolve()
    this.#tellOutcome()
  }

  fail(error: Error): void {
    this.#outcome = error
    this.#begun.reject(error)
    this.#tellOutcome()
  }

  #resolve(): void {
    const [first] = this.#held
    const isEnough = first !== undefined && first.length >= this.#length
    const head = (isEnough ? first : new Uint8Array(Buffer.concat(this.#held))).subarray(0, this.#length)
    this.#begun.resolve({ feed: this, head })
  }

  #tellOutcome(): void {
    const sink = this.#sink
    if (sink === undefined) return
    this.#sink = undefined
    if (this.#outcome instanceof Error) sink.fail(this.#outcome)
    else sink.end()
  }
}
