import type { Feed, Sink } from '../../bytes/feed.ts'

/** How a feed goes on that broke off. */
export interface Resumption {
  /** What comes behind so many bytes; undefined where the failure stays. */
  after(received: number, failure: Error): Promise<Feed> | undefined
  /** It is over. */
  release(): void
  /** Its reader left: what is asked for meanwhile is no longer wanted. */
  abort(): void
}

/** A feed that goes on from the byte that it had reached. */
export class ResumedFeed implements Feed, Sink {
  readonly #resumption: Resumption
  #current: Feed
  #sink: Sink | undefined
  #received = 0
  #isPaused = false
  #isOver = false

  constructor(first: Feed, resumption: Resumption) {
    this.#current = first
    this.#resumption = resumption
  }

  start(sink: Sink): void {
    this.#sink = sink
    this.#current.start(this)
  }

  pause(): void {
    this.#isPaused = true
    this.#current.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#current.resume()
  }

  stop(): void {
    if (this.#isOver) return
    this.#close()
    this.#resumption.abort()
    this.#current.stop()
  }

  data(bytes: Uint8Array): void {
    this.#received += bytes.length
    this.#sink?.data(bytes)
  }

  end(): void {
    this.#close()?.end()
  }

  fail(error: Error): void {
    const rest = this.#resumption.after(this.#received, error)
    if (rest === undefined) this.#close()?.fail(error)
    else void this.#goOn(rest)
  }

  async #goOn(rest: Promise<Feed>): Promise<void> {
    try {
      const next = await rest
      if (this.#isOver) return next.stop()
      this.#current = next
      next.start(this)
      if (this.#isPaused) next.pause()
    } catch (error) {
      this.#close()?.fail(error instanceof Error ? error : new DOMException('aborted', 'AbortError'))
    }
  }

  /** After this nothing more is handed on. */
  #close(): Sink | undefined {
    const sink = this.#sink
    this.#sink = undefined
    this.#isOver = true
    this.#resumption.release()
    return sink
  }
}
