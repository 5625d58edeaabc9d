import type { ByteRange } from '../bytes/byte-range.ts'
import { findChunk } from '../compose/find-chunk.ts'
import type { StoredChunkRef } from '../compose/found-chunk.ts'
import { planChunk } from '../compose/plan-region.ts'
import { chunkLayers } from '../compose/program.ts'
import { gridPosition, gridShapeOf } from '../model/chunk-index.ts'
import { elementCount } from '../model/shape.ts'
import type { VirtualArray } from '../model/virtual-store.ts'
import { MAX_GAP_BYTES, MAX_PREFETCHED_CHUNK_BYTES, type Source } from '../source/source.ts'
import { planningOf } from './composed-chunk.ts'
import type { DeliveryWorld } from './delivery.ts'
import { memberWorld } from './member-world.ts'
import { OffsetPattern } from './offset-pattern.ts'
import { ReadPattern, type ReadRun } from './read-pattern.ts'
import { MAX_WINDOW_BYTES } from './read-runs.ts'

/** Chunks that are fetched after the first reads of a run; doubled each time that the reader has come half through them. */
const FIRST_WINDOW_CHUNKS = 8
const MAX_WINDOW_CHUNKS = 512
/** Chunks that lie apart cost a request each. */
const MAX_WINDOW_RANGES = 64
/** Bytes under way of all sources together. */
const MAX_BYTES_UNDER_WAY = 2 ** 26
/** A grid of fewer has no pattern of its own. */
const MIN_GRID_CHUNKS = 4
/** So many chunks of a run that nobody fetched for it show that it goes on elsewhere. */
const MAX_MISSES = 4

/** A chunk that somebody reads. */
export interface NotedChunk {
  readonly array: VirtualArray
  readonly coords: readonly number[]
  readonly signal?: AbortSignal | undefined
}

/** What is fetched for one run. */
interface Plan {
  /** How many chunks are fetched next, if there is room for them. */
  window: number
  /** How many chunks the reader still has ahead when more are fetched: half of the last window, all of a largest one. */
  reserve: number
  /** Positions of chunks that were fetched and not read yet. */
  readonly ahead: Set<number>
  misses: number
  isPlanning: boolean
  stops: (() => void)[]
}

interface ArrayReads {
  readonly pattern: ReadPattern
  readonly plans: WeakMap<ReadRun, Plan>
  /** The largest window of its runs: a new one begins with half of it. */
  window: number
}

/**
 * Fetches chunks before they are asked for: where the chunks of an array are walked through, the next ones of its grid in the
 * direction of travel. A client that waits for each few chunks would wait a round trip each time: `npm run bench user` shows what
 * that saves. Bytes go to the page cache, which tells how many of them were used.
 */
export class Prefetcher {
  readonly #reads = new WeakMap<object, ArrayReads>()
  readonly #offsets = new WeakMap<Source, { readonly pattern: OffsetPattern; stops: (() => void)[] }>()
  #bytesLeft = MAX_BYTES_UNDER_WAY

  /** Notes that a chunk is read. Never throws, and never keeps the reader waiting. */
  note(chunk: NotedChunk, world: DeliveryWorld): void {
    const { array, coords, signal } = chunk
    const grid = gridShapeOf(array.shape, array.chunkShape)
    if (elementCount(grid) < MIN_GRID_CHUNKS) {
      void this.#noteFew(chunk, world).catch(harmless)
      return
    }
    // Views of one array share its index.
    const key = array.operation === undefined ? array.chunks : array
    const reads = this.#reads.get(key) ?? newReads(grid)
    this.#reads.set(key, reads)
    const run = reads.pattern.note(coords, performance.now())
    if (run === undefined) return
    const plan = reads.plans.get(run) ?? newPlan(reads.window)
    reads.plans.set(run, plan)
    if (!plan.ahead.delete(gridPosition(coords, grid))) plan.misses++
    if (plan.stops.length > 0) signal?.addEventListener('abort', () => stop(plan), { once: true })
    if (plan.isPlanning || (plan.ahead.size > plan.reserve && plan.misses < MAX_MISSES)) return
    plan.isPlanning = true
    const done = () => {
      plan.isPlanning = false
      reads.window = Math.max(reads.window, plan.window)
    }
    void this.#fetchNext(chunk, run, plan, world).catch(harmless).finally(done)
  }

  /** Of arrays of few chunks, which are no walk through a grid: variables that are read in the order of the file. */
  async #noteFew(chunk: NotedChunk, world: DeliveryWorld): Promise<void> {
    const [range, ...others] = await rangesOf(chunk, world)
    if (range === undefined || others.length > 0) return
    const { source } = range
    const reads = this.#offsets.get(source) ?? { pattern: new OffsetPattern(), stops: [] }
    this.#offsets.set(source, reads)
    if (reads.stops.length > 0) chunk.signal?.addEventListener('abort', () => stop(reads), { once: true })
    const next = reads.pattern.note(range, performance.now())
    if (next === undefined) return
    const length = Math.min(next.length, source.size - next.offset, this.#bytesLeft)
    if (length > 0) this.#fetch(source, [{ offset: next.offset, length }], reads)
  }

