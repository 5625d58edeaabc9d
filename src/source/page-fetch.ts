import type { ByteRange } from '../bytes/byte-range.ts'
import { PAGE_BYTES } from './page-cache.ts'

/** What fetching pages needs. */
export interface PageFetchInput {
  readonly size: number
  read(range: ByteRange, signal: AbortSignal): Promise<Uint8Array>
  /** Pages that are being fetched, by whoever reads the same version of the file. */
  wanted(): WantedPages
  isKept(number: number): boolean
  keep(number: number, bytes: Uint8Array): void
}

/** A page that was asked for; its readers come and go. */
export interface WantedPage {
  readonly promise: Promise<Uint8Array>
  /** Counts a reader; what it returns counts the reader out. A fetch that nobody waits for is aborted. */
  join(): () => void
}

export type WantedPages = Map<number, WantedPage>

/** One that is fetched here. */
interface OwnPage extends WantedPage {
  readonly number: number
  readonly among: WantedPages
  readonly resolve: (bytes: Uint8Array) => void
  readonly reject: (error: unknown) => void
  readers: number
  fetch: AbortController | undefined
  mates: readonly OwnPage[]
}

/** Most bytes one request asks for. */
const MAX_RUN_BYTES = 4 * 1024 * 1024
/** Most that is fetched ahead of a sequential reader. */
const MAX_AHEAD_BYTES = 1024 * 1024

/**
 * Fetches missing pages. Those asked for in one turn of the event loop are sorted into runs of neighbours (over a gap of one
 * page), a run is one request; a sequential reader gets ever more pages ahead. Saves a parser most of its round trips: test/source/requests.test.ts.
 */
export class PageFetch {
  readonly #input: PageFetchInput
  #queue: OwnPage[] = []
  #ahead = 0
  #next = -1
  #readsAhead = true

  constructor(input: PageFetchInput) {
    this.#input = input
  }

  stopReadingAhead(): void {
    this.#readsAhead = false
  }

  /** The page, which is fetched unless somebody does so already. */
  page(number: number): WantedPage {
    const known = this.#input.wanted().get(number)
    if (known !== undefined) return known
    const page = this.#want(number)
    if (this.#queue.length === 0) setImmediate(() => this.#flush())
    this.#queue.push(page)
    return page
  }

  #want(number: number): OwnPage {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
    // Pages fetched ahead have nobody who would hear of their failure.
    promise.catch(() => undefined)
    const among = this.#input.wanted()
    const page: OwnPage = {
      number,
      among,
      promise,
      join: () => this.#join(page),
      resolve,
      reject,
      readers: 0,
      fetch: undefined,
      mates: [],
    }
    among.set(number, page)
    return page
  }

  #join(page: OwnPage): () => void {
    page.readers++
    return () => {
      page.readers--
      if (page.readers > 0 || page.fetch === undefined) return
      if (page.mates.some((mate) => mate.readers > 0)) return
      // Forgotten at once: who asks for these pages from now on must not inherit the abort.
      for (const mate of page.mates) forget(mate)
      page.fetch.abort()
    }
  }

  #flush(): void {
    const queue = this.#queue.sort((one, other) => one.number - other.number)
    this.#queue = []
    const [wanted, abandoned] = [
      queue.filter(({ readers }) => readers > 0),
      queue.filter(({ readers }) => readers === 0),
    ]
    for (const page of abandoned) {
      forget(page)
      page.reject(new DOMException('aborted', 'AbortError'))
    }
    const own = new Map(wanted.map((page) => [page.number, page]))
    const runs = runsOf([...own.keys()], MAX_RUN_BYTES / PAGE_BYTES)
    runs.forEach((run, i) => {
      const ahead = i === runs.length - 1 ? this.#aheadOf(run) : 0
      void this.#fetch({ first: run.first, count: run.count + ahead }, own)
    })
  }

  /** Pages to be fetched ahead of a run: twice as many each time it begins where the last one ended. */
  #aheadOf(run: Run): number {
    const isSequential = run.first === this.#next
    const most = this.#readsAhead ? MAX_AHEAD_BYTES / PAGE_BYTES : 0
    this.#ahead = isSequential ? Math.min(Math.max(this.#ahead * 2, 1), most) : 0
    const end = run.first + run.count
    const pages = Math.ceil(this.#input.size / PAGE_BYTES)
    let ahead = 0
    while (ahead < this.#ahead && end + ahead < pages && this.#isMissing(end + ahead)) ahead++
    this.#next = end + ahead
    return ahead
  }

  #isMissing(number: number): boolean {
    return !this.#input.wanted().has(number) && !this.#input.isKept(number)
  }

  async #fetch(run: Run, queued: ReadonlyMap<number, OwnPage>): Promise<void> {
    const fetch = new AbortController()
    const own: OwnPage[] = []
    for (let number = run.first; number < run.first + run.count; number++) {
      // A page in a gap may be on its way by another run: that one settles it.
      const page = queued.get(number) ?? (this.#input.wanted().has(number) ? undefined : this.#want(number))
      if (page !== undefined && page.fetch === undefined) own.push(page)
    }
    for (const page of own) Object.assign(page, { fetch, mates: own })
    const offset = run.first * PAGE_BYTES
    const length = Math.min(run.count * PAGE_BYTES, this.#input.size - offset)
    try {
      const bytes = await this.#input.read({ offset, length }, fetch.signal)
      for (const page of own) {
        const at = (page.number - run.first) * PAGE_BYTES
        const part = bytes.subarray(at, at + PAGE_BYTES)
        this.#input.keep(page.number, part)
        forget(page)
        page.resolve(part)
      }
    } catch (error) {
      for (const page of own) {
        forget(page)
        page.reject(error)
      }
    }
  }
}

function forget({ among, number, ...page }: OwnPage): void {
  if (among.get(number)?.promise === page.promise) among.delete(number)
}

/** Neighbouring pages. */
interface Run {
  readonly first: number
  readonly count: number
}

/** Sorted page numbers as runs, over gaps of one page, none longer than `max`. */
function runsOf(numbers: readonly number[], max: number): readonly Run[] {
  const runs: Run[] = []
  for (const number of numbers) {
    const last = runs.at(-1)
    if (last !== undefined && number <= last.first + last.count + 1 && number - last.first < max) {
      runs[runs.length - 1] = { first: last.first, count: number - last.first + 1 }
    } else {
      runs.push({ first: number, count: 1 })
    }
  }
  return runs
}
