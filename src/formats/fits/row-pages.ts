import { malformed } from '../../errors.ts'
import { RecentParts } from '../../model/recent-parts.ts'
import type { ReadOptions, Source } from '../../source/source.ts'

/** The rows of a table. */
export interface RowTable {
  readonly offset: number
  readonly rowBytes: number
  readonly rows: number
}

/** One chunk never needs much more of a table than a block of the source. */
const PAGE_BYTES = 65_536
/** Bytes that keeping a page costs besides its content. */
const OVERHEAD = 100
/** What stays: the rows of half a million tiles. */
const MOST_BYTES = 256 * (PAGE_BYTES + OVERHEAD)

/** The rows of a table, read by pages: the table of a large image is never read whole for one tile. */
export class RowPages {
  readonly #source: Source
  readonly #table: RowTable
  readonly #pageRows: number
  readonly #pages = new RecentParts<number, Uint8Array>(MOST_BYTES, (page) => page.byteLength + OVERHEAD)

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
    const page = this.#pages.load(index, () => this.#read(index, options), options.signal)
    return page instanceof Promise ? page.then(cut) : cut(page)
  }

  /** Bytes of memory held. */
  weight(): number {
    return 256 + this.#pages.weight
  }

  async #read(index: number, options: ReadOptions): Promise<Uint8Array> {
    const { offset, rowBytes, rows } = this.#table
    const first = index * this.#pageRows
    const range = { offset: offset + first * rowBytes, length: Math.min(this.#pageRows, rows - first) * rowBytes }
    if (range.offset + range.length > this.#source.size) {
      throw malformed('the table of tiles is cut off', { url: this.#source.url, offset: range.offset })
    }
    // A copy: what was read may be a view on a larger block.
    return (await this.#source.read(range, options)).slice()
  }
}
