import type { ReadOptions, Source } from '../../source/source.ts'
import { BLOCK_BYTES } from './header.ts'

/** Longest repeating pattern of HDUs that is looked for: values, errors, quality and tables of one exposure, for example. */
const MAX_PERIOD = 8
/** Two HDUs count as equally long when only a few header blocks differ: the page that is read contains the header all the same. */
const TOLERANCE_BYTES = 6 * BLOCK_BYTES
/** One HDU that is as long as an earlier one may be chance. */
const MIN_REPETITIONS = 2
/** Headers that are read ahead at once, and how many for each HDU that was where the pattern said. */
const MAX_PREDICTED = 64
const GROWTH = 4
/** What opening a file brings along: headers in it cost nothing. */
const HEAD_BYTES = 64 * 1024
/** HDUs that are this long on average are read as a whole: each header costs a page of about this size in any case. */
const MAX_DENSE_BYTES = 256 * 1024
/** The average is that of the last few HDUs, two at least. */
const RECENT_HDUS = 4
const MIN_RECENT_HDUS = 2
const FIRST_EXTENT_BYTES = 512 * 1024
/** All of an extent must stay in the source's cache until its headers are parsed. */
const MAX_EXTENT_BYTES = 12 * 1024 * 1024
/** One read of an extent: longer ones are not cached by the source. */
const EXTENT_READ_BYTES = 1024 * 1024

/**
 * FITS is a linked list: each header says where the next one begins, so that a walk costs one round trip per HDU. This reads the
 * headers of HDUs to come together with the next one: where the lengths of the last HDUs repeat, at the places that
 * follow from them; where HDUs are short, the bytes that follow. The bytes go through the source's cache. A wrong guess costs
 * bytes in proportion to the guesses that were right before it, and nothing else: the walk itself never relies on a guess.
 */
export class HeaderPrefetch {
  readonly #source: Source
  readonly #options: ReadOptions
  /** Lengths of the HDUs so far, the last `MAX_PERIOD * MAX_PREDICTED` of them. */
  readonly #lengths: number[] = []
  /** Where headers were predicted, and the end of the extent that was read as a whole. */
  #predicted: readonly number[] = []
  #extentEnd = 0
  #extentBytes = 0
  #running: AbortController | undefined

  constructor(source: Source, options: ReadOptions) {
    this.#source = source
    this.#options = options
  }

  /** Notes an HDU that was read. */
  add(length: number): void {
    this.#lengths.push(length)
    if (this.#lengths.length > MAX_PERIOD * MAX_PREDICTED) this.#lengths.shift()
  }

  /** Begins to read ahead; to be called right before the header at `offset` is read, whose length is probably `headerBytes`. */
  prepare(offset: number, headerBytes: number): void {
    if (offset < Math.max(this.#extentEnd, HEAD_BYTES)) return
    if (this.#predicted.some((place) => Math.abs(place - offset) <= TOLERANCE_BYTES)) return
    const isAfterExtent = this.#extentEnd > 0 && offset - this.#extentEnd <= MAX_DENSE_BYTES
    this.stop()
    if (this.#isDense()) {
      const bytes = isAfterExtent ? this.#extentBytes * GROWTH : FIRST_EXTENT_BYTES
      this.#extentBytes = Math.min(bytes, MAX_EXTENT_BYTES)
      this.#extentEnd = Math.min(offset + this.#extentBytes, this.#source.size)
      for (let at = offset; at < this.#extentEnd; at += EXTENT_READ_BYTES) {
        this.#read(at, Math.min(EXTENT_READ_BYTES, this.#extentEnd - at))
      }
      return
    }
    this.#extentEnd = 0
    this.#predicted = predictedOffsets(this.#lengths, offset, this.#source.size)
    for (const place of this.#predicted) this.#read(place, Math.min(headerBytes, this.#source.size - place))
  }

  /** Gives up what is still being read. */
  stop(): void {
    this.#running?.abort()
    this.#running = undefined
    this.#predicted = []
  }

  #isDense(): boolean {
    const recent = this.#lengths.slice(-RECENT_HDUS)
    const bytes = recent.reduce((sum, length) => sum + length, 0)
    return recent.length >= MIN_RECENT_HDUS && bytes <= MAX_DENSE_BYTES * recent.length
  }

  #read(offset: number, length: number): void {
    this.#running ??= new AbortController()
    const { signal } = this.#running
    const signals = this.#options.signal === undefined ? [signal] : [signal, this.#options.signal]
    // A failure is not reported: the walk reads the same bytes when it needs them, and fails then.
    this.#source.read({ offset, length }, { signal: AbortSignal.any(signals) }).catch(() => undefined)
  }
}

/** Where the headers behind the one at `offset` lie if the lengths of HDUs go on to repeat as they did; empty if they don't repeat. */
export function predictedOffsets(lengths: readonly number[], offset: number, size: number): number[] {
  let period = 0
  let repeated = 0
  for (let candidate = 1; candidate <= MAX_PERIOD; candidate++) {
    const matches = repetitions(lengths, candidate)
    // Of equally good patterns the longest: a shorter one has been contradicted, or is part of it.
    if (matches >= MIN_REPETITIONS && matches >= repeated) {
      period = candidate
      repeated = matches
    }
  }
  const offsets: number[] = []
  const pattern = period === 0 ? [] : lengths.slice(-period)
  let at = offset
  for (let i = 0; i < Math.min(repeated * GROWTH, MAX_PREDICTED); i++) {
    at += pattern[i % period] ?? 0
    if (at >= size) break
    offsets.push(at)
  }
  return offsets
}

/** How many of the last lengths are those `period` before them. */
function repetitions(lengths: readonly number[], period: number): number {
  let count = 0
  for (let i = lengths.length - 1; i >= period; i--) {
    if (Math.abs((lengths[i] ?? 0) - (lengths[i - period] ?? 0)) > TOLERANCE_BYTES) break
    count++
  }
  return count
}
