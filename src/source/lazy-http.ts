import type { Readable } from 'node:stream'
import type { ByteRange } from '../bytes/byte-range.ts'
import { parseContentRange, rangeHeader } from './content-range.ts'
import { type HttpAnswer, headerOf } from './exchange.ts'
import { lasting } from './failures.ts'
import { feedOf, streamOfFeed } from './feed.ts'
import { checkRange } from './http-checks.ts'
import { HttpSource } from './http-source.ts'
import { versionOf } from './http-version.ts'
import { bodyOf, bytesOf, checked } from './http-world.ts'
import { checkOpening, type OpenHttpWorld, openHttpSource } from './open-http.ts'
import { checkReadable } from './range-check.ts'
import type { Feed, ReadOptions, Source } from './source.ts'

/** What the first request brought: the source, and the answer whose body is the range that was asked for. */
interface Opening {
  readonly source: HttpSource
  readonly answer: HttpAnswer | undefined
}

/**
 * A file that a document named, opened by the first range that is read of it: that one request brings size, version and the
 * bytes. A range outside the file is the document's lie, and no reason to call the file malformed.
 */
export class LazyHttpSource implements Source {
  readonly url: string
  readonly #url: URL
  readonly #world: OpenHttpWorld
  #opened: HttpSource | undefined
  #opening: Promise<Opening> | undefined

  constructor(url: URL, world: OpenHttpWorld) {
    this.url = url.href
    this.#url = url
    this.#world = world
  }

  get size(): number {
    return this.#opened?.size ?? Number.POSITIVE_INFINITY
  }

  get validator(): string | undefined {
    return this.#opened?.validator
  }

  async read(range: ByteRange, { signal }: ReadOptions = {}): Promise<Uint8Array> {
    checkReadable(range, this)
    if (range.length === 0) return new Uint8Array(0)
    const { source, answer } = await this.#openFor(range, signal)
    if (answer === undefined) return source.read(range, { signal })
    return bytesOf(this.#world, answer, range.length, signal)
  }

  async stream(range: ByteRange, options: ReadOptions = {}): Promise<Readable> {
    return streamOfFeed(await this.feed(range, options))
  }

  async feed(range: ByteRange, { signal }: ReadOptions = {}): Promise<Feed> {
    if (range.length === 0) return feedOf(new Uint8Array(0))
    const { source, answer } = await this.#openFor(range, signal)
    if (answer === undefined) return source.feed(range, { signal })
    return bodyOf(this.#world, answer, range.length, signal)
  }

  /** The opened source; only who opened it gets the answer along. */
  async #openFor(range: ByteRange, signal: AbortSignal | undefined): Promise<Opening> {
    // Another reader's failure is that reader's: who waited for it asks itself.
    while (this.#opened === undefined && this.#opening !== undefined) await this.#opening.catch(ignore)
    signal?.throwIfAborted()
    if (this.#opened !== undefined) {
      assertInside(range, this.#opened)
      return { source: this.#opened, answer: undefined }
    }
    const opening = openAt(this.#url, range, this.#world, signal)
    this.#opening = opening
    try {
      const opened = await opening
      this.#opened = opened.source
      return opened
    } finally {
      if (this.#opening === opening) this.#opening = undefined
    }
  }
}

function ignore(): void {}

async function openAt(
  url: URL,
  range: ByteRange,
  world: OpenHttpWorld,
  signal: AbortSignal | undefined,
): Promise<Opening> {
  const answer = await world.exchange({ url, method: 'GET', headers: { range: rangeHeader(range) }, signal })
  const total = checked(answer, () => {
    checkOpening(url, answer)
    return parseContentRange(headerOf(answer, 'content-range'))?.total
  })
  if (total !== undefined) checked(answer, () => assertInside(range, { url: url.href, size: total }))
  const version = versionOf(answer, total ?? 0, new Uint8Array(0))
  // Without ranges, without a size, or without a validator the usual way of opening knows what to do.
  if (total === undefined || answer.status === 416 || version.headHash !== undefined) {
    answer.discard()
    const source = await openHttpSource(url, world, signal)
    assertInside(range, source)
    return { source, answer: undefined }
  }
  checked(answer, () => checkRange(answer, range))
  const source = new HttpSource({ url, world, version, head: undefined, location: answer.url, isWhole: false })
  return { source, answer }
}

/** Throws for a range that the file does not have; asking again is of no use. */
export function assertInside({ offset, length }: ByteRange, { url, size }: { url: string; size: number }): void {
  if (offset <= size && length <= size - offset) return
  throw lasting(`a reference names bytes ${offset}+${length} of a file of ${size} bytes`, url)
}
