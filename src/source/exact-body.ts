import { Readable } from 'node:stream'
import { VirtualZarrError } from '../errors.ts'
import { tooSlow, unavailable } from './failures.ts'
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

/** A body as a stream that ends only when exactly the promised bytes came, each in time; else it fails. */
export function exactBody(body: Readable, terms: BodyTerms): Readable {
  const { url, length } = terms
  let received = 0
  const stream = new Readable({
    read: () => void body.resume(),
    destroy: (error, done) => {
      stopClock()
      body.destroy()
      done(error)
    },
  })
  const stopClock = watchPace(
    body,
    terms,
    () => received,
    (error) => stream.destroy(error),
  )
  body.on('data', (bytes: Buffer) => {
    received += bytes.length
    if (length !== undefined && received > length) {
      stream.destroy(unavailable(`more than ${length} bytes came, expected no more`, url))
    } else if (!stream.push(bytes)) {
      body.pause()
    }
  })
  const end = (cause?: unknown) => {
    if (length !== undefined && received !== length) {
      stream.destroy(unavailable(`the body ended after ${received} bytes, expected ${length}`, url, cause))
    } else if (length === undefined && cause !== undefined) {
      stream.destroy(unavailable(`the body broke off after ${received} bytes`, url, cause))
    } else {
      stopClock()
      stream.push(null)
    }
  }
  body.on('end', () => end())
  body.on('error', (error) => {
    if (terms.signal?.aborted === true) stream.destroy(reasonOf(terms.signal))
    else if (error instanceof VirtualZarrError) stream.destroy(error)
    else end(error)
  })
  return stream
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new DOMException('aborted', 'AbortError')
}

/** Fails a body that brought too little in a window in which its reader was always ready for more. */
function watchPace(body: Readable, terms: BodyTerms, received: () => number, fail: (error: Error) => void): () => void {
  const { bodyWindowMs, minBytesPerSecond } = terms.pace
  const least = (minBytesPerSecond * bodyWindowMs) / 1000
  let before = 0
  let hasPaused = false
  body.on('pause', () => {
    hasPaused = true
  })
  const clock = setInterval(() => {
    const came = received() - before
    if (!hasPaused && came < least) {
      fail(tooSlow(`only ${came} bytes came in ${bodyWindowMs} ms`, terms.url))
    }
    before = received()
    hasPaused = body.isPaused()
  }, bodyWindowMs)
  return () => clearInterval(clock)
}

/** Bytes whose announced length is worth one allocation before any of them came. */
const TRUSTED_BYTES = 16 * 1024 * 1024

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

/** Reads a stream of known length. */
export async function collectExact(stream: Readable, length: number): Promise<Uint8Array> {
  if (length > TRUSTED_BYTES) return (await collect(stream, length)) ?? new Uint8Array(0)
  const bytes = new Uint8Array(length)
  let at = 0
  for await (const part of stream as AsyncIterable<Uint8Array>) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return new Uint8Array(only.buffer, only.byteOffset, only.byteLength)
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
