import type { ByteRange } from '../bytes/byte-range.ts'
import { type Feed, feedOf, feedOfParts, partsOf } from '../bytes/feed.ts'
import { FetchWindow } from './fetch-window.ts'
import { type FilePages, PAGE_BYTES } from './page-cache.ts'
import { DEFAULT_SOURCE_SETTINGS } from './settings.ts'
import {
  MAX_GAP_BYTES,
  MAX_PREFETCHED_CHUNK_BYTES,
  type Prefetched,
  type ReadOptions,
  readAnew,
  type Source,
} from './source.ts'

/** Longer reads go by themselves: they are worth a request each. */
const MAX_GATHERED_BYTES = 2 ** 18
/** One read of many must not keep the first of them waiting. */
const MAX_TOGETHER_BYTES = 2 ** 20

/** What would be fed is held instead, for as long as its client takes it. */
const MAX_HELD_BYTES = 2 ** 17
/** What comes beyond waits here, where it may become one with others: it would have to wait for its origin anyway. */
const MAX_UNDER_WAY = DEFAULT_SOURCE_SETTINGS.perOriginConcurrency
/** Then those who wait are sent on, whatever is under way: how long a read may take is counted from there on. */
const MAX_WAIT_MILLISECONDS = 2000

/** One who waits for a range, until it has come, or its own signal aborts. */
class Waiting {
  /** How many came before. */
  readonly turn: number
  readonly range: ByteRange
  readonly signal: AbortSignal | undefined
  readonly #resolve: (bytes: Uint8Array) => void
  readonly #reject: (reason: unknown) => void
  /** Told when its signal aborts while it still waits. */
  onLeave: (left: Waiting) => void

