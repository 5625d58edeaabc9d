import type { ByteRange } from '../../bytes/byte-range.ts'
import { bytesOfFeed, type Feed, feedOf, partOfFeed } from '../../bytes/feed.ts'
import { isVirtualZarrError } from '../../errors.ts'
import type { ReadOptions, SourceCondition } from '../source.ts'
import { checkInside, checkReadable, isInside, MOST_READ_BYTES } from '../source.ts'
import {
  checkContent,
  checked,
  checkRange,
  checkVersion,
  compareVersion,
  conditionOf,
  contentRangeOf,
  type HttpVersion,
  hashOf,
  isAbsent,
  lengthOf,
  modifiedOf,
  type RangeAnswer,
  rangeHeader,
  validatorOf,
} from './answer.ts'
import { bodyOf, bytesOf } from './body.ts'
import type { HttpAnswer } from './exchange.ts'
import { changed } from './failures.ts'
import type { HttpWorld } from './open.ts'
import type { ResumableSource } from './retry.ts'

/** How long the head that opening brought may answer reads, unless `settle` ends it earlier. */
const HEAD_MS = 10_000

/** How an address refuses to which a redirect led that leads elsewhere by now. */
const MOVED = [401, 403, 404, 410]

/** An answer under way. */
export interface FirstAnswer {
  readonly range: ByteRange
  readonly answer: HttpAnswer
  /** Its body, where it has begun already. */
  readonly begun?: Feed | undefined
}

export interface HttpSourceParts {
  readonly url: URL
  readonly world: HttpWorld
  readonly version: HttpVersion
  readonly head: Uint8Array | undefined
  /** Where the redirects led. */
  readonly location: URL
  readonly isWhole: boolean
  /** The answer that told the version, with a range of the file under way. */
  readonly first?: FirstAnswer | undefined
  /** Length of the head that the version has a hash of, where that is not at hand. */
  readonly anchor?: number | undefined
}

/** What is known of a source besides where it is. */
export type ToldHttp = Pick<HttpSourceParts, 'version' | 'isWhole' | 'anchor'>

/** A source of which the version is known, from its first URL on; nothing was asked. */
export function knownHttp(url: URL, world: HttpWorld, told: ToldHttp): HttpSource {
  return new HttpSource({ ...told, url, world, head: undefined, location: url })
}

/** One version of a file behind HTTP: every answer is compared with it before its bytes count. */
export class HttpSource implements ResumableSource {
  readonly url: string
  readonly size: number
  readonly validator: string
  readonly isGuessed: boolean
  readonly #url: URL
  readonly #world: HttpSourceParts['world']
  readonly #version: HttpVersion
  /** Length of the head that is compared around each read, where an origin gives neither a strong tag nor a date. */
  readonly #anchor: number | undefined
  #head: Uint8Array | undefined
  #location: URL | undefined
  #isWhole: boolean
  #sendsIfMatch: boolean
  #first: HttpSourceParts['first']

  constructor(parts: HttpSourceParts) {
    this.url = parts.url.href
    this.size = parts.version.size
    this.validator = validatorOf(parts.version)
    this.isGuessed = parts.version.headHash !== undefined
    this.#url = parts.url
    this.#world = parts.world
    this.#version = parts.version
    this.#head = parts.head
    this.#location = parts.location
    this.#isWhole = parts.isWhole
    this.#first = parts.first
    this.#sendsIfMatch = parts.version.etag !== undefined
    const needsAnchor = parts.version.headHash !== undefined && !parts.isWhole
    this.#anchor = needsAnchor
      ? Math.min(parts.head?.length ?? parts.anchor ?? 0, parts.world.settings.headBytes)
      : undefined
    if (parts.head !== undefined) setTimeout(() => this.settle(), HEAD_MS).unref()
  }

