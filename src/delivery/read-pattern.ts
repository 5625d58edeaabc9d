import { gridPosition } from '../model/chunk-index.ts'
import { MAX_REST_MILLISECONDS, MAX_RUNS, MIN_SPAN_MILLISECONDS } from './read-runs.ts'

/** Chunks along one axis that look like the start of a pattern: fewer where the array was walked through before. */
const MIN_PATTERN_READS = 4
const MIN_READS_AGAIN = 2
/** So many chunks of runs show that an array is walked through. */
const MIN_PROVEN_READS = 16
/** Reads that are compared with the next ones. */
const MAX_RECENT_READS = 32
/** Chunks of a run that are remembered as read. A box of more is not looked through for those that were left out. */
const MAX_SEEN = 4096

interface Read {
  readonly coords: readonly number[]
  readonly at: number
}

/**
 * Finds out how the chunks of an array are walked through. Four of them at equal distances along an axis begin a run; it grows with
 * the chunks that are read beside it, in any order and by any number of readers, as long as at least half of its box is read.
 */
export class ReadPattern {
  readonly #grid: readonly number[]
  #recent: Read[] = []
  readonly #runs: ReadRun[] = []
  #readInRuns = 0

  constructor(gridShape: readonly number[]) {
    this.#grid = gridShape
  }

