// TIFF 6.0 section 2: the chain of directories, walked only as far as somebody asks.
import { Cursor } from '../../../bytes/cursor.ts'
import { malformed } from '../../../errors.ts'
import type { ReadOptions } from '../../../source/source.ts'
import { bodyRange, countBytes } from './ifd.ts'
import { type FileStart, type Page, readPage } from './read-ifds.ts'
import { ValueBudget } from './read-tags.ts'

/** Directories of the main chain by their number. A class, since it remembers where they are. */
export class DirectoryChain {
  readonly #start: FileStart
  /** Where the directories are, as far as is known; 0 behind the last one. */
  readonly #offsets: number[]
  readonly #visited: Set<number>

  constructor(start: FileStart) {
    this.#start = start
    const { offset, next } = start.first.tags.ifd
    this.#offsets = [offset, next === offset ? 0 : next]
    this.#visited = new Set([offset])
  }

  /** The directory of this number; throws where the chain ends before it. */
  async page(number: number, options: ReadOptions = {}): Promise<Page> {
    if (number === 0) return this.#start.first
    const offset = await this.#offsetOf(number, options)
    const { walk } = this.#start
    // What there is to say of such a directory is said when it is read, to nobody: the file is open already.
    const context = { ...walk.context, ...options, warn: () => undefined }
    return await readPage({ ...walk, context, visited: new Set(), budget: new ValueBudget() }, offset, 0)
  }

  async #offsetOf(number: number, options: ReadOptions): Promise<number> {
    for (;;) {
      const known = this.#offsets[number]
      if (known !== undefined && known !== 0) return known
      const last = this.#offsets.length - 1
      const offset = this.#offsets[last] ?? 0
      if (offset === 0) throw malformed(`the file has ${last} directories, and directory ${number} is asked for`)
      const next = await this.#nextOf(offset, options)
      // Somebody else may have come here meanwhile.
      if (this.#offsets.length - 1 !== last) continue
      this.#visited.add(offset)
      this.#offsets.push(this.#visited.has(next) ? 0 : next)
    }
  }

  /** The pointer behind the entries of a directory. */
  async #nextOf(offset: number, options: ReadOptions): Promise<number> {
    const { source, header } = this.#start.walk
    const count = await source.read({ offset, length: countBytes(header) }, options)
    const range = bodyRange(count, offset, source.size, header)
    const length = header.big ? 8 : 4
    const entries = range.length - (range.length % (header.big ? 20 : 12))
    if (range.length - entries < length) return 0
    const bytes = await source.read({ offset: range.offset + entries, length }, options)
    const cursor = new Cursor(bytes, header.endian, { base: range.offset + entries })
    return header.big ? cursor.u64() : cursor.u32()
  }
}
