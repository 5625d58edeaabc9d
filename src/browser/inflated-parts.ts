import { Decompress } from 'fzstd'
import { Inflate } from 'pako'
import type { Feed } from '../bytes/feed.ts'
import type { FileCoding } from '../source/inflated-parts.ts'

export type { FileCoding }

/** The content is damaged, in the words of whoever found it. */
class Damaged extends Error {}

/** So many compressed bytes are inflated before what they gave is handed on: some megabytes at most. */
const PIECE_BYTES = 8192

/** The inflated bytes of a feed as they come; leaving the loop ends the request. */
export async function* inflatedParts(compressed: Feed, coding: FileCoding): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = []
  const inflater = coding === 'gzip' ? new Gunzip(made) : new Unzstd(made)
  for await (const bytes of partsOf(compressed)) {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      inflater.push(bytes.subarray(at, at + PIECE_BYTES))
      yield* made.splice(0)
    }
  }
  inflater.end()
  yield* made
}

/** Whether it is the content that is damaged. */
export function isZlibError(error: unknown): error is Error {
  return error instanceof Damaged
}

async function* partsOf(feed: Feed): AsyncGenerator<Uint8Array> {
  const came: Uint8Array[] = []
  let failure: Error | undefined
  let isOver = false
  let wake = () => {}
  feed.start({
    data: (bytes) => {
      came.push(bytes)
      feed.pause()
      wake()
    },
    end: () => {
      isOver = true
      wake()
    },
    fail: (error) => {
      failure = error
      wake()
    },
  })
  try {
    for (;;) {
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      yield* came.splice(0)
      if (failure !== undefined) throw failure
      if (isOver && came.length === 0) return
      feed.resume()
      if (came.length === 0 && !isOver) await promise
    }
  } finally {
    feed.stop()
  }
}

/** RFC 1952: members, one after the other. */
class Gunzip {
  readonly #made: Uint8Array[]
  #member: Inflate

  constructor(made: Uint8Array[]) {
    this.#made = made
    this.#member = this.#begin()
  }

  push(bytes: Uint8Array): void {
    // A member that ended where the bytes before did: what follows is the next one, or nothing that counts.
    if (this.#member.ended) {
      if (bytes[0] !== 0x1f) return
      this.#member = this.#begin()
    }
    this.#member.push(bytes)
    if (this.#member.err < 0) throw new Damaged(this.#member.msg || 'damaged data')
  }

  end(): void {
    if (!this.#member.ended) throw new Damaged('unexpected end of file')
  }

  #begin(): Inflate {
    const member = new Inflate()
    member.onData = (part) => void this.#made.push(part)
    member.onEnd = () => undefined
    return member
  }
}

class Unzstd {
  readonly #frames: Decompress

  constructor(made: Uint8Array[]) {
    this.#frames = new Decompress((part) => void made.push(part.slice()))
  }

  push(bytes: Uint8Array, isLast = false): void {
    try {
      this.#frames.push(bytes, isLast)
    } catch (cause) {
      throw new Damaged(cause instanceof Error ? cause.message : String(cause), { cause })
    }
  }

  end(): void {
    this.push(new Uint8Array(0), true)
  }
}
