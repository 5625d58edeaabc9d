import type { Sink } from '../../bytes/feed.ts'
import type { BodyWatcher, HostTally, HttpAnswer, HttpBody, Outcome } from './exchange.ts'
import { tooSlow } from './failures.ts'

/** What may be told to the connection that an answer comes from. */
export interface Connection {
  pause(): void
  resume(): void
  abort(reason: Error): void
}

/** The request's side of an answer. */
export interface Asked {
  readonly url: URL
  readonly signal: AbortSignal | undefined
  /** How long its head may take, once it was sent: undici's own clock would be up to a second late. */
  readonly headersMs: number
  readonly tally?: HostTally | undefined
  readonly resolve: (answer: HttpAnswer) => void
  /** Only before the head came; later the body fails. */
  readonly reject: (error: unknown) => void
}

/** Bytes kept of a body that nobody reads yet, before its connection is paused. */
const HELD_BYTES = 64 * 1024

/** What is left of an unwanted body and still worth reading to keep its connection, and for how long. */
const DISCARD_BYTES = 16 * 1024
const DISCARD_MS = 1_000

const NOBODY: Sink = { data: () => undefined, end: () => undefined, fail: () => undefined }

/**
 * An answer on its way, as the handler that undici feeds, and its own body: a stream in between would cost a chunk request
 * more than anything else that is done for it.
 */
export class Incoming implements HttpAnswer, HttpBody {
  status = 0
  headers: HttpAnswer['headers'] = {}
  readonly url: URL
  /** It is its own body. */
  readonly body: HttpBody = this
  readonly #asked: Asked
  readonly #begun = performance.now()
  #signal: AbortSignal | undefined
  #connection: Connection | undefined
  #sink: Sink | undefined
  #held: Uint8Array[] = []
  #heldBytes = 0
  #isPaused = false
  #isClosed = false
  #failure: Error | undefined
  #clock: NodeJS.Timeout | undefined
  #watcher: BodyWatcher | undefined

  constructor(asked: Asked) {
    this.url = asked.url
    this.#asked = asked
    this.follow(asked.signal)
  }

  discard(): void {
    const length = Number(this.headers['content-length'] ?? Number.POSITIVE_INFINITY)
    if (length > DISCARD_BYTES) this.stop()
    else this.start(NOBODY)
    if (!this.#isClosed) setTimeout(() => this.stop(), DISCARD_MS).unref()
  }

  // The body.

  start(sink: Sink): void {
    const held = this.#held
    this.#held = []
    this.#sink = sink
    if (this.#isPaused) this.#watcher?.onResume()
    this.#isPaused = false
    for (const bytes of held) this.#sink?.data(bytes)
    if (this.#isClosed) this.#tellEnd()
    else if (!this.#isPaused) this.#connection?.resume()
  }

  pause(): void {
    this.#isPaused = true
    // The connection of a body that is over may already bring another one.
    if (this.#isClosed) return
    this.#connection?.pause()
    this.#watcher?.onPause()
  }

  resume(): void {
    if (this.#isClosed || !this.#isPaused) return
    this.#isPaused = false
    this.#watcher?.onResume()
    this.#connection?.resume()
  }

  stop(): void {
    this.#sink = undefined
    this.#held = []
    if (!this.#isClosed) this.#end(new Error('nobody wants the rest'))
  }

  follow(signal: AbortSignal | undefined): void {
    this.#signal?.removeEventListener('abort', this)
    this.#signal = signal
    signal?.addEventListener('abort', this, { once: true })
  }

  watch(watcher: BodyWatcher): void {
    if (this.#isClosed) watcher.onClose()
    else this.#watcher = watcher
  }

  // What the signal tells.

  handleEvent(): void {
    const { reason } = this.#signal ?? {}
    this.#end(reason instanceof Error ? reason : new DOMException('aborted', 'AbortError'))
  }

  // What undici tells.

  onRequestStart(connection: Connection): void {
    this.#connection = connection
    if (this.#failure !== undefined) {
      connection.abort(this.#failure)
      return
    }
    // undici may send a request twice, where a kept connection was closed under it.
    clearTimeout(this.#clock)
    const silent = () => this.#end(tooSlow('no answer of the origin in time', this.url.href))
    this.#clock = setTimeout(silent, this.#asked.headersMs)
  }

  onResponseStart(_connection: Connection, status: number, headers: HttpAnswer['headers']): void {
    // RFC 9110, section 15.2: interim answers come before the one that counts.
    if (status < 200) return
    clearTimeout(this.#clock)
    this.#count(this.#asked.tally?.answered[Math.trunc(status / 100)])
    this.status = status
    this.headers = headers
    this.#asked.resolve(this)
  }

  onResponseData(_connection: Connection, bytes: Uint8Array): void {
    // undici tells of nothing each time it goes on: who paused on that would never get further.
    if (bytes.length === 0) return
    if (this.#sink !== undefined) {
      this.#sink.data(bytes)
      return
    }
    if (this.#isClosed) return
    this.#held.push(bytes)
    this.#heldBytes += bytes.length
    if (this.#heldBytes >= HELD_BYTES) this.pause()
  }

  onResponseEnd(): void {
    this.#end(undefined)
  }

  onResponseError(_connection: Connection, error: Error): void {
    this.#end(error)
  }

  #end(failure: Error | undefined): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#clock)
    this.#failure = failure
    this.follow(undefined)
    if (failure !== undefined) {
      this.#connection?.abort(failure)
      if (this.status === 0) {
        const { tally, signal, reject } = this.#asked
        this.#count(signal?.aborted === true ? tally?.givenUp : tally?.failed)
        reject(failure)
      }
    }
    this.#tellEnd()
    this.#watcher?.onClose()
  }

  #count(outcome: Outcome | undefined): void {
    if (outcome === undefined) return
    outcome.count++
    outcome.seconds += (performance.now() - this.#begun) / 1000
  }

  #tellEnd(): void {
    const sink = this.#sink
    this.#sink = undefined
    if (this.#failure === undefined) sink?.end()
    else sink?.fail(this.#failure)
  }
}
