import type { Endian } from '../../bytes/cursor.ts'
import { malformed } from '../../errors.ts'
import { RecentParts } from '../../model/recent-parts.ts'
import type { ReadOptions, Source } from '../../source/source.ts'
import type { Field } from './directories/ifd.ts'

/** Entries of one page: 64 KiB of offsets in BigTIFF, so that one chunk never needs much more of a table than a block. */
const PAGE_ENTRIES = 8192
/** Bytes that keeping a page costs besides its numbers. */
const OVERHEAD = 100
/** Pages that stay: 16 MiB of offsets, those of two million blocks. */
const MOST_PAGES = 256
const MOST_BYTES = MOST_PAGES * (PAGE_ENTRIES * 8 + OVERHEAD)

type Numbers = Float64Array | Uint32Array

/** A table of TileOffsets or TileByteCounts, read by pages: the table of a large file is never read whole for one tile. */
export class BlockTable {
  readonly #source: Source
  readonly #field: Field
  readonly #endian: Endian
  readonly #pages = new RecentParts<number, Numbers>(MOST_BYTES, (page) => page.byteLength + OVERHEAD)

  /** Entries that are used: the file may claim more. */
  readonly length: number

  constructor(source: Source, field: Field, endian: Endian, length: number) {
    this.#source = source
    this.#field = field
    this.#endian = endian
    this.length = Math.min(field.count, length)
  }

  /** The numbers `first` to `first + count - 1`; no promise once their pages are loaded. */
  run(first: number, count: number, options: ReadOptions): Numbers | Promise<Numbers> {
    if (first + count > this.length) {
      throw malformed(`block ${first + count - 1} is not in its table of ${this.length} entries`, {
        offset: this.#field.position,
      })
    }
    const start = Math.floor(first / PAGE_ENTRIES)
    const end = Math.floor((first + count - 1) / PAGE_ENTRIES)
    if (start === end) {
      const page = this.#page(start, options)
      const cut = (numbers: Numbers) =>
        numbers.subarray(first - start * PAGE_ENTRIES, first - start * PAGE_ENTRIES + count)
      return page instanceof Promise ? page.then(cut) : cut(page)
    }
    return this.#joined(start, end, options).then((all) =>
      all.subarray(first - start * PAGE_ENTRIES, first - start * PAGE_ENTRIES + count),
    )
  }

  /** Calls back with every entry, page by page, many pages asked for at once. */
  async each(visit: (numbers: Numbers) => void, options: ReadOptions): Promise<void> {
    const pages = Math.ceil(this.length / PAGE_ENTRIES)
    for (let start = 0; start < pages; start += MOST_PAGES) {
      const several = Array.from({ length: Math.min(MOST_PAGES, pages - start) }, (_, i) =>
        this.#page(start + i, options),
      )
      for (const page of await Promise.all(several)) visit(page)
    }
  }

  /** Bytes of memory held. */
  weight(): number {
    return 256 + this.#pages.weight
  }

  async #joined(start: number, end: number, options: ReadOptions): Promise<Numbers> {
    const pages = await Promise.all(Array.from({ length: end - start + 1 }, (_, i) => this.#page(start + i, options)))
    const all = new Float64Array(pages.reduce((length, page) => length + page.length, 0))
    for (const [i, page] of pages.entries()) all.set(page, i * PAGE_ENTRIES)
    return all
  }

  #page(index: number, options: ReadOptions): Numbers | Promise<Numbers> {
    return this.#pages.load(index, () => this.#read(index, options), options.signal)
  }

  async #read(index: number, options: ReadOptions): Promise<Numbers> {
    const { position, size, inline } = this.#field
    const first = index * PAGE_ENTRIES
    const count = Math.min(PAGE_ENTRIES, this.length - first)
    const range = { offset: position + first * size, length: count * size }
    const bytes = inline?.subarray(0, range.length) ?? (await this.#source.read(range, options))
    return numbersOf(bytes, size, this.#endian)
  }
}

/** Unsigned numbers of 1, 2, 4 or 8 bytes; beyond 2^53 they only have to be beyond every file. */
function numbersOf(bytes: Uint8Array, size: number, endian: Endian): Numbers {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const little = endian === 'little'
  const count = bytes.length / size
  const numbers = size === 8 ? new Float64Array(count) : new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    if (size === 8) {
      numbers[i] =
        view.getUint32(i * 8 + (little ? 4 : 0), little) * 2 ** 32 + view.getUint32(i * 8 + (little ? 0 : 4), little)
    } else if (size === 4) numbers[i] = view.getUint32(i * 4, little)
    else numbers[i] = size === 2 ? view.getUint16(i * 2, little) : view.getUint8(i)
  }
  return numbers
}
