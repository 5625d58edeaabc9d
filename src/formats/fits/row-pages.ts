import { malformed } from '../../errors.ts'
import type { ReadOptions, Source } from '../../source/source.ts'

/** The rows of a table. */
export interface RowTable {
  readonly offset: number
  readonly rowBytes: number
  readonly rows: number
}

/** One chunk never needs much more of a table than a block of the source. */
const PAGE_BYTES = 65_536
/** Pages that stay: 16 MiB, the rows of half a million tiles. */
const MOST_PAGES = 256

/** The rows of a table, read by pages: the table of a large image is never read whole for one tile. */
export class RowPages {
  readonly #source: Source
  readonly #table: RowTable
  readonly #pageRows: number
  /** In the order of last use. */
  readonly #pages = new Map<number, Uint8Array>()
  readonly #loading = new Map<number, Promise<Uint8Array>>()

  constructor(source: Source, table: RowTable) {
    this.#source = source
    this.#table = table
    this.#pageRows = Math.max(1, Math.floor(PAGE_BYTES / Math.max(1, table.rowBytes)))
  }

  /** The bytes of a row; no promise once its page is loaded. */
  row(row: number, options: ReadOptions): Uint8Array | Promise<Uint8Array> {
    const index = Math.floor(row / this.#pageRows)
    const start = (row - index * this.#pageRows) * this.#table.rowBytes
    const cut = (page: Uint8Array) => page.subarray(start, start + this.#table.rowBytes)
    const page = this.#page(index, options)
    return page instanceof Promise ? page.then(cut) : cut(page)
  }

  /** Bytes of memory held. */
  weight(): number {
    let bytes = 256
    for (const page of this.#pages.values()) bytes += page.byteLength + 100
    return bytes
  }

  #page(index: number, options: ReadOptions): Uint8Array | Promise<Uint8Array> {
    const page = this.#pages.get(index)
    if (page !== undefined) {
      this.#pages.delete(index)
      this.#pages.set(index, page)
      return page
    }
    const loading = this.#loading.get(index)
    if (loading !== undefined) return loading
    const bytes = this.#read(index, options)
    // Who waits for a page must not inherit another one's abort: only a page without a signal is shared.
    if (options.signal === undefined) this.#loading.set(index, bytes)
    return bytes.finally(() => this.#loading.delete(index))
  }

  async #read(index: number, options: ReadOptions): Promise<Uint8Array> {
    const { offset, rowBytes, rows } = this.#table
    const first = index * this.#pageRows
    const range = { offset: offset + first * rowBytes, length: Math.min(this.#pageRows, rows - first) * rowBytes }
    if (range.offset + range.length > this.#source.size) {
      throw malformed('the table of tiles is cut off', { url: this.#source.url, offset: range.offset })
    }
    // A copy: what was read may be a view on a larger block.
    const page = (await this.#source.read(range, options)).slice()
    this.#pages.set(index, page)
    const [oldest] = this.#pages.keys()
    if (this.#pages.size > MOST_PAGES && oldest !== undefined) this.#pages.delete(oldest)
    return page
  }
}
