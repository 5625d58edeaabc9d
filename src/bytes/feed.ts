/** Takes the bytes of a feed; after `end` or `fail` nothing more comes. */
export interface Sink {
  data(bytes: Uint8Array): void
  end(): void
  fail(error: Error): void
}

/** Bytes under way: the one form they have between an origin and a client. Streams would cost more than all that is done to them. */
export interface Feed {
  /** Lets the bytes flow; called once. */
  start(sink: Sink): void
  /** Asks for a rest: a little more may still come. */
  pause(): void
  resume(): void
  /** Ends it; what feeds it is freed, and the sink hears no more. */
  stop(): void
}

/** Bytes at hand as a feed. */
export function feedOf(bytes: Uint8Array): Feed {
  let sink: Sink | undefined
  return {
    start: (given) => {
      sink = given
      if (bytes.length > 0) sink.data(bytes)
      sink?.end()
    },
    pause: () => undefined,
    resume: () => undefined,
    stop: () => {
      sink = undefined
    },
  }
}

/**
 * Parts that are made one after the other, each when the one before has been taken. It resolves with the first of them made,
 * so that its failure is not one of a body that has begun.
 */
export async function feedOfParts(parts: AsyncGenerator<Uint8Array>): Promise<Feed> {
  return new PartsFeed(await parts.next(), parts)
}

class PartsFeed implements Feed {
  readonly #parts: AsyncGenerator<Uint8Array>
  #first: IteratorResult<Uint8Array> | undefined
  #sink: Sink | undefined
  #isPaused = false
  #isFlowing = false

  constructor(first: IteratorResult<Uint8Array>, parts: AsyncGenerator<Uint8Array>) {
    this.#first = first
    this.#parts = parts
  }

  start(sink: Sink): void {
    this.#sink = sink
    void this.#flow()
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    void this.#flow()
  }

  stop(): void {
    this.#sink = undefined
    // A generator that waits for bytes hears of it when they have come.
    void this.#parts.return(undefined).catch(() => undefined)
  }

  async #flow(): Promise<void> {
    if (this.#isFlowing) return
    this.#isFlowing = true
    try {
      while (!this.#isPaused && this.#sink !== undefined) {
        const { value, done } = this.#first ?? (await this.#parts.next())
        this.#first = undefined
        if (done === true) this.#close()?.end()
        else this.#sink?.data(value)
      }
    } catch (error) {
      this.#close()?.fail(error instanceof Error ? error : new Error(String(error)))
    } finally {
      this.#isFlowing = false
    }
  }

  #close(): Sink | undefined {
    const sink = this.#sink
    this.#sink = undefined
    return sink
  }
}

/** Parts that wait for a slow reader before the feed is asked to rest. */
const WAITING_BYTES = 256 * 1024

/** The parts of a feed, one after the other; leaving the loop stops it. */
export async function* partsOf(feed: Feed): AsyncGenerator<Uint8Array> {
  const waiting = new WaitingParts(feed)
  feed.start(waiting)
  try {
    for (;;) {
      const part = waiting.take() ?? (await waiting.next())
      if (part === undefined) return
      yield part
    }
  } finally {
    if (!waiting.isOver) feed.stop()
  }
}

class WaitingParts implements Sink {
  isOver = false
  readonly #feed: Feed
  readonly #parts: Uint8Array[] = []
  #bytes = 0
  #failure: Error | undefined
  #wake: (() => void) | undefined

  constructor(feed: Feed) {
    this.#feed = feed
  }

  take(): Uint8Array | undefined {
    const part = this.#parts.shift()
    if (part !== undefined && this.#bytes > WAITING_BYTES && this.#bytes - part.length <= WAITING_BYTES)
      this.#feed.resume()
    this.#bytes -= part?.length ?? 0
    return part
  }

  /** Undefined at the end. */
  async next(): Promise<Uint8Array | undefined> {
    if (!this.isOver) await new Promise<void>((resolve) => (this.#wake = resolve))
    const part = this.take()
    if (part === undefined && this.#failure !== undefined) throw this.#failure
    return part
  }

  data(bytes: Uint8Array): void {
    this.#parts.push(bytes)
    this.#bytes += bytes.length
    if (this.#bytes > WAITING_BYTES) this.#feed.pause()
    this.#wake?.()
  }

  end(): void {
    this.isOver = true
    this.#wake?.()
  }

  fail(error: Error): void {
    this.#failure = error
    this.end()
  }
}

/** All bytes of a feed that brings exactly so many. */
export function bytesOfFeed(feed: Feed, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length)
  let at = 0
  return new Promise((resolve, reject) => {
    feed.start({
      data: (part) => {
        if (part.length > length - at) {
          reject(new Error(`a feed of ${length} bytes brought more`))
          feed.stop()
          return
        }
        bytes.set(part, at)
        at += part.length
      },
      end: () => (at === length ? resolve(bytes) : reject(new Error(`a feed of ${length} bytes brought ${at}`))),
      fail: reject,
    })
  })
}

/** All bytes of a body that is held or under way. */
export function bytesOfBody(body: Uint8Array | Feed, length: number): Uint8Array | Promise<Uint8Array> {
  return body instanceof Uint8Array ? body : bytesOfFeed(body, length)
}

/** What is left of a body behind the part that is wanted, and still worth reading to keep its connection. */
const LEFT_OVER_BYTES = 16 * 1024

/** A part of a feed of known length. */
export function partOfFeed(inner: Feed, total: number, offset: number, length: number): Feed {
  if (offset === 0 && length === total) return inner
  return steering(inner, (sink) => {
    let at = -offset
    let isOver = false
    inner.start({
      data: (bytes) => {
        const from = Math.max(-at, 0)
        const to = Math.min(length - at, bytes.length)
        at += bytes.length
        if (to > from) sink.data(bytes.subarray(from, to))
        if (at < length || isOver) return
        isOver = true
        if (total - offset - at > LEFT_OVER_BYTES) inner.stop()
        sink.end()
      },
      end: () => {
        if (!isOver) sink.end()
      },
      fail: (error) => {
        if (!isOver) sink.fail(error)
      },
    })
  })
}

/** A feed with something sent before and after it. */
export function framedFeed(inner: Feed, first: Uint8Array, last: Uint8Array): Feed {
  if (first.length === 0 && last.length === 0) return inner
  return steering(inner, (sink) => {
    if (first.length > 0) sink.data(first)
    inner.start({
      data: (bytes) => sink.data(bytes),
      end: () => {
        if (last.length > 0) sink.data(last)
        sink.end()
      },
      fail: (error) => sink.fail(error),
    })
  })
}

/** A feed made of another one, which is what flows and rests. */
function steering(inner: Feed, start: Feed['start']): Feed {
  return { start, pause: () => inner.pause(), resume: () => inner.resume(), stop: () => inner.stop() }
}
