import type { ByteRange } from '../bytes/byte-range.ts'

/** What fetching blocks needs. */
export interface BlockFetchParts {
  readonly size: number
  readonly blockBytes: number
  readonly aheadBytes: number
  read(range: ByteRange, signal: AbortSignal): Promise<Uint8Array>
  /** Whether a block is at hand already. */
  isKept(index: number): boolean
  keep(index: number, block: Uint8Array): void
}

/** A block that was asked for; its readers come and go. */
export interface PendingBlock {
  readonly promise: Promise<Uint8Array>
  /** Counts a reader; what it returns counts the reader out. A fetch that nobody waits for is aborted. */
  join(): () => void
}

interface Wanted {
  readonly index: number
  readonly pending: PendingBlock
  readonly resolve: (block: Uint8Array) => void
  readonly reject: (error: unknown) => void
  readers: number
  fetch: AbortController | undefined
  mates: readonly Wanted[]
}

/** Most bytes one request asks for. */
const MOST_RUN_BYTES = 4 * 1024 * 1024

/**
 * Fetches missing blocks. Those asked for in one turn of the event loop are sorted into runs of neighbours (over a gap
 * of one block), a run is one request; a sequential reader gets ever more blocks ahead.
 */
export class BlockFetch {
  readonly #parts: BlockFetchParts
  readonly #wanted = new Map<number, Wanted>()
  #queue: Wanted[] = []
  #ahead = 0
  #next = -1
  #readsAhead = true

  constructor(parts: BlockFetchParts) {
    this.#parts = parts
  }

  stopReadingAhead(): void {
    this.#readsAhead = false
  }

  /** The block, which is fetched unless it is on its way. */
  block(index: number): PendingBlock {
    const known = this.#wanted.get(index)
    if (known !== undefined) return known.pending
    const wanted = this.#want(index)
    if (this.#queue.length === 0) setImmediate(() => this.#flush())
    this.#queue.push(wanted)
    return wanted.pending
  }

  #want(index: number): Wanted {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
    // Blocks read ahead have nobody who would hear of their failure.
    promise.catch(() => undefined)
    const wanted: Wanted = {
      index,
      pending: { promise, join: () => this.#join(wanted) },
      resolve,
      reject,
      readers: 0,
      fetch: undefined,
      mates: [],
    }
    this.#wanted.set(index, wanted)
    return wanted
  }

  #join(wanted: Wanted): () => void {
    wanted.readers++
    return () => {
      wanted.readers--
      if (wanted.readers > 0 || wanted.fetch === undefined) return
      if (wanted.mates.some((mate) => mate.readers > 0)) return
      // Forgotten at once: who asks for these blocks from now on must not inherit the abort.
      for (const mate of wanted.mates) this.#forget(mate)
      wanted.fetch.abort()
    }
  }

  #flush(): void {
    const queue = this.#queue.sort((one, other) => one.index - other.index)
    this.#queue = []
    const gone = queue.filter((wanted) => wanted.readers === 0)
    for (const wanted of gone) this.#settle(wanted, () => wanted.reject(new DOMException('aborted', 'AbortError')))
    const indexes = queue.filter((wanted) => wanted.readers > 0).map((wanted) => wanted.index)
    const runs = runsOf(indexes, Math.max(Math.floor(MOST_RUN_BYTES / this.#parts.blockBytes), 1))
    runs.forEach((run, i) => {
      const ahead = i === runs.length - 1 ? this.#aheadOf(run) : 0
      void this.#fetch({ first: run.first, count: run.count + ahead })
    })
  }

  /** Blocks to be read ahead of a run: twice as many each time it begins where the last one ended. */
  #aheadOf(run: Run): number {
    const { size, blockBytes, aheadBytes } = this.#parts
    const isSequential = run.first === this.#next
    const most = this.#readsAhead ? Math.floor(aheadBytes / blockBytes) : 0
    this.#ahead = isSequential ? Math.min(Math.max(this.#ahead * 2, 1), most) : 0
    const end = run.first + run.count
    const blocks = Math.ceil(size / blockBytes)
    let ahead = 0
    while (ahead < this.#ahead && end + ahead < blocks && this.#isMissing(end + ahead)) ahead++
    this.#next = end + ahead
    return ahead
  }

  #isMissing(index: number): boolean {
    return !this.#wanted.has(index) && !this.#parts.isKept(index)
  }

  async #fetch(run: Run): Promise<void> {
    const { size, blockBytes } = this.#parts
    const fetch = new AbortController()
    const mates: Wanted[] = []
    for (let index = run.first; index < run.first + run.count; index++) {
      mates.push(this.#wanted.get(index) ?? this.#want(index))
    }
    // A block in a gap may be on its way by another run: that one settles it.
    const own = mates.filter((wanted) => wanted.fetch === undefined)
    for (const wanted of own) Object.assign(wanted, { fetch, mates: own })
    const offset = run.first * blockBytes
    const length = Math.min(run.count * blockBytes, size - offset)
    try {
      const bytes = await this.#parts.read({ offset, length }, fetch.signal)
      for (const wanted of own) {
        const at = (wanted.index - run.first) * blockBytes
        // A copy: a view would keep the whole run alive when the other blocks are dropped.
        const block = own.length === 1 ? bytes.subarray(at, at + blockBytes) : bytes.slice(at, at + blockBytes)
        this.#parts.keep(wanted.index, block)
        this.#settle(wanted, () => wanted.resolve(block))
      }
    } catch (error) {
      for (const wanted of own) this.#settle(wanted, () => wanted.reject(error))
    }
  }

  #settle(wanted: Wanted, action: () => void): void {
    this.#forget(wanted)
    action()
  }

  #forget(wanted: Wanted): void {
    if (this.#wanted.get(wanted.index) === wanted) this.#wanted.delete(wanted.index)
  }
}

/** Neighbouring blocks. */
export interface Run {
  readonly first: number
  readonly count: number
}

/** Sorted block numbers as runs, over gaps of one block, none longer than `most`. */
function runsOf(indexes: readonly number[], most: number): readonly Run[] {
  const runs: Run[] = []
  for (const index of indexes) {
    const last = runs.at(-1)
    if (last !== undefined && index <= last.first + last.count + 1 && index - last.first < most) {
      runs[runs.length - 1] = { first: last.first, count: index - last.first + 1 }
    } else {
      runs.push({ first: index, count: 1 })
    }
  }
  return runs
}
