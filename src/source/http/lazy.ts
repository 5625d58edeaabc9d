import type { ByteRange } from '../../bytes/byte-range.ts'
import { type Feed, feedOf } from '../../bytes/feed.ts'
import type { ReadOptions, SourceCondition } from '../source.ts'
import { checkReadable, isInside } from '../source.ts'
import { checkCondition, checked, checkRange, contentRangeOf, rangeHeader, versionOf } from './answer.ts'
import { lasting } from './failures.ts'
import { HttpSource } from './http-source.ts'
import { checkOpening, type HttpWorld, openHttpSource } from './open.ts'
import type { ResumableSource } from './retry.ts'

/**
 * A file that a document named, opened by the first range that is read of it: that one request brings size, version and the
 * bytes. A range outside the file is the document's lie, and no reason to call the file malformed.
 */
export class LazyHttpSource implements ResumableSource {
  readonly url: string
  readonly #url: URL
  readonly #world: HttpWorld
  readonly #condition: SourceCondition
  #opened: HttpSource | undefined
  #opening: Promise<HttpSource> | undefined

  constructor(url: URL, world: HttpWorld, condition: SourceCondition = {}) {
    this.url = url.href
    this.#url = url
    this.#world = world
    this.#condition = condition
  }

  get size(): number {
    return this.#opened?.size ?? Number.POSITIVE_INFINITY
  }

  get validator(): string | undefined {
    return this.#opened?.validator
  }

  get condition(): SourceCondition | undefined {
    return this.#opened?.condition
  }

  get isWeak(): boolean {
    return this.#opened?.isWeak ?? true
  }

  get modified(): number | undefined {
    return this.#opened?.modified
  }

  /** Nothing is known before it is opened. */
  get isGuessed(): boolean {
    return this.#opened?.isGuessed ?? true
  }

  read(range: ByteRange, options: ReadOptions = {}): Promise<Uint8Array> {
    const opened = this.#opened
    // No async function where all is known.
    if (opened !== undefined && isInside(range, opened)) return opened.read(range, options)
    return this.#readFirst(range, options)
  }

  async #readFirst(range: ByteRange, options: ReadOptions): Promise<Uint8Array> {
    checkReadable(range, this)
    if (range.length === 0) return new Uint8Array(0)
    return await (this.#openedFor(range) ?? (await this.#openFor(range, options.signal))).read(range, options)
  }

  async feed(range: ByteRange, options: ReadOptions = {}): Promise<Feed> {
    if (range.length === 0) return feedOf(new Uint8Array(0))
    return await (this.#openedFor(range) ?? (await this.#openFor(range, options.signal))).feed(range, options)
  }

  async foresee(range: ByteRange): Promise<void> {
    if (this.#opened !== undefined) assertInside(range, this.#opened)
  }

  get canResume(): boolean {
    return this.#opened?.canResume === true
  }

  settle(): void {
    this.#opened?.settle()
  }

  #openedFor(range: ByteRange): HttpSource | undefined {
    if (this.#opened !== undefined) assertInside(range, this.#opened)
    return this.#opened
  }

  /** The opened source: who opened it finds its answer there. */
  async #openFor(range: ByteRange, signal: AbortSignal | undefined): Promise<HttpSource> {
    // Another reader's failure is that reader's: who waited for it asks itself.
    while (this.#opened === undefined && this.#opening !== undefined) await this.#opening.catch(ignore)
    signal?.throwIfAborted()
    const opened = this.#openedFor(range)
    if (opened !== undefined) return opened
    const opening = openAt(this.#url, range, this.#world, this.#condition, signal)
    this.#opening = opening
    try {
      this.#opened = await opening
      return this.#opened
    } finally {
      if (this.#opening === opening) this.#opening = undefined
    }
  }
}

function ignore(): void {}

async function openAt(
  url: URL,
  range: ByteRange,
  world: HttpWorld,
  condition: SourceCondition,
  signal: AbortSignal | undefined,
): Promise<HttpSource> {
  const answer = await world.exchange({ url, method: 'GET', headers: { range: rangeHeader(range) }, signal })
  const total = checked(answer, () => {
    checkOpening(url, answer)
    checkCondition(answer, condition)
    return contentRangeOf(answer)?.total
  })
  if (total !== undefined) checked(answer, () => assertInside(range, { url: url.href, size: total }))
  const version = versionOf(answer, total ?? 0, new Uint8Array(0))
  // Without ranges, without a size, or without a validator the usual way of opening knows what to do.
  if (total === undefined || answer.status === 416 || version.headHash !== undefined) {
    answer.discard()
    const source = await openHttpSource(url, world, { signal, condition })
    assertInside(range, source)
    return source
  }
  checked(answer, () => checkRange(answer, range))
  const first = { range, answer }
  return new HttpSource({ url, world, version, head: undefined, location: answer.url, isWhole: false, first })
}

/** Throws for a range that the file does not have; asking again is of no use. */
export function assertInside(range: ByteRange, { url, size }: { url: string; size: number }): void {
  if (isInside(range, { size })) return
  throw lasting(`a reference names bytes ${range.offset}+${range.length} of a file of ${size} bytes`, url)
}