  /** Undefined where the same validator may come to name other bytes. */
  get told(): ToldHttp | undefined {
    if (!this.#version.isStrong) return undefined
    return { version: this.#version, isWhole: this.#isWhole, anchor: this.#anchor }
  }

  settle(): void {
    this.#head = undefined
    if (this.#first?.begun === undefined) this.#first?.answer.discard()
    else this.#first.begun.stop()
    this.#first = undefined
  }

  read(range: ByteRange, { signal }: ReadOptions = {}): Promise<Uint8Array> {
    const isPlain = range.length > 0 && range.length <= MOST_READ_BYTES && isInside(range, this)
    if (!isPlain || this.#isWhole || (this.#anchor ?? this.#first ?? this.#head) !== undefined)
      return this.#readCarefully(range, signal)
    // No async function for the reads of most chunks, as in `#ask`.
    return this.#ask(range, signal).then((answer) =>
      answer === undefined ? this.read(range, { signal }) : bytesOf(this.#world.settings, answer, range.length, signal),
    )
  }

  async #readCarefully(range: ByteRange, signal: AbortSignal | undefined): Promise<Uint8Array> {
    checkInside(range, this)
    checkReadable(range, this)
    const first = this.#first && this.#takeFirst(range, signal)
    if (first !== undefined) return await bytesOfFeed(first, range.length)
    const kept = this.#kept(range, signal)
    if (kept !== undefined) return await kept
    if (this.#anchor !== undefined) await this.#checkAnchor(signal)
    const answer = await this.#ask(range, signal)
    if (answer === undefined) return this.read(range, { signal })
    const bytes = await bytesOf(this.#world.settings, answer, range.length, signal)
    if (this.#anchor !== undefined) await this.#checkAnchor(signal)
    return bytes
  }

  async feed(range: ByteRange, { signal }: ReadOptions = {}): Promise<Feed> {
    checkInside(range, this)
    const first = this.#takeFirst(range, signal)
    if (first !== undefined) return first
    const kept = this.#kept(range, signal)
    if (kept !== undefined) return feedOf(await kept)
    if (this.#anchor !== undefined) await this.#checkAnchor(signal)
    const answer = await this.#ask(range, signal)
    if (answer === undefined) return this.feed(range, { signal })
    const body = bodyOf(this.#world.settings, answer, range.length, signal)
    try {
      // A body that waits gives up its place at the origin, or the checks of many streams would wait for each other.
      if (this.#anchor !== undefined) body.pause()
      await this.#checkAnchor(signal)
    } catch (error) {
      body.stop()
      throw error
    }
    return body
  }

  get condition(): SourceCondition | undefined {
    return conditionOf(this.#version)
  }

  get isWeak(): boolean {
    return !this.#version.isStrong && this.#version.isWholeHash !== true
  }

  get modified(): number | undefined {
    return modifiedOf(this.#version)
  }

  get canResume(): boolean {
    return this.#version.isStrong
  }

  /** What the first answer brings, for who asks for it first. */
  #takeFirst(range: ByteRange, signal: AbortSignal | undefined): Feed | undefined {
    const first = this.#first
    if (first === undefined || range.length === 0) return undefined
    const offset = range.offset - first.range.offset
    if (offset < 0 || offset + range.length > first.range.length) return undefined
    this.#first = undefined
    first.answer.body.follow(signal)
    const body = first.begun ?? bodyOf(this.#world.settings, first.answer, first.range.length, signal)
    return partOfFeed(body, first.range.length, offset, range.length)
  }

  /** Whether the origin still has this version, by one request that brings next to nothing. */
  async isFresh(signal: AbortSignal | undefined): Promise<boolean> {
    const { etag, headHash } = this.#version
    const length = headHash === undefined ? 1 : Math.max(Math.min(this.#world.settings.headBytes, this.size), 1)
    // Not by date alone: a date that stays says nothing of the size, the total of a range does.
    const headers = { ...(etag === undefined ? {} : { 'if-none-match': etag }), range: `bytes=0-${length - 1}` }
    // From the first URL: a redirect may lead to another version by now.
    const answer = await this.#world.exchange({ url: this.#url, method: 'GET', headers, signal })
    if (answer.status === 304 || answer.status === 416 || isAbsent(answer)) {
      answer.discard()
      if (answer.status === 416) return this.size === 0
      return answer.status === 304 && compareVersion(this.#version, answer) !== 'changed'
    }
    checked(answer, () => checkContent(answer, this.#version.coding))
    const total = contentRangeOf(answer)?.total ?? (answer.status === 200 ? lengthOf(answer) : undefined)
    const isSame = compareVersion(this.#version, answer) === 'same' && (total ?? this.size) === this.size
    if (isSame && headHash !== undefined) return this.#isSameHead(answer, length, signal)
    answer.discard()
    return isSame
  }

  async #isSameHead(answer: HttpAnswer, length: number, signal: AbortSignal | undefined): Promise<boolean> {
    if (this.#anchor === undefined || checked(answer, () => checkRange(answer, { offset: 0, length })) === 'whole') {
      answer.discard()
      return this.#isSameWhole(signal)
    }
    return hashOf(await bytesOf(this.#world.settings, answer, length, signal)) === this.#version.headHash
  }

  async #isSameWhole(signal: AbortSignal | undefined): Promise<boolean> {
    try {
      await this.#world.wholes.get(this.#url, this.#version, signal)
      return true
    } catch (error) {
      if (isVirtualZarrError(error, 'source-changed')) return false
      throw error
    }
  }

  /** Bytes that are at hand without asking. */
  #kept(range: ByteRange, signal: AbortSignal | undefined): Uint8Array | Promise<Uint8Array> | undefined {
    const end = range.offset + range.length
    if (range.length === 0) return new Uint8Array(0)
    if (this.#head !== undefined && end <= this.#head.length) return this.#head.subarray(range.offset, end)
    if (!this.#isWhole) return undefined
    return this.#world.wholes.get(this.#url, this.#version, signal).then((bytes) => bytes.subarray(range.offset, end))
  }

  /** A checked answer for a range; undefined when the origin turns out not to do ranges and the file must be read whole. */
  #ask(range: ByteRange, signal: AbortSignal | undefined): Promise<HttpAnswer | undefined> {
    // No async function, and neither is `#request`: what one leaves behind costs a short chunk more than all these checks.
    return this.#request(rangeHeader(range), signal).then((answer) =>
      this.#isPart(answer, range) ? answer : this.#askAgain(range, signal),
    )
  }

  async #askAgain(range: ByteRange, signal: AbortSignal | undefined): Promise<HttpAnswer | undefined> {
    const answer = await this.#request(rangeHeader(range), signal)
    if (this.#isPart(answer, range)) return answer
    this.#isWhole = true
    return undefined
  }

  /** Whether an answer is what was asked for; any other is discarded. */
  #isPart(answer: HttpAnswer, range: ByteRange): boolean {
    let found: RangeAnswer | undefined
    try {
      found = this.#checkPart(answer, range)
    } finally {
      if (found !== 'part') answer.discard()
    }
    return found === 'part'
  }

  #checkPart(answer: HttpAnswer, range: ByteRange): RangeAnswer {
    if (answer.status === 416) throw changed('the source has become shorter since it was opened', this.url)
    checkContent(answer, this.#version.coding)
    // The version before the range: a file that became shorter answers other ranges, too.
    const told = contentRangeOf(answer)
    checkVersion(answer, this.#version, told?.total ?? (answer.status === 200 ? this.size : undefined))
    return checkRange(answer, range, told)
  }

  /**
   * Asks where the redirects led last time, for this version only. Where that is refused it asks once more without `If-Match`,
   * which some origins refuse always, or from the first URL on.
   */
  #request(
    range: string,
    signal: AbortSignal | undefined,
    url = this.#location ?? this.#url,
    pin = this.#sendsIfMatch ? this.#version.etag : undefined,
  ): Promise<HttpAnswer> {
    const headers: Record<string, string> = pin === undefined ? { range } : { range, 'if-match': pin }
    return this.#world.exchange({ url, method: 'GET', headers, signal }).then((answer) => {
      const isUnpinned = answer.status === 412 && pin !== undefined
      const isMoved = MOVED.includes(answer.status) && url.href !== this.#url.href
      if (!isUnpinned && !isMoved) {
        this.#location = answer.url
        return answer
      }
      answer.discard()
      if (isMoved) this.#location = undefined
      else this.#sendsIfMatch = false
      return this.#request(range, signal, isMoved ? this.#url : url, isMoved ? pin : undefined)
    })
  }

  /** Where no validator pins an answer, the head is compared before and after it: what was read between them is of this version. */
  async #checkAnchor(signal: AbortSignal | undefined): Promise<void> {
    const length = this.#anchor
    if (length === undefined || length === 0) return
    const range = { offset: 0, length }
    const answer = await this.#ask(range, signal)
    if (answer === undefined) return
    const bytes = await bytesOf(this.#world.settings, answer, length, signal)
    if (hashOf(bytes) !== this.#version.headHash) throw changed('the source was replaced since it was opened', this.url)
  }
}
