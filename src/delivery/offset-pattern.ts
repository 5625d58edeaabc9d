import type { ByteRange } from '../bytes/byte-range.ts'
import { MAX_GAP_BYTES } from '../source/source.ts'
import { MAX_REST_MILLISECONDS, MAX_RUNS, MAX_WINDOW_BYTES, MIN_SPAN_MILLISECONDS } from './read-runs.ts'

/** Reads that follow each other, before what comes next is fetched. */
const MIN_RUN_READS = 4
/** A read belongs to a run where it would share a request with it, or no more lies between than some of its own length. */
const MAX_SKIPPED_READS = 8

interface Run {
  from: number
  to: number
  bytes: number
  count: number
  /** Up to where it was fetched. */
  aheadTo: number
  window: number
  readonly begunAt: number
  lastAt: number
}

/** Finds out how a file is read from its start to its end, in any order of neighbours, and what of it comes next. */
export class OffsetPattern {
  readonly #runs: Run[] = []

  /** Notes a read; returns the range to fetch next, as much as was read so far at first, then twice as much each time. */
  note({ offset, length }: ByteRange, now: number): ByteRange | undefined {
    const run = this.#runOf({ offset, length }, now)
    const isDense = run.bytes * 2 >= run.to - run.from
    if (run.count < MIN_RUN_READS || !isDense || now - run.begunAt < MIN_SPAN_MILLISECONDS) return undefined
    if (run.aheadTo - run.to > run.window / 2) return undefined
    run.window = Math.min(Math.max(run.bytes, run.window * 2), MAX_WINDOW_BYTES)
    const from = Math.max(run.aheadTo, run.to)
    run.aheadTo = run.to + run.window
    return from < run.aheadTo ? { offset: from, length: run.aheadTo - from } : undefined
  }

  #runOf({ offset, length }: ByteRange, now: number): Run {
    const gap = Math.max(MAX_GAP_BYTES, MAX_SKIPPED_READS * length)
    const end = offset + length
    for (const run of this.#runs) {
      if (now - run.lastAt > MAX_REST_MILLISECONDS || offset > run.to + gap || end < run.from - gap) continue
      run.from = Math.min(run.from, offset)
      run.to = Math.max(run.to, end)
      run.bytes = Math.min(run.bytes + length, run.to - run.from)
      run.count++
      run.lastAt = now
      return run
    }
    const run = { from: offset, to: end, bytes: length, count: 1, aheadTo: 0, window: 0, begunAt: now, lastAt: now }
    this.#runs.unshift(run)
    this.#runs.length = Math.min(this.#runs.length, MAX_RUNS)
    return run
  }
}
