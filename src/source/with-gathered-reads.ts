import type { ByteRange } from '../bytes/byte-range.ts'
import { type ReadOptions, readAnew, type Source } from './source.ts'

/** Longer reads go by themselves: they are worth a request each. */
const MOST_GATHERED_BYTES = 2 ** 18
/** Bytes between two reads that nobody asked for: fewer than another request costs. */
const MOST_GAP_BYTES = 2 ** 15
/** One read of many must not keep the first of them waiting. */
const MOST_TOGETHER_BYTES = 2 ** 20

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
 * Short reads that come while others are under way, in one turn of the event loop, and lie close to each other become one: the
 * tiles of a map, the chunks of a series. One that comes alone goes at once.
 */
export function withGatheredReads(inner: Source): Source {
  const gathered = new GatheredReads(inner)
  return readAnew(inner, {
    read: gathered.read,
    feed: (range, options) => inner.feed(range, options),
  })
}

class GatheredReads {
  readonly #inner: Source
  #underWay = 0
  #waiting: Waiting[] = []
  readonly #ended = () => {
    this.#underWay--
  }

  constructor(inner: Source) {
    this.#inner = inner
  }

  readonly read = (range: ByteRange, { signal }: ReadOptions = {}): Promise<Uint8Array> => {
    const { size } = this.#inner
    // What is wrong with one must not be told to all.
    const isInside = range.offset >= 0 && range.offset + range.length <= size && size < Number.POSITIVE_INFINITY
    if (range.length > MOST_GATHERED_BYTES || range.length === 0 || !isInside)
      return this.#inner.read(range, { signal })
    if (this.#underWay === 0 && this.#waiting.length === 0) return this.#readOne(range, signal)
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      if (this.#waiting.length === 0) setImmediate(this.#flush)
      this.#waiting.push(new Waiting(range, signal, this.#drop, resolve, reject))
    })
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
