import { LRUCache } from 'lru-cache'
import type { ByteRange } from '../bytes/byte-range.ts'
import { coveredTo, type FetchWindow } from './fetch-window.ts'
import type { WantedPages } from './page-fetch.ts'
import type { Source, Sources } from './source.ts'

/** Length of a page, except for the last one of a file. */
export const PAGE_BYTES = 64 * 1024

/** Metadata and indexes have a share of their own, so that reading through an array never evicts an index. */
export type PageShare = 'index' | 'data'

export interface PageCacheSettings {
  readonly indexBytes: number
  readonly dataBytes: number
  /** Pages are not used for longer; absent: for as long as there is room for them. */
  readonly maxAgeMilliseconds?: number | undefined
}

/** Consecutive bytes of a page. */
interface Fragment {
  /** Within the page. */
  readonly start: number
  readonly bytes: Uint8Array
}

/** What is known of a page: some fragments in their order, which neither overlap nor touch. */
interface Page {
  readonly fragments: readonly Fragment[]
  /** It was fetched before anybody asked for it, and nobody has yet. */
  isUnused: boolean
}

/** Memory that a page takes besides its bytes. */
const PAGE_OVERHEAD_BYTES = 200
/** Versions of files that are told apart; of others the pages are fetched anew. */
const MAX_FILES = 50_000
/** Reads of chunks that are remembered, so that the second one of the same bytes keeps them. */
const MAX_REMEMBERED_READS = 20_000

/** Counts entries: `max` would take memory for all of them from the start. */
const one = () => 1

export interface PageStatistics {
  readonly indexBytes: number
  readonly dataBytes: number
  /** Reads of chunks that were answered from pages. */
  readonly hits: number
  readonly prefetchedBytes: number
  /** Of the prefetched ones, those of pages that somebody has read since. */
  readonly usedBytes: number
}

/**
 * Bytes of files that were read before, in aligned pages, for all readers of a process. A key names one version of a file and with
 * whose credentials it is read, so that a page never answers for another version, nor for somebody who may not read it.
 */
export class PageCache {
  readonly dataBytes: number
  readonly #shares: Readonly<Record<PageShare, LRUCache<string, Page>>>
  readonly #files = new LRUCache<string, FilePages>({ maxSize: MAX_FILES, sizeCalculation: one })
  readonly #readOnce = new LRUCache<string, true>({ maxSize: MAX_REMEMBERED_READS, sizeCalculation: one })
  #nextFile = 0
  #hits = 0
  #prefetchedBytes = 0
  #usedBytes = 0

  constructor({ indexBytes, dataBytes, maxAgeMilliseconds }: PageCacheSettings) {
    const share = (maxSize: number) =>
      new LRUCache<string, Page>({
        maxSize: Math.max(maxSize, 1),
        sizeCalculation: weightOf,
        ttl: maxAgeMilliseconds ?? 0,
      })
    this.dataBytes = dataBytes
    this.#shares = { index: share(indexBytes), data: share(dataBytes) }
  }

  /** The pages of one version of a file. */
  file(key: string): FilePages {
    const known = this.#files.get(key)
    if (known !== undefined) return known
    const pages = new FilePages(this)
    this.#files.set(key, pages)
    return pages
  }

  get statistics(): PageStatistics {
    const { index, data } = this.#shares
    return {
      indexBytes: index.calculatedSize,
      dataBytes: data.calculatedSize,
      hits: this.#hits,
      prefetchedBytes: this.#prefetchedBytes,
      usedBytes: this.#usedBytes,
    }
  }

  /** Names the pages of a file: another name makes those that were kept under the old one unreachable. */
  newFile(): string {
    return `${this.#nextFile++}`
  }

  get(file: string, number: number): Page | undefined {
    const key = `${file}/${number}`
    const page = this.#shares.index.get(key) ?? this.#shares.data.get(key)
    if (page?.isUnused === true) {
      page.isUnused = false
      for (const { bytes } of page.fragments) this.#usedBytes += bytes.length
    }
    return page
  }

