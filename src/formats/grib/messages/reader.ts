import { type ByteRange, endOf } from '../../../bytes/byte-range.ts'
import type { ReadOptions, Source } from '../../../source/source.ts'

/** Longest section that is read: those with data are passed over. */
const MOST_SECTION_BYTES = 16_777_216

/** Bytes of a file that were read. */
export interface Window {
  readonly offset: number
  readonly bytes: Uint8Array
}

/** Where messages are long, what is between their headers is not worth reading: how much is read at each place. */
export interface LoneReads {
  readonly length: number
}

/** Reads sections of messages, and keeps one copy of those that are alike: fields of a file share most of them. */
export class SectionReader {
  readonly #source: Source
  readonly #options: ReadOptions
  readonly #known: Map<string, Uint8Array>
  readonly #windows: readonly Window[]
  readonly #lone: LoneReads | undefined
  #last: Window | undefined

  constructor(
    source: Source,
    options: ReadOptions,
    known: Map<string, Uint8Array> = new Map(),
    lone?: LoneReads,
    windows: readonly Window[] = [],
  ) {
    this.#source = source
    this.#options = options
    this.#known = known
    this.#lone = lone
    this.#windows = windows
  }

  get size(): number {
    return this.#source.size
  }

  /** The same file and the same sections, read at places far from each other, of which some were read already. */
  alone(lone: LoneReads | undefined, windows: readonly Window[] = []): SectionReader {
    return new SectionReader(this.#source, this.#options, this.#known, lone, windows)
  }

  /** The same for a walk of its own beside others. */
  apart(): SectionReader {
    return this.alone(this.#lone)
  }

  /** So many bytes, or as many as the file has. */
  async read(offset: number, length: number): Promise<Uint8Array> {
    const range = this.#inFile({ offset, length })
    if (this.#lone === undefined) return await this.#source.read(range, this.#options)
    const held = this.held(range)
    if (held !== undefined) return held
    const window = await this.window(offset, Math.max(length, this.#lone.length))
    this.#last = window
    return window.bytes.subarray(0, range.length)
  }

  /** Bytes by a read of their own. */
  async window(offset: number, length: number): Promise<Window> {
    const range = this.#inFile({ offset, length })
    return { offset, bytes: await this.#source.read(range, { ...this.#options, isLone: true }) }
  }

  /** Bytes that are in a window. */
  held(range: ByteRange): Uint8Array | undefined {
    const window = [this.#last, ...this.#windows].find(
      (known) =>
        known !== undefined && range.offset >= known.offset && endOf(range) <= known.offset + known.bytes.length,
    )
    return window?.bytes.subarray(range.offset - window.offset, endOf(range) - window.offset)
  }

  /** Bytes that stay. */
  async section(offset: number, length: number): Promise<Uint8Array> {
    return this.shared(await this.read(offset, Math.min(length, MOST_SECTION_BYTES)))
  }

  /** The one copy of bytes that sections may have in common. */
  shared(bytes: Uint8Array): Uint8Array {
    const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const copy = Uint8Array.from(bytes)
    this.#known.set(key, copy)
    return copy
  }

  #inFile({ offset, length }: ByteRange): ByteRange {
    return { offset, length: Math.max(0, Math.min(length, this.#source.size - offset)) }
  }
}
