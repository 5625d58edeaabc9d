import type { Feed, Sink } from '../../bytes/feed.ts'
import { unfilled } from '../../bytes/unfilled.ts'
import { VirtualZarrError } from '../../errors.ts'
import type { Deadlines, SourceSettings } from '../settings.ts'
import { lengthOf } from './answer.ts'
import type { HttpAnswer } from './exchange.ts'
import { lasting, tooSlow, unavailable } from './failures.ts'

/** An answer's body as a feed, timed, and of exactly that length where one is known. */
export function bodyOf(
  settings: SourceSettings,
  { body, url }: HttpAnswer,
  length: number | undefined,
  signal: AbortSignal | undefined,
): Feed {
  return new ExactBody(body, { url: url.href, length, pace: settings.deadlines, signal })
}

/** An announced length that is worth one allocation before any byte of it came. */
const TRUSTED_BYTES = 16 * 1024 * 1024

/** The bytes of an answer's body of known length. */
export function bytesOf(
  settings: SourceSettings,
  answer: HttpAnswer,
  length: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  // What comes in one piece is not copied; more pieces go to one allocation, where the length is credible.
  const parts: Uint8Array[] = []
  let bytes: Uint8Array | undefined
  let at = 0
  return new Promise((resolve, reject) => {
    bodyOf(settings, answer, length, signal).start({
      data: (part) => {
        if (part.length < length && length <= TRUSTED_BYTES) bytes ??= unfilled(length)
        if (bytes === undefined) parts.push(part)
        else bytes.set(part, at)
        at += part.length
      },
      end: () => resolve(bytes ?? joined(parts, length)),
      fail: reject,
    })
  })
}

/** The bytes of an answer's body of unknown length; undefined when it is longer than `limit`. */
export function bytesUpTo(
  settings: SourceSettings,
  answer: HttpAnswer,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  let length = 0
  return new Promise((resolve, reject) => {
    const body = bodyOf(settings, answer, undefined, signal)
    body.start({
      data: (part) => {
        parts.push(part)
        length += part.length
        if (length <= limit) return
        resolve(undefined)
        body.stop()
      },
      end: () => resolve(joined(parts, length)),
      fail: reject,
    })
  })
}

/** The bytes of a body that is read whole, up to the limit for those. */
export async function wholeBytesOf(
  settings: SourceSettings,
  answer: HttpAnswer,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const limit = settings.maxWholeBytes
  const length = lengthOf(answer)
  if (length !== undefined && length <= limit) return await bytesOf(settings, answer, length, signal)
  const bytes = length === undefined ? await bytesUpTo(settings, answer, limit, signal) : undefined
  if (bytes !== undefined) return bytes
  answer.body.stop()
  const message = `the origin does not answer ranges, and the file is larger than ${limit} bytes (VZ_MAX_WHOLE_BYTES)`
  throw lasting(message, answer.url.href)
}

/** What a body must keep to. */
interface BodyTerms {
  readonly url: string
  /** Exactly so many bytes; undefined: as many as come. */
  readonly length: number | undefined
  readonly pace: Pick<Deadlines, 'bodyWindowMs' | 'minBytesPerSecond'>
  /** Why it was ended, when a caller ended it. */
  readonly signal: AbortSignal | undefined
}

/** How often the pace of a body is looked at within its window: so soon is noticed that it stands still. */
const TICKS = 10

/** Hands a body on as long as it keeps its terms; it ends only when exactly the promised bytes came, each in time, and fails else. */
class ExactBody implements Feed, Sink {
  readonly #body: Feed
  readonly #terms: BodyTerms
  #sink: Sink | undefined
  #received = 0
  #clock: NodeJS.Timeout | undefined
  #isPaused = false
  /** What had come at the last ticks of the clock at which the reader was ready for more. */
  #ticks: number[] = []

  constructor(body: Feed, terms: BodyTerms) {
    this.#body = body
    this.#terms = terms
  }

  start(sink: Sink): void {
    this.#sink = sink
    // It may have been paused while nobody read it.
    this.#isPaused = false
    this.#body.start(this)
    // What has come already needs no clock.
    const { bodyWindowMs } = this.#terms.pace
    if (this.#sink !== undefined) this.#clock = setInterval(() => this.#checkPace(), bodyWindowMs / TICKS)
  }

  pause(): void {
    this.#isPaused = true
    this.#ticks.length = 0
    this.#body.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#body.resume()
  }

  stop(): void {
    this.#close()
    this.#body.stop()
  }

  data(bytes: Uint8Array): void {
    this.#received += bytes.length
    const { length, url } = this.#terms
    if (length !== undefined && this.#received > length) this.#fail(unavailable(`more than ${length} bytes came`, url))
    else this.#sink?.data(bytes)
  }

  end(cause?: unknown): void {
    const { length, url } = this.#terms
    const isWhole = length === undefined ? cause === undefined : this.#received === length
    if (isWhole) this.#close()?.end()
    else this.#fail(unavailable(`the body ended after ${this.#received} of ${length ?? '?'} bytes`, url, cause))
  }

  fail(error: Error): void {
    if (this.#terms.signal?.aborted === true || error instanceof VirtualZarrError) this.#fail(error)
    else this.end(error)
  }

  #fail(error: Error): void {
    const sink = this.#close()
    this.#body.stop()
    sink?.fail(error)
  }

  /** After this nothing more is handed on. */
  #close(): Sink | undefined {
    const sink = this.#sink
    this.#sink = undefined
    clearInterval(this.#clock)
    return sink
  }

  /** Fails a body that brought too little in a window in which its reader was always ready for more. */
  #checkPace(): void {
    if (this.#isPaused) return
    const { url, pace } = this.#terms
    this.#ticks.push(this.#received)
    if (this.#ticks.length <= TICKS) return
    const came = this.#received - (this.#ticks.shift() ?? 0)
    const least = (pace.minBytesPerSecond * pace.bodyWindowMs) / 1000
    if (came < least) this.#fail(tooSlow(`only ${came} bytes came in ${pace.bodyWindowMs} ms`, url))
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = parts
  // A plain view: callers compare and hand on bytes, not Node's buffers.
  if (only?.length === length) return new Uint8Array(only.buffer, only.byteOffset, length)
  const bytes = unfilled(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