  has(file: string, number: number): Page | undefined {
    const key = `${file}/${number}`
    return this.#shares.index.peek(key) ?? this.#shares.data.peek(key)
  }

  put(share: PageShare, file: string, number: number, added: Fragment, isPrefetched: boolean): void {
    const key = `${file}/${number}`
    const pages = this.#shares[share]
    const before = pages.peek(key)
    const fragments = before === undefined ? [added] : mergedFragments(before.fragments, added)
    // What is set again as it is would keep its old weight.
    if (before !== undefined) pages.delete(key)
    pages.set(key, { fragments, isUnused: isPrefetched })
    if (isPrefetched) this.#prefetchedBytes += added.bytes.length
  }

  delete(share: PageShare, file: string, number: number): void {
    this.#shares[share].delete(`${file}/${number}`)
  }

  countHit(): void {
    this.#hits++
  }

  /** Whether the same bytes were read before; remembers that they are now. */
  wasReadBefore(file: string, { offset, length }: ByteRange): boolean {
    const key = `${file}/${offset}+${length}`
    const isKnown = this.#readOnce.has(key)
    if (!isKnown) this.#readOnce.set(key, true)
    return isKnown
  }
}

/** The pages of one version of a file, as far as they are kept. */
export class FilePages {
  readonly #cache: PageCache
  #name: string
  /** Pages of the index share that were kept. */
  readonly #indexPages = new Set<number>()
  /** Pages that are being fetched for parsers. */
  readonly wanted: WantedPages = new Map()
  /** What is being fetched before it is asked for, in the order of the file; none of them overlap. */
  windows: readonly FetchWindow[] = []

  constructor(cache: PageCache) {
    this.#cache = cache
    this.#name = cache.newFile()
  }

  /** Bytes of memory that data may take, of all files together. */
  get dataBytes(): number {
    return this.#cache.dataBytes
  }

  /** A whole page; undefined where only a part of it is kept. The last page of a file is as long as told. */
  page(number: number, length: number): Uint8Array | undefined {
    const first = this.#cache.get(this.#name, number)?.fragments[0]
    return first?.start === 0 && first.bytes.length === length ? first.bytes : undefined
  }

  /** The bytes of a range where all of them are kept: a view where one fragment holds them. */
  read({ offset, length }: ByteRange): Uint8Array | undefined {
    if (length === 0) return new Uint8Array(0)
    const number = Math.floor(offset / PAGE_BYTES)
    const end = offset + length
    if (end <= (number + 1) * PAGE_BYTES) return this.#within(number, offset, end)
    if (!this.has({ offset, length })) return undefined
    const target = new Uint8Array(length)
    for (let at = offset; at < end; ) {
      const part = this.#within(Math.floor(at / PAGE_BYTES), at, Math.min(end, pageEnd(at)))
      if (part === undefined) return undefined
      target.set(part, at - offset)
      at += part.length
    }
    return target
  }

  /** The same, in memory of its own: a view would keep whole pages for as long as its reader takes. */
  copy(range: ByteRange): Uint8Array | undefined {
    const bytes = this.read(range)
    if (bytes === undefined) return undefined
    this.#cache.countHit()
    // A buffer's own `slice` would be a view.
    return new Uint8Array(bytes)
  }

  has({ offset, length }: ByteRange): boolean {
    return this.keptTo(offset, offset + length) === offset + length
  }

