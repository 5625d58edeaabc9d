import type { ByteRange } from '../bytes/byte-range.ts'
import { type Feed, feedOf } from '../bytes/feed.ts'
import { type AheadRoom, ReadAhead, type Run } from './read-ahead.ts'
import { type ReadOptions, readAnew, type Source } from './source.ts'

/** Longer reads go by themselves: they are worth a request each. */
const MOST_GATHERED_BYTES = 2 ** 18
/** Bytes between two reads that nobody asked for: fewer than another request costs. */
const MOST_GAP_BYTES = 2 ** 15
/** One read of many must not keep the first of them waiting. */
const MOST_TOGETHER_BYTES = 2 ** 20

/** Longer reads are not read ahead of: their round is a small part of them. */
const MOST_FOLLOWED_BYTES = 2 ** 19
/** What would be fed is held instead, for as long as its client takes it. */
const MOST_HELD_BYTES = 2 ** 17
/** So many reads that follow each other are worth reading ahead of: fewer may be one row of a map's screen. */
const FEWEST_READS = 12
/** Reads of a run may come out of their order, and leave out some. */
const MOST_SKIPPED_READS = 8
const MOST_LATE_READS = 64
/** A reader that rests for so long begins anew. */
const REST_MS = 1000
/** Readers of one source at several places, such as of its variables. */
const MOST_RUNS = 8

/** One who waits for a range, until it has come, or its own signal aborts. */
class Waiting {
  readonly range: ByteRange
  readonly signal: AbortSignal | undefined
  readonly #resolve: (bytes: Uint8Array) => void
  readonly #reject: (reason: unknown) => void
  /** Told when its signal aborts while it still waits. */
  onLeave: (left: Waiting) => void

  constructor(
    range: ByteRange,
    signal: AbortSignal | undefined,
    onLeave: (left: Waiting) => void,
    resolve: (bytes: Uint8Array) => void,
    reject: (reason: unknown) => void,
  ) {
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
 * Where they follow each other in the file, each by a request of its own, what comes next is read before it is asked for: a client
 * that asks for ten chunks at a time would wait a round for each ten.
 */
export function chunkReads(inner: Source, room: AheadRoom): Source {
  const reads = new ChunkReads(inner, room)
  return readAnew(inner, { read: reads.read, feed: reads.feed })
}

class ChunkReads {
  readonly #inner: Source
  readonly #room: AheadRoom
  #underWay = 0
  #waiting: Waiting[] = []
  readonly #runs: Run[] = []
  readonly #ended = () => {
    this.#underWay--
  }

  constructor(inner: Source, room: AheadRoom) {
    this.#inner = inner
    this.#room = room
  }

  readonly read = (range: ByteRange, { signal }: ReadOptions = {}): Promise<Uint8Array> => {
    const { size } = this.#inner
    // What is wrong with one must not be told to all.
    const isInside = range.offset >= 0 && range.offset + range.length <= size && size < Number.POSITIVE_INFINITY
    if (range.length > MOST_FOLLOWED_BYTES || range.length === 0 || !isInside)
      return this.#inner.read(range, { signal })
    const ahead = this.#follow(range)?.read(range, signal)
    if (ahead !== undefined) return ahead
    if (range.length > MOST_GATHERED_BYTES) return this.#inner.read(range, { signal })
    if (this.#underWay === 0 && this.#waiting.length === 0) return this.#readOne(range, signal)
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      if (this.#waiting.length === 0) setImmediate(this.#flush)
      this.#waiting.push(new Waiting(range, signal, this.#drop, resolve, reject))
    })
  }

  readonly feed = (range: ByteRange, options: ReadOptions = {}): Promise<Feed> => {
    const isFollowed = range.length <= MOST_HELD_BYTES && range.offset + range.length <= this.#inner.size
    const ahead = isFollowed ? this.#follow(range)?.read(range, options.signal) : undefined
    return ahead?.then(feedOf) ?? this.#inner.feed(range, options)
  }

  /** What is read ahead of the run that this read goes on with, where there is one and it is long and dense. */
  #follow({ offset, length }: ByteRange): ReadAhead | undefined {
    const now = performance.now()
    for (const run of this.#runs) {
      const skipped = offset - run.end
      const isNext =
        skipped <= Math.max(MOST_GAP_BYTES, MOST_SKIPPED_READS * length) && skipped >= -MOST_LATE_READS * length
      if (!isNext || now - run.lastAt > REST_MS) continue
      run.lastAt = now
      if (skipped + length > 0) {
        run.end = offset + length
        run.count++
      }
      run.bytes = Math.min(run.bytes + length, run.end - run.start)
      if (run.count < FEWEST_READS || run.bytes * 2 < run.end - run.start) return undefined
      // Where only a guess names the version, the origin is asked for it around each read.
      if (this.#inner.isGuessed === true) return undefined
      run.ahead ??= new ReadAhead(this.#inner, run, this.#room)
      return run.ahead
    }
    this.#begin({
      start: offset,
      end: offset + length,
      bytes: length,
      count: 1,
      begunAt: now,
      lastAt: now,
      ahead: undefined,
    })
    return undefined
  }

  /** In the place of one whose reader rests, or of the shortest. */
  #begin(run: Run): void {
    let place = this.#runs.length
    if (place === MOST_RUNS) {
      const worth = ({ count, lastAt }: Run) => (run.lastAt - lastAt > REST_MS ? 0 : count)
      place = this.#runs.reduce(
        (least, other, at) => (worth(other) < worth(this.#runs[least] ?? other) ? at : least),
        0,
      )
      this.#runs[place]?.ahead?.stop()
    }
    this.#runs[place] = run
  }

  #readOne(range: ByteRange, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const bytes = this.#inner.read(range, { signal })
    this.#underWay++
    bytes.then(this.#ended, this.#ended)
    return bytes
  }

  readonly #drop = (own: Waiting) => {
    this.#waiting.splice(this.#waiting.indexOf(own), 1)
  }

  readonly #flush = () => {
    const all = this.#waiting.sort((one, other) => one.range.offset - other.range.offset)
    this.#waiting = []
    for (const group of groupsOf(all)) this.#readTogether(group)
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

/** Runs of ranges, in the order of the file, that are worth one read each. */
function* groupsOf(sorted: readonly Waiting[]): Generator<readonly Waiting[]> {
  let group: Waiting[] = []
  let [start, end] = [0, 0]
  for (const one of sorted) {
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