  /** Notes that a chunk is read; returns the run that it is part of. */
  note(coords: readonly number[], now: number): ReadRun | undefined {
    for (const run of this.#runs) {
      if (now - run.lastAt > MAX_REST_MILLISECONDS || !run.take(coords, now)) continue
      // The one that reads now is found first.
      this.#runs.splice(this.#runs.indexOf(run), 1)
      this.#runs.unshift(run)
      this.#readInRuns++
      return run
    }
    const read = { coords, at: now }
    this.#recent = [...this.#recent.filter(({ at }) => now - at <= MAX_REST_MILLISECONDS), read].slice(
      -MAX_RECENT_READS,
    )
    const run = this.#begin(read)
    if (run === undefined) return undefined
    this.#runs.unshift(run)
    this.#runs.length = Math.min(this.#runs.length, MAX_RUNS)
    return run
  }

  /** A run of this chunk and others at equal distances along an axis, or of the last ones; and of what was read beside them. */
  #begin(read: Read): ReadRun | undefined {
    const run = this.#lineOf(read) ?? this.#boxOf(read)
    if (run === undefined) return undefined
    this.#recent = this.#recent.filter((one) => one !== read && !run.take(one.coords, read.at))
    return run
  }

  /** The last chunks, where they fill a box. */
  #boxOf(read: Read): ReadRun | undefined {
    const last = this.#recent.slice(-MIN_PATTERN_READS)
    const [oldest] = last
    if (last.length < MIN_PATTERN_READS || oldest === undefined || read.at - oldest.at < MIN_SPAN_MILLISECONDS)
      return undefined
    const run = new ReadRun(this.#grid, 0, [oldest])
    const isBox = last.every(({ coords, at }) => run.take(coords, at)) && run.isFull
    return isBox && run.count === MIN_PATTERN_READS ? run : undefined
  }

  #lineOf(read: Read): ReadRun | undefined {
    const positions = new Map(this.#recent.map((one) => [gridPosition(one.coords, this.#grid), one]))
    for (const other of this.#recent.toReversed()) {
      const axis = onlyAxis(read.coords, other.coords)
      if (axis === undefined) continue
      const line = lineThrough(read, other, axis, (coords) => {
        return (coords[axis] ?? 0) < (this.#grid[axis] ?? 0)
          ? positions.get(gridPosition(coords, this.#grid))
          : undefined
      })
      if (line.length < (this.#isProven(read, other) ? MIN_READS_AGAIN : MIN_PATTERN_READS)) continue
      const oldest = Math.min(...line.map(({ at }) => at))
      if (read.at - oldest < MIN_SPAN_MILLISECONDS) continue
      return new ReadRun(this.#grid, axis, line)
    }
    return undefined
  }

  /** Whether two neighbours are enough: who walks through an array goes on elsewhere. */
  #isProven(one: Read, other: Read): boolean {
    const distance = one.coords.reduce((sum, at, axis) => sum + Math.abs(at - (other.coords[axis] ?? 0)), 0)
    return distance === 1 && this.#readInRuns >= MIN_PROVEN_READS
  }
}

/** The one axis along which two chunks lie apart. */
function onlyAxis(one: readonly number[], other: readonly number[]): number | undefined {
  const axes = one.flatMap((at, axis) => (at === other[axis] ? [] : [axis]))
  return axes.length === 1 ? axes[0] : undefined
}

/** Chunks that were read at the distance of two of them, on both sides without a gap. */
function lineThrough(
  read: Read,
  other: Read,
  axis: number,
  readAt: (coords: readonly number[]) => Read | undefined,
): readonly Read[] {
  const step = Math.abs((read.coords[axis] ?? 0) - (other.coords[axis] ?? 0))
  const line = [read]
  for (const direction of [-step, step]) {
    for (let coords = moved(read.coords, axis, direction); ; coords = moved(coords, axis, direction)) {
      const next = (coords[axis] ?? 0) < 0 ? undefined : readAt(coords)
      if (next === undefined) break
      line.push(next)
    }
  }
  return line
}

function moved(coords: readonly number[], axis: number, by: number): readonly number[] {
  return coords.map((at, own) => (own === axis ? at + by : at))
}

/** Chunks of one reader: a box of the grid, or of every so many chunks along some axes. */
export class ReadRun {
  readonly #grid: readonly number[]
  #low: readonly number[]
  #high: readonly number[]
  /** Chunks from one that is read to the next, along each axis; 0 where only one was. */
  #step: readonly number[]
  /** The axis along which it grew last, and whether upwards. */
  #axis: number
  #isUpward: boolean
  /** Positions of chunks that were read, the oldest first. */
  readonly #seen = new Set<number>()
  #count = 0
  lastAt = 0

  constructor(grid: readonly number[], axis: number, line: readonly Read[]) {
    const [newest, ...others] = line
    const ats = line.map(({ coords }) => coords[axis] ?? 0).sort((one, other) => one - other)
    const first = newest?.coords ?? []
    this.#grid = grid
    this.#axis = axis
    this.#low = first.map((at, own) => (own === axis ? (ats[0] ?? 0) : at))
    this.#high = first.map((at, own) => (own === axis ? (ats.at(-1) ?? 0) : at))
    const [start = 0, next = start] = ats
    this.#step = first.map((_, own) => (own === axis ? next - start : 0))
    // The newest one lies at the end that its reader moves to.
    this.#isUpward = (first[axis] ?? 0) * 2 >= (ats[0] ?? 0) + (ats.at(-1) ?? 0)
    for (const { coords } of [...others, ...(newest === undefined ? [] : [newest])]) this.#see(coords)
    this.lastAt = newest?.at ?? 0
  }

  /** How many chunks were read. */
  get count(): number {
    return this.#count
  }

  /** Whether all of its box was read. */
  get isFull(): boolean {
    return this.#seen.size === boxLength(this.#low, this.#high, this.#step)
  }

  /** Takes a chunk into the run; false where it lies apart. */
  take(coords: readonly number[], now: number): boolean {
    const low = coords.map((at, axis) => Math.min(at, this.#low[axis] ?? 0))
    const high = coords.map((at, axis) => Math.max(at, this.#high[axis] ?? 0))
    const step = coords.map((at, axis) => commonStep(this.#step[axis] ?? 0, Math.abs(at - (this.#low[axis] ?? 0))))
    const isNew = !this.#seen.has(gridPosition(coords, this.#grid))
    const grows = coords.map((at, axis) => at < (this.#low[axis] ?? 0) || at > (this.#high[axis] ?? 0))
    const isOther = grows.includes(true) || step.some((length, axis) => length !== this.#step[axis])
    if (isOther && (this.#count + 1) * 2 < boxLength(low, high, step)) return false
    const axis = grows.lastIndexOf(true)
    if (axis !== -1) {
      this.#axis = axis
      this.#isUpward = (coords[axis] ?? 0) > (this.#high[axis] ?? 0)
    }
    this.#low = low
    this.#high = high
    this.#step = step
    this.lastAt = now
    if (isNew) this.#see(coords)
    return true
  }

  /** Chunks that will be read next if it goes on as before, the next one first: those left out of its box, then those beyond it. */
  *next(): Generator<readonly number[]> {
    const axis = this.#axis
    const end = (this.#isUpward ? this.#high[axis] : this.#low[axis]) ?? 0
    const [low, high] = [replaced(this.#low, axis, end), replaced(this.#high, axis, end)]
    if (boxLength(this.#low, this.#high, this.#step) <= MAX_SEEN) yield* this.#unseen(this.#low, this.#high)
    else if (boxLength(low, high, this.#step) <= MAX_SEEN) yield* this.#unseen(low, high)
    yield* this.#beyond()
  }

  /** What lies beyond the box: further along its axis, and where that has come to its end the next rows of the axes before. */
  *#beyond(): Generator<readonly number[]> {
    let [low, high] = [this.#low, this.#high]
    for (let axis = this.#axis; axis >= 0; axis--) {
      const [from, to, length] = [low[axis] ?? 0, high[axis] ?? 0, this.#grid[axis] ?? 0]
      const step = Math.max(this.#step[axis] ?? 1, 1)
      const by = this.#isUpward ? step : -step
      for (let at = (this.#isUpward ? to : from) + by; at >= 0 && at < length; at += by) {
        yield* this.#unseen(replaced(low, axis, at), replaced(high, axis, at))
      }
      // Of part of a row nobody knows whether the next one is read as well.
      const isWhole = this.#isUpward ? from < step : to + step >= length
      if (!isWhole) return
      low = replaced(low, axis, from % step)
      high = replaced(high, axis, length - 1)
    }
  }

  /** Chunks of a box that were not read, in the direction of the run. */
  *#unseen(low: readonly number[], high: readonly number[]): Generator<readonly number[]> {
    const lines = low.map((from, axis): Line => {
      const step = Math.max(this.#step[axis] ?? 1, 1)
      const count = Math.floor(((high[axis] ?? 0) - from) / step) + 1
      const isBackward = axis === this.#axis && !this.#isUpward
      return isBackward ? { from: from + (count - 1) * step, step: -step, count } : { from, step, count }
    })
    for (const coords of pointsOf(lines)) {
      if (!this.#seen.has(gridPosition(coords, this.#grid))) yield coords
    }
  }

  #see(coords: readonly number[]): void {
    this.#seen.add(gridPosition(coords, this.#grid))
    this.#count++
    if (this.#seen.size <= MAX_SEEN) return
    const [oldest] = this.#seen
    if (oldest !== undefined) this.#seen.delete(oldest)
  }
}

/** The greatest step that both are multiples of. */
function commonStep(one: number, other: number): number {
  return other === 0 ? one : commonStep(other, one % other)
}

function boxLength(low: readonly number[], high: readonly number[], step: readonly number[]): number {
  return low.reduce((total, from, axis) => {
    const length = (high[axis] ?? 0) - from
    return total * (Math.floor(length / Math.max(step[axis] ?? 1, 1)) + 1)
  }, 1)
}

function replaced(coords: readonly number[], axis: number, at: number): readonly number[] {
  return coords.map((own, place) => (place === axis ? at : own))
}

/** Places at equal distances along an axis. */
interface Line {
  readonly from: number
  readonly step: number
  readonly count: number
}

/** All coordinates in C order. */
function* pointsOf([first, ...rest]: readonly Line[]): Generator<readonly number[]> {
  if (first === undefined) {
    yield []
    return
  }
  const { from, step, count } = first
  for (let i = 0; i < count; i++) for (const others of pointsOf(rest)) yield [from + i * step, ...others]
}
