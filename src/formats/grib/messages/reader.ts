import type { ReadOptions, Source } from '../../../source/source.ts'

/** Longest section that is read: those with data are passed over. */
const MOST_SECTION_BYTES = 16_777_216

/** Reads sections of messages, and keeps one copy of those that are alike: fields of a file share most of them. */
export class SectionReader {
  readonly #source: Source
  readonly #options: ReadOptions
  readonly #known = new Map<string, Uint8Array>()

  constructor(source: Source, options: ReadOptions) {
    this.#source = source
    this.#options = options
  }

  get size(): number {
    return this.#source.size
  }

  /** So many bytes, or as many as the file has. */
  read(offset: number, length: number): Promise<Uint8Array> {
    const inFile = Math.max(0, Math.min(length, this.#source.size - offset))
    return this.#source.read({ offset, length: inFile }, this.#options)
  }

  /** Bytes that stay. */
  async section(offset: number, length: number): Promise<Uint8Array> {
    const bytes = await this.read(offset, Math.min(length, MOST_SECTION_BYTES))
    const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const copy = Uint8Array.from(bytes)
    this.#known.set(key, copy)
    return copy
  }
}
