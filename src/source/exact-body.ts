import type { Readable } from 'node:stream'
import { VirtualZarrError } from '../errors.ts'
import { tooSlow, unavailable } from './failures.ts'
import type { Feed, Sink } from './feed.ts'
import type { Deadlines } from './settings.ts'

/** What a body must keep to. */
export interface BodyTerms {
  readonly url: string
  /** Exactly so many bytes; undefined: as many as come. */
  readonly length: number | undefined
  readonly pace: Pick<Deadlines, 'bodyWindowMs' | 'minBytesPerSecond'>
  /** Why it was ended, when a caller ended it. */
  readonly signal?: AbortSignal | undefined
}

/** A body as a feed that ends only when exactly the promised bytes came, each in time; else it fails. */
export function exactBody(body: Readable, terms: BodyTerms): Feed {
  let stopClock: () => void = () => undefined
  return {
    start: (sink) => {
      stopClock = watch(body, terms, sink)
      body.resume()
    },
    pause: () => void body.pause(),
    resume: () => void body.resume(),
    stop: () => {
      stopClock()
      body.destroy()
    },
  }
}

/** Bytes whose announced length is worth one allocation before any of them came. */
const TRUSTED_BYTES = 16 * 1024 * 1024

/** The bytes of a body, under the same terms; undefined when it brings more than `limit`. */
export function exactBytes(body: Readable, terms: BodyTerms, limit: number): Promise<Uint8Array | undefined> {
  const { length } = terms
  // What comes in one piece is not copied; more pieces go to one allocation, where the announced length is credible.
  const isTrusted = length !== undefined && length <= TRUSTED_BYTES
  const parts: Uint8Array[] = []
  let bytes: Uint8Array | undefined
  let at = 0
  return new Promise((resolve, reject) => {
    watch(body, terms, {
      data: (part) => {
        if (isTrusted && part.length < length) bytes ??= unfilled(length)
        if (bytes === undefined) parts.push(part)
        else bytes.set(part, at)
        at += part.length
        if (at <= limit) return
        resolve(undefined)
        body.destroy()
      },
      end: () => resolve(bytes ?? joined(parts, at)),
      fail: reject,
    })
  })
}

/** Reads a stream to its end; undefined when it holds more than `limit`. */
export async function collect(stream: Readable, limit: number): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of stream as AsyncIterable<Uint8Array>) {
    length += part.length
    if (length > limit) return undefined // leaving the loop destroys the stream
    parts.push(part)
  }
  return joined(parts, length)
}

/** Hands a body on as long as it keeps its terms; returns what stops the clock. */
function watch(body: Readable, terms: BodyTerms, sink: Sink): () => void {
  const { url, length } = terms
  let received = 0
  let isOver = false
  const fail = (error: Error) => {
    stop()
    body.destroy()
    if (!isOver) sink.fail(error)
    isOver = true
  }
  const end = (cause?: unknown) => {
    const isWhole = length === undefined ? cause === undefined : received === length
    if (!isWhole) return fail(unavailable(`the body ended after ${received} of ${length ?? '?'} bytes`, url, cause))
    stop()
    if (!isOver) sink.end()
    isOver = true
  }
  const stop = watchPace(body, terms, () => received, fail)
  body.on('data', (bytes: Uint8Array) => {
    received += bytes.length
    if (length !== undefined && received > length) fail(unavailable(`more than ${length} bytes came`, url))
    else if (!isOver) sink.data(bytes)
  })
  body.on('end', () => end())
  const breakOff = (error: Error) => {
    if (terms.signal?.aborted === true) fail(reasonOf(terms.signal))
    else if (error instanceof VirtualZarrError) fail(error)
    else end(error)
  }
  body.on('error', breakOff)
  // A body may be closed without a word, by whoever closes the pools.
  body.on('close', () => isOver || breakOff(new Error('closed before its end')))
  return stop
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new DOMException('aborted', 'AbortError')
}

/** Fails a body that brought too little in a window in which its reader was always ready for more. */
function watchPace(
  body: Readable,
  { url, pace }: BodyTerms,
  received: () => number,
  fail: (error: Error) => void,
): () => void {
  const least = (pace.minBytesPerSecond * pace.bodyWindowMs) / 1000
  let before = 0
  let hasPaused = false
  body.on('pause', () => {
    hasPaused = true
  })
  const clock = setInterval(() => {
    const came = received() - before
    if (!hasPaused && came < least) fail(tooSlow(`only ${came} bytes came in ${pace.bodyWindowMs} ms`, url))
    before = received()
    hasPaused = body.isPaused()
  }, pace.bodyWindowMs)
  return () => clearInterval(clock)
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

/** Memory that is about to be written over completely. */
function unfilled(length: number): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer)
}
