import type { ByteRange } from '../bytes/byte-range.ts'
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
  ahead: ReadAhead | undefined
}

/** Memory for what is read ahead, of all sources together. */
export interface AheadRoom {
  left: number
}

export function aheadRoom(bytes = 2 ** 26): AheadRoom {
  return { left: bytes }
}

/** What is read of a source before a run of reads has come to it. */
export class ReadAhead {
  readonly #source: Source
  readonly #run: Run
  readonly #room: AheadRoom
  /** One behind the other, without gaps. */
  readonly #stretches: Stretch[] = []

  constructor(source: Source, run: Run, room: AheadRoom) {
    this.#source = source
    this.#run = run
    this.#room = room
  }

  /** The bytes of a range that was read ahead, or is being read; undefined where it must be read by itself. */
  read(range: ByteRange, signal: AbortSignal | undefined): Promise<Uint8Array> | undefined {
    this.#goOn(range.length)
    const [first, last] = [this.#stretches[0], this.#stretches.at(-1)]
    const isAhead = first !== undefined && first.from <= range.offset && range.offset + range.length <= (last?.to ?? 0)
    return isAhead ? this.#gather(range, signal) : undefined
  }

  /** Drops all of it; the run begins anew. */
  stop(): void {
    const { end, lastAt } = this.#run
    Object.assign(this.#run, { start: end, count: 0, bytes: 0, begunAt: lastAt })
    this.#dropUpTo(this.#stretches.at(-1))
  }

  async #gather(range: ByteRange, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const end = range.offset + range.length
    const parts = this.#stretches.filter(({ from, to }) => from < end && range.offset < to)
    try {
      for (const part of parts) {
        const hasCome = await part.reaches(Math.min(end, part.to), signal)
        if (!hasCome) return await this.#source.read(range, { signal })
      }
    } catch (error) {
      // Who has left will not ask for the next ones.
      if (signal?.aborted === true && !this.#stretches.some(({ isAwaited }) => isAwaited)) this.stop()
      throw error
    }
    // A copy: a view would keep all of a stretch in memory for as long as a client takes its chunk.
    const { buffer, byteOffset, length } = Buffer.concat(parts.map((part) => part.within(range)))
    return new Uint8Array(buffer, byteOffset, length)
  }

  /** Reads the next stretch once the run has come half through what is ahead of it. */
  #goOn(length: number): void {
    const { end, bytes, begunAt, lastAt } = this.#run
    const taken = (bytes / Math.max(lastAt - begunAt, 1)) * AHEAD_MS
    const ahead = Math.floor(Math.min(bytes / 2, taken, MOST_AHEAD_BYTES))
    const last = this.#stretches.at(-1)
    const from = Math.max(end, last?.to ?? 0)
    const window = Math.min(end + ahead, this.#source.size) - from
    if (from - end > ahead / 2 || window < LEAST_READS_AHEAD * length || window > this.#room.left) return
    // What the run has left far behind will not be asked for any more; and there are no gaps between stretches.
    this.#dropUpTo(last?.to === from ? this.#stretches.findLast(({ to }) => to < end - ahead) : last)
    const range = { offset: from, length: window }
    this.#room.left -= window
    const stretch: Stretch = new Stretch(range, this.#source, () => {
      // One that was dropped says nothing of the others.
      if (!this.#stretches.includes(stretch)) return
      // Who waits reads for himself, and is told what is wrong.
      if (!stretch.isWhole) this.stop()
      else setTimeout(() => this.#expire(stretch), KEPT_MS).unref()
    })
    this.#stretches.push(stretch)
  }

  /** Of a reader that did not come so far, less is known than was thought. */
  #expire(old: Stretch): void {
    if (this.#stretches.includes(old) && old.to > this.#run.end) this.stop()
    else this.#dropUpTo(old)
  }

  /** Ends what is still to come of them, but for those who wait for it. */
  #dropUpTo(old: Stretch | undefined): void {
    const count = old === undefined ? 0 : this.#stretches.indexOf(old) + 1
    for (const stretch of this.#stretches.splice(0, count)) {
      this.#room.left += stretch.to - stretch.from
      if (!stretch.isAwaited) stretch.stop()
    }
  }
}