  #fetch(source: Source, ranges: readonly ByteRange[], owner: { stops: (() => void)[] }): void {
    const begun = source.prefetch?.(ranges)
    if (begun === undefined || begun.bytes === 0) return
    this.#bytesLeft -= begun.bytes
    owner.stops.push(begun.stop)
    void begun.done.then(() => {
      this.#bytesLeft += begun.bytes
      owner.stops = owner.stops.filter((other) => other !== begun.stop)
    })
  }

  async #fetchNext(chunk: NotedChunk, run: ReadRun, plan: Plan, world: DeliveryWorld): Promise<void> {
    const { array } = chunk
    const grid = gridShapeOf(array.shape, array.chunkShape)
    plan.misses = 0
    const isStored = array.operation === undefined
    // Finding the chunks of a join opens its files.
    const window = isStored ? plan.window : Math.min(plan.window, MAX_WINDOW_RANGES)
    const next: (readonly number[])[] = []
    const later: (readonly number[])[] = []
    for (const coords of run.next()) {
      if (plan.ahead.has(gridPosition(coords, grid))) continue
      if (next.length < window) next.push(coords)
      else if (isStored && later.length < 2 * window) later.push(coords)
      else break
    }
    // The index of the window after the next one, which then costs no round of its own.
    for (const coords of later) void lookUp(array, coords)
    const found = await Promise.all(next.map((coords) => rangesOf({ ...chunk, coords }, world)))
    const fetched = new Window(Math.min(MAX_WINDOW_BYTES, this.#bytesLeft))
    let count = 0
    for (const ranges of found) {
      if (!fetched.add(ranges)) break
      plan.ahead.add(gridPosition(next[count++] ?? [], grid))
    }
    if (count === 0) return
    plan.reserve = fetched.isFull ? count - 1 : Math.floor(count / 2)
    plan.window = Math.min(plan.window * 2, MAX_WINDOW_CHUNKS)
    for (const [source, ranges] of fetched.ranges) this.#fetch(source, ranges, plan)
  }
}

/** Reads the part of an index that a chunk needs. */
async function lookUp(array: VirtualArray, coords: readonly number[]): Promise<void> {
  try {
    await findChunk(array, coords, undefined)
  } catch {
    // Whoever asks for this chunk is told what is wrong with it.
  }
}

/** What could not be fetched, for want of memory say, is read by who asks for it, who is told what is wrong. */
const harmless = () => undefined

function newReads(grid: readonly number[]): ArrayReads {
  return { pattern: new ReadPattern(grid), plans: new WeakMap(), window: 0 }
}

function newPlan(before: number): Plan {
  return {
    window: Math.max(FIRST_WINDOW_CHUNKS, Math.floor(before / 2)),
    reserve: 0,
    ahead: new Set(),
    misses: 0,
    isPlanning: false,
    stops: [],
  }
}

/** Who has left will not ask for the next ones. */
function stop({ stops }: { readonly stops: readonly (() => void)[] }): void {
  for (const end of stops) end()
}

/** A range of a source. */
interface SourceRange extends ByteRange {
  readonly source: Source
}

/** Ranges that are fetched together, up to so many bytes. */
class Window {
  readonly ranges = new Map<Source, ByteRange[]>()
  readonly #maxBytes: number
  #bytes = 0
  #count = 0
  /** Something was left out for want of room. */
  isFull = false

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Adds the ranges of a chunk; false where there is no room for them. */
  add(ranges: readonly SourceRange[]): boolean {
    for (const { source, offset, length } of ranges) {
      const known = this.ranges.get(source) ?? []
      const last = known.at(-1)
      const isApart = last === undefined || Math.abs(offset - last.offset - last.length) > MAX_GAP_BYTES
      this.isFull = this.#bytes + length > this.#maxBytes || (isApart && this.#count === MAX_WINDOW_RANGES)
      if (this.isFull) return false
      this.#bytes += length
      if (isApart) this.#count++
      known.push({ offset, length })
      this.ranges.set(source, known)
    }
    return true
  }
}

/** Where the stored bytes of a chunk are; nothing where that can't be fetched before it is asked for. */
async function rangesOf(chunk: NotedChunk, world: DeliveryWorld): Promise<readonly SourceRange[]> {
  try {
    const { array, coords } = chunk
    const found = await findChunk(array, coords, undefined)
    if (found.kind === 'missing') return []
    if (found.kind === 'stored') return await storedRanges(found.ref, await memberWorld(world, found.file))
    const program = await planChunk(array, coords, planningOf(world, undefined))
    const ranges = chunkLayers(program).map(async ({ chunk: inner }) =>
      inner.kind === 'computed' ? [] : await storedRanges(inner.ref, await memberWorld(world, inner.file)),
    )
    return (await Promise.all(ranges)).flat()
  } catch {
    // Whoever asks for this chunk is told what is wrong with it.
    return []
  }
}

async function storedRanges(ref: StoredChunkRef, world: DeliveryWorld): Promise<readonly SourceRange[]> {
  if (ref.kind !== 'range' && ref.kind !== 'ranges' && ref.kind !== 'strided') return []
  if (ref.kind === 'range' && ref.key !== undefined) return []
  const source = await world.source(ref.source)
  if (source.prefetch === undefined) return []
  const ranges = partsOf(ref)
  const length = ranges.reduce((sum, part) => sum + part.length, 0)
  return length > MAX_PREFETCHED_CHUNK_BYTES ? [] : ranges.map((range) => ({ ...range, source }))
}

function partsOf(
  ref: Extract<StoredChunkRef, { readonly kind: 'range' | 'ranges' | 'strided' }>,
): readonly ByteRange[] {
  if (ref.kind === 'range') return [ref]
  if (ref.kind === 'ranges') return ref.parts.length > MAX_WINDOW_RANGES ? [] : ref.parts
  const { offset, length, stride, count } = ref
  if (count > MAX_WINDOW_RANGES) return []
  return Array.from({ length: count }, (_, i) => ({ offset: offset + i * stride, length }))
}
