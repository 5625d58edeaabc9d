import type { ByteRange } from '../bytes/byte-range.ts'

/** Reads of one source that follow each other in it. */
export interface Run {
  start: number
  /** Behind the last of them. */
  end: number
  count: number
  bytes: number
  begunAt: number
  /** When the last of them was asked for. */
  lastAt: number
  /** The run that this one is part of, since their reads have met. */
  into: Run | undefined
}

/** Bytes between two reads that nobody asked for: fewer than another request costs. */
export const MOST_GAP_BYTES = 2 ** 15
/** Reads of a run may come out of their order, and leave out some. */
const MOST_SKIPPED_READS = 8
export const MOST_LATE_READS = 64
/** A reader that rests for so long begins anew. */
const REST_MS = 1000
/** Readers of one source at several places, such as of its variables, and rows of one part of an array. */
const MOST_RUNS = 16
/** So many reads that follow each other are worth reading ahead of: fewer may be one row of a map's screen. */
export const FEWEST_READS = 12

/** How the reads of one source follow each other. */
export class ReadRuns {
  readonly #runs: Run[] = []

  /** The run that this read goes on with, or begins. */
  follow({ offset, length }: ByteRange): Run {
    const now = performance.now()
    for (const run of this.#runs) {
      const skipped = offset - run.end
      const isNext =
        skipped <= Math.max(MOST_GAP_BYTES, MOST_SKIPPED_READS * length) && skipped >= -MOST_LATE_READS * length
      if (!isNext || now - run.lastAt > REST_MS) continue
      run.lastAt = now
      const before = run.end
      if (skipped + length > 0) {
        run.end = offset + length
        run.count++
      }
      run.bytes = Math.min(run.bytes + length, run.end - run.start)
      this.#meet(run, before)
      return run
    }
    const once = { start: offset, end: offset + length, bytes: length, count: 1 }
    const run: Run = { ...once, begunAt: now, lastAt: now, into: undefined }
    this.#runs[this.#runs.length < MOST_RUNS ? this.#runs.length : this.#leastAt(now)] = run
    return run
  }

  /** Where others have read from this offset on. */
  nextStart(offset: number, { lastAt }: Run): number {
    const starts = this.#runs.filter((other) => other.start >= offset && lastAt - other.lastAt <= REST_MS)
    return Math.min(...starts.map(({ start }) => start))
  }

  /** Runs become one where the first has come to the start of the second: what is asked for at once comes in any order. */
  #meet(run: Run, before: number): void {
    for (const other of this.#runs) {
      if (other === run || other.start < before || other.start > run.end) continue
      if (run.lastAt - other.lastAt > REST_MS) continue
      run.end = Math.max(run.end, other.end)
      run.count += other.count
      run.bytes = Math.min(run.bytes + other.bytes, run.end - run.start)
      run.begunAt = Math.min(run.begunAt, other.begunAt)
      other.into = run
      this.#runs.splice(this.#runs.indexOf(other), 1)
      return
    }
  }

  /** Which one is given up: one whose reader rests, or the shortest. */
  #leastAt(now: number): number {
    const worths = this.#runs.map(({ count, lastAt }) => (now - lastAt > REST_MS ? 0 : count))
    return worths.indexOf(Math.min(...worths))
  }
}

/** Its reader has left, or what was read ahead for it did not come: it begins anew. */
export function beginAnew(run: Run): void {
  Object.assign(run, { start: run.end, count: 0, bytes: 0, begunAt: run.lastAt })
}

/** The run that it has become part of, if any. */
export function wholeOf(run: Run): Run {
  let whole = run
  while (whole.into !== undefined) whole = whole.into
  return whole
}
