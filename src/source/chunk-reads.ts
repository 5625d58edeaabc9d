import type { ByteRange } from '../bytes/byte-range.ts'
import { type Feed, feedOf } from '../bytes/feed.ts'
import { type AheadRoom, ReadAhead } from './read-ahead.ts'
import { FEWEST_READS, MOST_GAP_BYTES, ReadRuns } from './read-runs.ts'
import { DEFAULT_SOURCE_SETTINGS } from './settings.ts'
import { type ReadOptions, readAnew, type Source } from './source.ts'

/** Longer reads go by themselves: they are worth a request each. */
const MOST_GATHERED_BYTES = 2 ** 18
/** One read of many must not keep the first of them waiting. */
const MOST_TOGETHER_BYTES = 2 ** 20

/** Longer reads are not read ahead of: their round is a small part of them. */
const MOST_FOLLOWED_BYTES = 2 ** 19
/** What would be fed is held instead, for as long as its client takes it. */
const MOST_HELD_BYTES = 2 ** 17
/** What comes beyond waits here, where it may become one with others: it would have to wait for its origin anyway. */
const MOST_UNDER_WAY = DEFAULT_SOURCE_SETTINGS.perOriginConcurrency
/** Then those who wait are sent on, whatever is under way: how long a read may take is counted from there on. */
const MOST_WAIT_MS = 2000
/** So many in a row who waited and met nobody show a reader of places that lie apart. */
const MOST_VAIN_WAITS = 16
/** So many of a turn then go at once; if more come they may be a map's screen. */
const MOST_AT_ONCE = 4

/** One who waits for a range, until it has come, or its own signal aborts. */
class Waiting {
  /** How many came before. */
  readonly place: number
  readonly range: ByteRange
  readonly signal: AbortSignal | undefined
  readonly #resolve: (bytes: Uint8Array) => void
  readonly #reject: (reason: unknown) => void
  /** Told when its signal aborts while it still waits. */
  onLeave: (left: Waiting) => void

  constructor(
    place: number,
    range: ByteRange,
    signal: AbortSignal | undefined,
    onLeave: (left: Waiting) => void,
    resolve: (bytes: Uint8Array) => void,
    reject: (reason: unknown) => void,
  ) {
    this.place = place
    this.range = range
    this.signal = signal
    this.onLeave = onLeave
    this.#resolve = resolve
    this.#reject = reject
    signal?.addEventListener('abort', this)
  }

  handleEvent(): void {
    this.fail(this.signal?.reason)
    this.onLeave(this)
  }

  /** Bytes that begin at this offset of the file. */
  bring(bytes: Uint8Array, offset: number): void {
    this.signal?.removeEventListener('abort', this)
    const from = this.range.offset - offset
    this.#resolve(bytes.subarray(from, from + this.range.length))
  }

  fail(reason: unknown): void {
    this.signal?.removeEventListener('abort', this)
    this.#reject(reason)
  }
}

/**
 * How reads of chunks become reads of a source with rounds. Short ones that come while others are under way, in one turn of the
 * event loop, and lie close to each other become one: the tiles of a map, the chunks of a series. One that comes alone goes at once.
 * So do the first of a turn where those before them lay apart: their wait would cost a turn of its own, of the connections they go by.
 * Where they follow each other in the file, each by a request of its own, what comes next is read before it is asked for: a client
 * that asks for ten chunks at a time would wait a round for each ten.
 */
export function chunkReads(inner: Source, room: AheadRoom): Source {
  const reads = new ChunkReads(inner, room)
  return readAnew(inner, { read: reads.read, feed: reads.feed })
}

class ChunkReads {
  readonly #inner: Source
  readonly #runs = new ReadRuns()
  readonly #ahead: ReadAhead
  #underWay = 0
  #waiting: Waiting[] = []
  #vainWaits = 0
  /** Those of this turn that did not wait, though others were under way. */
  readonly #atOnce: ByteRange[] = []
  /** Who has waited so far. */
  #came = 0
  #isFlushing = false
  #clock: NodeJS.Timeout | undefined

  constructor(inner: Source, room: AheadRoom) {
    this.#inner = inner
    this.#ahead = new ReadAhead(inner, this.#runs, room)
  }

