import type { ByteRange } from '../bytes/byte-range.ts'
import { after, RecentParts } from './recent-parts.ts'

/** A table of entries of one size within a file. */
export interface TableInFile {
  readonly offset: number
  readonly entryBytes: number
  readonly count: number
  read(range: ByteRange, options: ReadOptions): Promise<Uint8Array>
}

/** Pages by their numbers. */
export type HeldPages = readonly (readonly [number, Uint8Array])[]

interface ReadOptions {
  readonly signal?: AbortSignal | undefined
}

/** One chunk never needs much more of a table than a block of the source. */
const PAGE_BYTES = 65_536
/** Bytes that keeping a page costs besides its content. */
const OVERHEAD = 100
/** Pages that stay: the places of two million chunks. */
const MOST_PAGES = 256
const MOST_BYTES = MOST_PAGES * (PAGE_BYTES + OVERHEAD)

/** A table that is read by pages: that of a large array is never read whole for one chunk. */
export class PagedTable {
  readonly #table: TableInFile
  readonly #pageEntries: number
  readonly #pages = new RecentParts<number, Uint8Array>(MOST_BYTES, (page) => page.byteLength + OVERHEAD)

  constructor(table: TableInFile, held: HeldPages = []) {
    this.#table = table
    this.#pageEntries = Math.max(1, Math.floor(PAGE_BYTES / Math.max(1, table.entryBytes)))
    for (const [index, page] of held) this.#pages.put(index, page)
  }

  /** The pages that are there, for a table that is made again. */
  held(): HeldPages {
    return this.#pages.entries()
  }

  /** The bytes of some entries, which are in the table; no promise once their pages are loaded. */
  run(first: number, count: number, options: ReadOptions): Uint8Array | Promise<Uint8Array> {
    const start = Math.floor(first / this.#pageEntries)
    const end = Math.floor((first + count - 1) / this.#pageEntries)
    const { entryBytes } = this.#table
    const begin = (first - start * this.#pageEntries) * entryBytes
    const cut = (bytes: Uint8Array) => bytes.subarray(begin, begin + count * entryBytes)
    return after(start >= end ? this.#page(start, options) : this.#joined(start, end, options), cut)
  }

  /** Calls back with the bytes of all entries, page by page, many pages asked for at once. */
  async each(visit: (bytes: Uint8Array) => void, options: ReadOptions): Promise<void> {
    const pages = Math.ceil(this.#table.count / this.#pageEntries)
    for (let start = 0; start < pages; start += MOST_PAGES) {
      const length = Math.min(MOST_PAGES, pages - start)
      const several = Array.from({ length }, (_, i) => this.#page(start + i, options))
      for (const page of await Promise.all(several)) visit(page)
    }
  }

  /** Bytes of memory held. */
  weight(): number {
    return 256 + this.#pages.weight
  }

  async #joined(start: number, end: number, options: ReadOptions): Promise<Uint8Array> {
    const pages = Array.from({ length: end - start + 1 }, (_, i) => this.#page(start + i, options))
    return Buffer.concat(await Promise.all(pages))
  }

  #page(index: number, options: ReadOptions): Uint8Array | Promise<Uint8Array> {
    return this.#pages.load(index, () => this.#read(index, options), options.signal)
  }

  async #read(index: number, options: ReadOptions): Promise<Uint8Array> {
    const { offset, entryBytes, count, read } = this.#table
    const first = index * this.#pageEntries
    const length = Math.min(this.#pageEntries, count - first) * entryBytes
    // A copy: what was read may be a view on a larger block.
    return (await read({ offset: offset + first * entryBytes, length }, options)).slice()
  }
}
