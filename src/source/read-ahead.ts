import type { ByteRange } from '../bytes/byte-range.ts'
import { beginAnew, FEWEST_READS, MOST_LATE_READS, type ReadRuns, type Run, wholeOf } from './read-runs.ts'
import type { Source } from './source.ts'
import { Stretch } from './stretch.ts'

/**
 * What is read ahead is half as much as was asked for so far, since its reader may stop and its host may want money for it; at most
 * what the reader takes in this time, and this much.
 */
const AHEAD_MS = 500
const MOST_AHEAD_BYTES = 2 ** 22
/** Less is not worth a request. */
const LEAST_READS_AHEAD = 4
/** What has come and was not asked for is dropped: the file may be another one by then. */
const KEPT_MS = 1000

/** Memory for what is read ahead, of all sources together. */
export interface AheadRoom {
  left: number
}

export function aheadRoom(bytes = 2 ** 26): AheadRoom {
  return { left: bytes }
}

/** What is read of a source before runs of reads have come to it: each byte once, whoever asks for it. */
export class ReadAhead {
  readonly #source: Source
  readonly #room: AheadRoom
  readonly #runs: ReadRuns
  /** What is there or on its way, in the order of the file; none of them overlap. */
  stretches: readonly Stretch[] = []

  constructor(source: Source, runs: ReadRuns, room: AheadRoom) {
    this.#source = source
    this.#runs = runs
    this.#room = room
  }

  /** The bytes of a range that was read ahead, or is being read; undefined where it must be read by itself. */
  read(range: ByteRange, run: Run, signal: AbortSignal | undefined): Promise<Uint8Array> | undefined {
    const isDense = run.bytes * 2 >= run.end - run.start
    // Where only a guess names the version, the origin is asked for it around each read.
    if (run.count >= FEWEST_READS && isDense && this.#source.isGuessed !== true) this.#goOn(run, range.length)
    const end = range.offset + range.length
    const parts = this.stretches.filter(({ from, to }) => from < end && range.offset < to)
    const isAhead = this.#coveredFrom(range.offset) >= end
    return isAhead ? this.#gather(range, parts, run, signal) : undefined
  }

  async #gather(
    range: ByteRange,
    parts: readonly Stretch[],
    run: Run,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array> {
    const end = range.offset + range.length
    try {
      for (const part of parts) {
        const hasCome = await part.reaches(Math.min(end, part.to), signal)
        if (!hasCome) return await this.#source.read(range, { signal })
      }
    } catch (error) {
      // Who has left will not ask for the next ones.
      if (signal?.aborted === true && !this.#of(run).some(({ isAwaited }) => isAwaited)) this.#stop(run)
      throw error
    }
    // A copy: a view would keep all of a stretch in memory for as long as a client takes its chunk.
    const { buffer, byteOffset, length } = Buffer.concat(parts.map((part) => part.within(range)))
    return new Uint8Array(buffer, byteOffset, length)
  }

  /** Up to where everything from this offset on is ahead, without a gap. */
  #coveredFrom(offset: number): number {
    let end = offset
    for (const { from, to } of this.stretches) if (from <= end && end < to) end = to
    return end
  }

  /** Reads the next stretch once the run has come half through what is ahead of it. */
  #goOn(run: Run, length: number): void {
    const { end, bytes, begunAt, lastAt } = run
    const taken = (bytes / Math.max(lastAt - begunAt, 1)) * AHEAD_MS
    const ahead = Math.floor(Math.min(bytes / 2, taken, MOST_AHEAD_BYTES))
    const from = this.#coveredFrom(end)
    const next = this.stretches.find((stretch) => stretch.from >= from)?.from ?? Number.POSITIVE_INFINITY
    const to = Math.min(end + ahead, this.#source.size, next, this.#runs.nextStart(from, run))
    if (from - end > ahead / 2 || to - from < LEAST_READS_AHEAD * length || to - from > this.#room.left) return
    // What the run has left far behind will not be asked for any more.
    const behind = end - Math.max(ahead, Math.min(MOST_LATE_READS * length, MOST_AHEAD_BYTES))
    this.#drop(this.#of(run).filter((stretch) => stretch.to < behind))
    this.#room.left -= to - from
    const stretch: Stretch = new Stretch({ offset: from, length: to - from }, run, this.#source, () => {
      // One that was dropped says nothing of the others.
      if (!this.stretches.includes(stretch)) return
      // Who waits reads for himself, and is told what is wrong.
      if (!stretch.isWhole) this.#stop(stretch.run)
      else setTimeout(() => this.#expire(stretch), KEPT_MS).unref()
    })
    this.stretches = [...this.stretches, stretch].sort((one, other) => one.from - other.from)
  }

  /** Of a reader that did not come so far, less is known than was thought. */
  #expire(old: Stretch): void {
    if (this.stretches.includes(old) && old.to > wholeOf(old.run).end) this.#stop(old.run)
    else this.#drop([old])
  }

  /** Drops all that is ahead of a run, which begins anew. */
  #stop(run: Run): void {
    beginAnew(wholeOf(run))
    this.#drop(this.#of(run))
  }

  #of(run: Run): readonly Stretch[] {
    const whole = wholeOf(run)
    return this.stretches.filter((stretch) => wholeOf(stretch.run) === whole)
  }

  /** Ends what is still to come of them, but for those who wait for it. */
  #drop(old: readonly Stretch[]): void {
    for (const stretch of old) {
      if (!this.stretches.includes(stretch)) continue
      this.stretches = this.stretches.filter((other) => other !== stretch)
      this.#room.left += stretch.to - stretch.from
      if (!stretch.isAwaited) stretch.stop()
    }
  }
}