  readonly read = (range: ByteRange, { signal }: ReadOptions = {}): Promise<Uint8Array> => {
    const { size } = this.#inner
    // What is wrong with one must not be told to all.
    const isInside = range.offset >= 0 && range.offset + range.length <= size && size < Number.POSITIVE_INFINITY
    if (range.length > MOST_FOLLOWED_BYTES || range.length === 0 || !isInside)
      return this.#inner.read(range, { signal })
    const ahead = this.#aheadOf(range, signal)
    if (ahead !== undefined) return ahead
    if (range.length > MOST_GATHERED_BYTES) return this.#inner.read(range, { signal })
    if (this.#goesAtOnce(range)) return this.#readOne(range, signal)
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      this.#waiting.push(new Waiting(this.#came++, range, signal, this.#drop, resolve, reject))
      this.#flushSoon()
    })
  }

  readonly feed = (range: ByteRange, options: ReadOptions = {}): Promise<Feed> => {
    const isFollowed = range.length <= MOST_HELD_BYTES && range.offset + range.length <= this.#inner.size
    const ahead = isFollowed ? this.#aheadOf(range, options.signal) : undefined
    return ahead?.then(feedOf) ?? this.#inner.feed(range, options)
  }

  /** What has been read of it before it was asked for, if anything. */
  #aheadOf(range: ByteRange, signal: AbortSignal | undefined): Promise<Uint8Array> | undefined {
    const run = this.#runs.follow(range)
    if (run.count < FEWEST_READS && this.#ahead.stretches.length === 0) return undefined
    return this.#ahead.read(range, run, signal)
  }

  /** Lets one go whom nobody can meet, or where those before have met nobody: then its turn shows whether it should have waited. */
  #goesAtOnce(range: ByteRange): boolean {
    if (this.#waiting.length > 0 || this.#underWay >= MOST_UNDER_WAY) return false
    if (this.#underWay === 0) return true
    if (this.#wouldHaveMet(range)) this.#vainWaits = 0
    if (this.#vainWaits < MOST_VAIN_WAITS || this.#atOnce.length === MOST_AT_ONCE) return false
    this.#atOnce.push(range)
    this.#flushSoon()
    return true
  }

  #wouldHaveMet(range: ByteRange): boolean {
    return this.#atOnce.some((one) => gapBetween(one, range) <= MOST_GAP_BYTES)
  }

  #readOne(range: ByteRange, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const bytes = this.#inner.read(range, { signal })
    this.#underWay++
    bytes.then(this.#ended, this.#ended)
    return bytes
  }

  readonly #ended = () => {
    this.#underWay--
    if (this.#waiting.length > 0) this.#flushSoon()
  }

  readonly #drop = (own: Waiting) => {
    this.#waiting.splice(this.#waiting.indexOf(own), 1)
  }

  #flushSoon(): void {
    if (this.#isFlushing) return
    if (this.#underWay >= MOST_UNDER_WAY) {
      this.#clock ??= setTimeout(() => this.#send(Number.POSITIVE_INFINITY), MOST_WAIT_MS).unref()
      return
    }
    this.#isFlushing = true
    setImmediate(this.#flush)
  }

  readonly #flush = () => {
    this.#isFlushing = false
    this.#send(MOST_UNDER_WAY)
    this.#atOnce.length = 0
  }

  /** Who came first goes first, with all that lie close to him. */
  #send(mostUnderWay: number): void {
    const places = Math.max(mostUnderWay - this.#underWay, 0)
    const groups = [...groupsOf(this.#waiting)]
    if (groups.length > places) groups.sort((one, other) => firstOf(one) - firstOf(other))
    this.#waiting = groups.slice(places).flat()
    for (const group of groups.slice(0, places)) {
      this.#vainWaits = this.#hasMet(group) ? 0 : this.#vainWaits + 1
      this.#readTogether(group)
    }
    if (this.#waiting.length > 0) {
      this.#flushSoon()
      return
    }
    clearTimeout(this.#clock)
    this.#clock = undefined
  }

  #hasMet(group: readonly Waiting[]): boolean {
    return group.length > 1 || group.some(({ range }) => this.#wouldHaveMet(range))
  }

  /** Given up when all of them have left. */
  #readTogether(group: readonly Waiting[]): void {
    const offset = group[0]?.range.offset ?? 0
    const end = Math.max(...group.map(({ range }) => range.offset + range.length))
    this.#readOne({ offset, length: end - offset }, signalOf(group)).then(
      (bytes) => {
        for (const one of group) one.bring(bytes, offset)
      },
      (error) => {
        for (const one of group) one.fail(error)
      },
    )
  }
}

/** Bytes between two ranges: none, or fewer, where they meet. */
function gapBetween(one: ByteRange, other: ByteRange): number {
  return Math.max(other.offset - one.offset - one.length, one.offset - other.offset - other.length)
}

function firstOf(group: readonly Waiting[]): number {
  return Math.min(...group.map(({ place }) => place))
}

/** Aborts when all have left. */
function signalOf(group: readonly Waiting[]): AbortSignal | undefined {
  const [only] = group
  if (only !== undefined && group.length === 1) {
    only.onLeave = () => undefined
    return only.signal
  }
  const all = new AbortController()
  let staying = group.length
  const leave = () => {
    staying--
    if (staying === 0) all.abort()
  }
  for (const one of group) one.onLeave = leave
  return all.signal
}

/** Those that are worth one read each. */
function* groupsOf(waiting: readonly Waiting[]): Generator<readonly Waiting[]> {
  let group: Waiting[] = []
  let [start, end] = [0, 0]
  for (const one of waiting.toSorted((one, other) => one.range.offset - other.range.offset)) {
    const { offset, length } = one.range
    const isClose = offset - end <= MOST_GAP_BYTES && Math.max(end, offset + length) - start <= MOST_TOGETHER_BYTES
    if (group.length > 0 && !isClose) {
      yield group
      group = []
    }
    if (group.length === 0) [start, end] = [offset, offset]
    group.push(one)
    end = Math.max(end, offset + length)
  }
  if (group.length > 0) yield group
}