  /** Up to where all bytes from an offset on are kept, at most up to `end`. */
  keptTo(offset: number, end: number): number {
    let at = offset
    while (at < end) {
      const number = Math.floor(at / PAGE_BYTES)
      const fragment = fragmentAt(this.#cache.has(this.#name, number), at - number * PAGE_BYTES)
      if (fragment === undefined) return at
      at = Math.min(end, number * PAGE_BYTES + fragment.start + fragment.bytes.length)
    }
    return at
  }

  /** Up to where all bytes from an offset on are kept or being fetched, at most up to `end`. */
  comingTo(offset: number, end: number): number {
    for (let at = offset; ; ) {
      const next = coveredTo(this.windows, this.keptTo(at, end), end)
      if (next === at || next === end) return next
      at = next
    }
  }

  /** Keeps bytes; parts of a page that are there already stay as they are. */
  put(share: PageShare, offset: number, bytes: Uint8Array, isPrefetched = false): void {
    const end = offset + bytes.length
    for (let at = offset; at < end; at = pageEnd(at)) {
      const number = Math.floor(at / PAGE_BYTES)
      if (share === 'index') this.#indexPages.add(number)
      const part = bytes.subarray(at - offset, Math.min(end, pageEnd(at)) - offset)
      // A copy of what is part of something longer, which it would keep in memory.
      const own = part.length === part.buffer.byteLength ? part : new Uint8Array(part)
      this.#cache.put(share, this.#name, number, { start: at - number * PAGE_BYTES, bytes: own }, isPrefetched)
    }
  }

  /** Keeps the bytes of a chunk if they are read for the second time. */
  putOnSecondRead(range: ByteRange, bytes: Uint8Array): void {
    if (this.#cache.wasReadBefore(this.#name, range)) this.put('data', range.offset, bytes)
  }

  /** Makes room: what was read of metadata and indexes is not needed any more. */
  dropIndex(): void {
    for (const number of this.#indexPages) this.#cache.delete('index', this.#name, number)
    this.#indexPages.clear()
  }

  /** What is kept turned out to be damaged: nobody is given it any more. */
  drop(): void {
    this.#name = this.#cache.newFile()
  }

  #within(number: number, offset: number, end: number): Uint8Array | undefined {
    const start = offset - number * PAGE_BYTES
    const fragment = fragmentAt(this.#cache.get(this.#name, number), start)
    if (fragment === undefined) return undefined
    const from = start - fragment.start
    return from + end - offset <= fragment.bytes.length ? fragment.bytes.subarray(from, from + end - offset) : undefined
  }
}

function pageEnd(offset: number): number {
  return (Math.floor(offset / PAGE_BYTES) + 1) * PAGE_BYTES
}

/** The fragment that holds the byte at a place within the page. */
function fragmentAt(page: Page | undefined, start: number): Fragment | undefined {
  return page?.fragments.find((one) => one.start <= start && start < one.start + one.bytes.length)
}

/** What was there and is added; where fragments touch or overlap they become one. */
function mergedFragments(before: readonly Fragment[], added: Fragment): readonly Fragment[] {
  const addedEnd = added.start + added.bytes.length
  const isApart = ({ start, bytes }: Fragment) => start > addedEnd || start + bytes.length < added.start
  const touching = before.filter((one) => !isApart(one))
  const start = Math.min(added.start, ...touching.map((one) => one.start))
  const end = Math.max(addedEnd, ...touching.map((one) => one.start + one.bytes.length))
  const bytes = new Uint8Array(end - start)
  bytes.set(added.bytes, added.start - start)
  for (const one of touching) bytes.set(one.bytes, one.start - start)
  return [...before.filter(isApart), { start, bytes }].sort((one, other) => one.start - other.start)
}

function weightOf({ fragments }: Page): number {
  return fragments.reduce((sum, { bytes }) => sum + bytes.buffer.byteLength, PAGE_OVERHEAD_BYTES)
}

/** What is not worth pages: it is at hand. */
const LOCAL = ['file:', 'blob:', 'data:', 'memory:']

/**
 * The pages of a source that all its readers share; undefined for local files, and for versions that may not be told apart. What a
 * document named is read without our credentials: its pages are for that document only.
 */
export function sharedPages(
  cache: PageCache | undefined,
  source: Source,
  sources: Pick<Sources, 'scopeOf'>,
  referrer?: string,
): FilePages | undefined {
  const { url, validator, size, isWeak, isGuessed } = source
  if (cache === undefined || validator === undefined || isWeak === true || isGuessed === true) return undefined
  if (LOCAL.some((scheme) => url.startsWith(scheme))) return undefined
  const scope = referrer === undefined ? sources.scopeOf(url) : `named by ${referrer}`
  return cache.file([scope, url, validator, size].join('\n'))
}