  constructor(
    turn: number,
    range: ByteRange,
    signal: AbortSignal | undefined,
    onLeave: (left: Waiting) => void,
    resolve: (bytes: Uint8Array) => void,
    reject: (reason: unknown) => void,
  ) {
    this.turn = turn
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

/** What the reads of a file's chunks need besides the file. */
export interface ChunkReadsInput {
  /** Pages of the version that is read; undefined while it isn't known, and where versions may not be told apart. */
  pages(): FilePages | undefined
  /** Throws where the file is known to be of another version by now; it asks its origin where that was long ago. */
  confirm(): Promise<void> | undefined
}

/**
 * How reads of chunks become reads of a source with rounds. What is in pages, or being fetched for them, is not asked for again.
 * Short reads that come while others are under way, in one turn of the event loop, and lie close to each other become one request:
 * the tiles of a map, the chunks of a series. One that comes alone goes at once. `npm run bench user` shows what that saves.
 */
export function chunkReads(
  inner: Source,
  input: ChunkReadsInput,
): Required<Pick<Source, 'prefetch' | 'dropPages'>> & Source {
  const reads = new ChunkReads(inner, input)
  return Object.assign(readAnew(inner, { read: reads.read, feed: reads.feed }), {
    prefetch: reads.prefetch,
    dropPages: () => input.pages()?.drop(),
  })
}

class ChunkReads {
  readonly #inner: Source
  readonly #input: ChunkReadsInput
  #underWay = 0
  #waiting: Waiting[] = []
  /** How many have waited so far. */
  #came = 0
  #isFlushing = false
  #clock: NodeJS.Timeout | undefined

  constructor(inner: Source, input: ChunkReadsInput) {
    this.#inner = inner
    this.#input = input
  }

  readonly read = (range: ByteRange, { signal }: ReadOptions = {}): Promise<Uint8Array> => {
    // What is wrong with one must not be told to all.
    if (range.length === 0 || !this.#isInside(range)) return this.#inner.read(range, { signal })
    const pages = this.#input.pages()
    if (pages !== undefined && isPresent(pages, range)) return this.#readPages(pages, range, signal)
    const bytes = this.#readOrigin(range, signal)
    if (pages === undefined || range.length > MAX_PREFETCHED_CHUNK_BYTES) return bytes
    return bytes.then((read) => {
      pages.putOnSecondRead(range, read)
      return read
    })
  }

  readonly feed = async (range: ByteRange, options: ReadOptions = {}): Promise<Feed> => {
    const pages = this.#input.pages()
    const isShort = range.length > 0 && range.length <= MAX_PREFETCHED_CHUNK_BYTES
    if (pages === undefined || !isShort || !this.#isInside(range) || !isPresent(pages, range))
      return this.#inner.feed(range, options)
    if (range.length <= MAX_HELD_BYTES) return feedOf(await this.#readPages(pages, range, options.signal))
    return await feedOfParts(this.#parts(pages, range, options.signal))
  }

  readonly prefetch = (ranges: readonly ByteRange[]): Prefetched => {
    const pages = this.#input.pages()
    if (pages === undefined) return { bytes: 0, stop: () => undefined, done: Promise.resolve() }
    const missing = ranges.filter((range) => this.#isInside(range)).flatMap((range) => missingOf(pages, range))
    const begun: { readonly window: FetchWindow; readonly done: Promise<void> }[] = []
    for (const group of groupsOf(missing, (range) => range)) begun.push(this.#open(pages, spanOf(group)))
    return {
      bytes: begun.reduce((sum, { window }) => sum + window.to - window.from, 0),
      stop: () => {
        for (const { window } of begun) if (!window.isAwaited) window.stop()
      },
      done: Promise.all(begun.map(({ done }) => done)).then(() => undefined),
    }
  }

  #open(pages: FilePages, range: ByteRange): { readonly window: FetchWindow; readonly done: Promise<void> } {
    const { promise: done, resolve } = Promise.withResolvers<void>()
    const window = new FetchWindow(range, this.#inner, (bytes) => {
      pages.windows = pages.windows.filter((other) => other !== window)
      if (bytes !== undefined) pages.put('data', range.offset, bytes, true)
      resolve()
    })
    pages.windows = [...pages.windows, window].sort((one, other) => one.from - other.from)
    return { window, done }
  }

  #isInside({ offset, length }: ByteRange): boolean {
    const { size } = this.#inner
    return offset >= 0 && length >= 0 && size < Number.POSITIVE_INFINITY && offset + length <= size
  }

  /** What is in pages or on its way to them. */
  async #readPages(pages: FilePages, range: ByteRange, signal: AbortSignal | undefined): Promise<Uint8Array> {
    signal?.throwIfAborted()
    const confirmed = this.#input.confirm()
    if (confirmed !== undefined) await confirmed
    const kept = pages.copy(range)
    if (kept !== undefined) return kept
    const target = new Uint8Array(range.length)
    const end = range.offset + range.length
    for (let at = range.offset; at < end; ) {
      const part = await partAt(pages, at, end, signal)
      // What did not come is asked for by who needs it, who then is told what is wrong.
      if (part === undefined) return await this.#readOrigin(range, signal)
      target.set(part, at - range.offset)
      at += part.length
    }
    return target
  }

  /** The same part by part: a slow client keeps one of them in memory, and not the whole range. */
  async *#parts(pages: FilePages, range: ByteRange, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
    const confirmed = this.#input.confirm()
    if (confirmed !== undefined) await confirmed
    const end = range.offset + range.length
    for (let at = range.offset; at < end; ) {
      const part = await partAt(pages, at, Math.min(end, at + PAGE_BYTES), signal)
      if (part === undefined) {
        yield* partsOf(await this.#inner.feed({ offset: at, length: end - at }, { signal }))
        return
      }
      yield part
      at += part.length
    }
  }

  #readOrigin(range: ByteRange, signal: AbortSignal | undefined): Promise<Uint8Array> {
    if (range.length > MAX_GATHERED_BYTES) return this.#inner.read(range, { signal })
    if (this.#underWay === 0 && this.#waiting.length === 0) return this.#readOne(range, signal)
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      this.#waiting.push(new Waiting(this.#came++, range, signal, this.#drop, resolve, reject))
      this.#flushSoon()
    })
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
    if (this.#underWay >= MAX_UNDER_WAY) {
      this.#clock ??= setTimeout(() => this.#send(Number.POSITIVE_INFINITY), MAX_WAIT_MILLISECONDS).unref()
      return
    }
    this.#isFlushing = true
    setImmediate(this.#flush)
  }

  readonly #flush = () => {
    this.#isFlushing = false
    this.#send(MAX_UNDER_WAY)
  }

  /** Who came first goes first, with all that lie close to him. */
  #send(maxUnderWay: number): void {
    const free = Math.max(maxUnderWay - this.#underWay, 0)
    const groups = [...groupsOf(this.#waiting, ({ range }) => range)]
    if (groups.length > free) groups.sort((one, other) => firstOf(one) - firstOf(other))
    this.#waiting = groups.slice(free).flat()
    for (const group of groups.slice(0, free)) this.#readTogether(group)
    if (this.#waiting.length > 0) {
      this.#flushSoon()
      return
    }
    clearTimeout(this.#clock)
    this.#clock = undefined
  }

  /** Given up when all of them have left. */
  #readTogether(group: readonly Waiting[]): void {
    const span = spanOf(group.map(({ range }) => range))
    this.#readOne(span, signalOf(group)).then(
      (bytes) => {
        for (const one of group) one.bring(bytes, span.offset)
      },
      (error) => {
        for (const one of group) one.fail(error)
      },
    )
  }
}

/** Whether a range is in pages, or on its way to them. */
function isPresent(pages: FilePages, { offset, length }: ByteRange): boolean {
  return pages.comingTo(offset, offset + length) === offset + length
}

/** Bytes from an offset on, at most up to `end`, in memory of their own; undefined where they did not come. */
async function partAt(
  pages: FilePages,
  at: number,
  end: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  const keptTo = pages.keptTo(at, end)
  if (keptTo > at) return pages.copy({ offset: at, length: keptTo - at })
  const window = pages.windows.find(({ from, to }) => from <= at && at < to)
  if (window === undefined) return undefined
  const to = Math.min(end, window.to)
  if (!(await window.reaches(to, signal))) return undefined
  return new Uint8Array(window.within({ offset: at, length: to - at }))
}

/** What of a range is neither in pages nor on its way. */
function missingOf(pages: FilePages, { offset, length }: ByteRange): readonly ByteRange[] {
  const missing: ByteRange[] = []
  const end = offset + length
  for (let at = offset; at < end; ) {
    const present = pages.comingTo(at, end)
    // To the next page: what lies apart in one is not worth requests of its own.
    const next = Math.min(end, (Math.floor(present / PAGE_BYTES) + 1) * PAGE_BYTES)
    if (present < end) missing.push({ offset: present, length: next - present })
    at = Math.max(next, present)
  }
  return missing
}

function firstOf(group: readonly Waiting[]): number {
  return Math.min(...group.map(({ turn }) => turn))
}

function spanOf(ranges: readonly ByteRange[]): ByteRange {
  const offset = Math.min(...ranges.map((range) => range.offset))
  const end = Math.max(...ranges.map((range) => range.offset + range.length))
  return { offset, length: end - offset }
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
function* groupsOf<Item>(items: readonly Item[], rangeOf: (item: Item) => ByteRange): Generator<readonly Item[]> {
  let group: Item[] = []
  let [start, end] = [0, 0]
  for (const item of items.toSorted((one, other) => rangeOf(one).offset - rangeOf(other).offset)) {
    const { offset, length } = rangeOf(item)
    const isClose = offset - end <= MAX_GAP_BYTES && Math.max(end, offset + length) - start <= MAX_TOGETHER_BYTES
    if (group.length > 0 && !isClose) {
      yield group
      group = []
    }
    if (group.length === 0) [start, end] = [offset, offset]
    group.push(item)
    end = Math.max(end, offset + length)
  }
  if (group.length > 0) yield group
}
