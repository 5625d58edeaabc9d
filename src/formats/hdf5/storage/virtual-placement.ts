// HDF5 File Format Specification, section III.E "Global Heap Block for Virtual Datasets": source and virtual selections.
import { plane } from '../../../codecs/own/plane.ts'
import { unsupported } from '../../../errors.ts'
import { gridShapeOf } from '../../../model/chunk-index.ts'
import { composedArray, type PlacedArray } from '../../../model/composed-array.ts'
import { itemSize } from '../../../model/data-type.ts'
import { otherGrid } from '../../../model/other-grid.ts'
import type { Box, StoredArray, VirtualArray } from '../../../model/virtual-store.ts'
import {
  type AxisSelection,
  type IndexRun,
  MAX_SELECTED_BLOCKS,
  runsWithin,
  type Selection,
  selectedLength,
} from '../elements/selection.ts'

/** A virtual dataset that sources are placed in. */
export interface PlacementTarget {
  readonly shape: readonly number[]
  isUnlimited(axis: number): boolean
}

/** Where a source is seen, and in which chunks it would best be read. */
export interface Placement {
  readonly parts: readonly PlacedArray[]
  readonly chunkShape: readonly number[]
}

const MAX_PARTS = 4096

/** Where the elements of a source that are selected lie in a virtual dataset: the n-th selected of one is the n-th of the other. */
export function placedParts(array: VirtualArray, from: Selection, to: Selection, target: PlacementTarget): Placement {
  if (from.kind === 'scattered' || to.kind === 'scattered') throw scattered()
  const source = from.kind === 'all' ? wholeOf(array.shape) : from
  const placed = to.kind === 'all' ? wholeOf(target.shape) : to
  checkRank(source, array.shape)
  checkRank(placed, target.shape)
  if (source.kind === 'points' || placed.kind === 'points') return placedPoints(array, source, placed, target)
  const pairs = pairsOf(source.axes, placed.axes)
  return pairs === undefined
    ? placedPoints(array, source, placed, target)
    : placedGrid(array, source, placed, pairs, target)
}

function scattered(): Error {
  return unsupported(
    'HDF5 virtual dataset',
    `selections of virtual sources that are no grid, nor up to ${MAX_SELECTED_BLOCKS} points`,
  )
}

type Grid = Extract<Selection, { kind: 'grid' }>
type Points = Extract<Selection, { kind: 'points' }>

function wholeOf(shape: readonly number[]): Grid {
  return { kind: 'grid', axes: shape.map((length) => ({ start: 0, stride: 1, count: 1, block: length })) }
}

function checkRank(selection: Grid | Points, shape: readonly number[]): void {
  const isRight =
    selection.kind === 'grid'
      ? selection.axes.length === shape.length
      : selection.points.every((point) => point.length === shape.length)
  if (!isRight) throw unsupported('HDF5 virtual dataset', 'a selection of another rank than its dataset')
}

/** An axis of the source, and the one of the virtual dataset along which it runs. */
type Pair = readonly [source: number, target: number]

/** Axes along which both select as many elements, in the same order; those with one element have none. Undefined where the orders differ. */
function pairsOf(source: readonly AxisSelection[], target: readonly AxisSelection[]): readonly Pair[] | undefined {
  const [own, seen] = [source.map(selectedLength), target.map(selectedLength)]
  // A source may be shorter than the virtual dataset was made for.
  const fits = (a: number | undefined, b: number | undefined) => a === undefined || b === undefined || a <= b
  if (own.length === seen.length && own.every((length, axis) => fits(length, seen[axis])))
    return own.map((_, axis) => [axis, axis])
  const longOf = (lengths: readonly (number | undefined)[]) =>
    lengths.flatMap((length, axis) => (length === 1 ? [] : [axis]))
  const [ownLong, seenLong] = [longOf(own), longOf(seen)]
  if (ownLong.length !== seenLong.length) return undefined
  const pairs = ownLong.map((axis, i): Pair => [axis, seenLong[i] ?? 0])
  return pairs.every(([a, b]) => own[a] === seen[b] || own[a] === undefined || seen[b] === undefined)
    ? pairs
    : undefined
}

/** Indexes that follow each other in both. */
interface PairedRun {
  readonly from: number
  readonly to: number
  readonly length: number
}

function placedGrid(
  array: VirtualArray,
  source: Grid,
  placed: Grid,
  pairs: readonly Pair[],
  target: PlacementTarget,
): Placement {
  const targetLength = (axis: number) =>
    target.isUnlimited(axis) ? Number.POSITIVE_INFINITY : (target.shape[axis] ?? 0)
  const paired = pairs.map(([own, seen]) =>
    pairedRuns(
      runsWithin(source.axes[own] ?? { runs: [] }, array.shape[own] ?? 0),
      runsWithin(placed.axes[seen] ?? { runs: [] }, targetLength(seen)),
    ),
  )
  const count = paired.reduce((product, runs) => product * runs.length, 1)
  if (count > MAX_PARTS) throw tooManyParts(count)
  const ownFirst = source.axes.map((axis, at) => runsWithin(axis, array.shape[at] ?? 0).next().value?.start)
  const seenFirst = placed.axes.map((axis, at) => runsWithin(axis, targetLength(at)).next().value?.start ?? 0)
  // The one index of an axis without a pair may lie behind the end of a source that is shorter than it was.
  if (ownFirst.includes(undefined)) return { parts: [], chunkShape: target.shape.map((length) => Math.max(1, length)) }
  const turned = alongTarget(
    array,
    pairs,
    ownFirst.map((start) => start ?? 0),
    target.shape.length,
  )
  const parts: PlacedArray[] = []
  for (const runs of combinations(paired)) {
    const [box, origin] = [turned.shape.map(() => 0), [...seenFirst]]
    const extent = turned.shape.map(() => 1)
    for (const [i, [, seen]] of pairs.entries()) {
      const run = runs[i]
      box[seen] = run?.from ?? 0
      origin[seen] = run?.to ?? 0
      extent[seen] = run?.length ?? 0
    }
    parts.push({ array: partOf(turned, { origin: box, shape: extent }), origin })
  }
  return { parts, chunkShape: chunkShapeFor(turned, paired, pairs) }
}

function tooManyParts(count: number): Error {
  return unsupported('HDF5 virtual dataset', `a virtual source in ${count} pieces, at most ${MAX_PARTS} are placed`)
}

function pairedRuns(source: Iterable<IndexRun>, target: Iterator<IndexRun>): PairedRun[] {
  const found: PairedRun[] = []
  let seen = target.next()
  let used = 0
  for (const { start, length } of source) {
    for (let done = 0; done < length && seen.done !== true; ) {
      const run = seen.value
      const common = Math.min(length - done, run.length - used)
      const last = found.at(-1)
      const [from, to] = [start + done, run.start + used]
      if (last !== undefined && last.from + last.length === from && last.to + last.length === to)
        found[found.length - 1] = { ...last, length: last.length + common }
      else found.push({ from, to, length: common })
      if (found.length > MAX_PARTS) throw tooManyParts(found.length)
      done += common
      used += common
      if (used === run.length) {
        seen = target.next()
        used = 0
      }
    }
  }
  return found
}

function* combinations(all: readonly (readonly PairedRun[])[]): Generator<readonly PairedRun[]> {
  const [first, ...rest] = all
  if (first === undefined) {
    yield []
    return
  }
  for (const run of first) for (const others of combinations(rest)) yield [run, ...others]
}

/** Pieces that a chunk of the virtual dataset should at most be made of along one axis. */
const MAX_PIECES_ALONG = 64

/** The chunks of the source, where they are not cut in many pieces. */
function chunkShapeFor(
  turned: VirtualArray,
  paired: readonly (readonly PairedRun[])[],
  pairs: readonly Pair[],
): readonly number[] {
  const lengths = [...turned.chunkShape]
  for (const [i, [, seen]] of pairs.entries()) {
    const runs = paired[i] ?? []
    const [first, last] = [runs[0], runs.at(-1)]
    if (first === undefined || last === undefined || runs.length < 2) continue
    const spread = Math.ceil((last.to + last.length - first.to) / runs.length)
    lengths[seen] = Math.max(1, Math.min(lengths[seen] ?? 1, MAX_PIECES_ALONG * spread))
  }
  return lengths
}

/** Elements one by one, those that follow each other along the last axes of both together. */
function placedPoints(array: VirtualArray, from: Grid | Points, to: Grid | Points, target: PlacementTarget): Placement {
  const [own, seen] = [pointsOf(from, array.shape), pointsOf(to, target.shape)]
  const count = Math.min(own.length, seen.length)
  const last = [array.shape.length - 1, target.shape.length - 1] as const
  const parts: PlacedArray[] = []
  for (let at = 0; at < count; ) {
    const [source = [], place = []] = [own[at], seen[at]]
    let length = 1
    while (
      at + length < count &&
      isFurther(source, own[at + length] ?? [], length) &&
      isFurther(place, seen[at + length] ?? [], length)
    )
      length++
    const isWithin = source.every((index, axis) => index < (array.shape[axis] ?? 0))
    if (isWithin) {
      const turned = alongTarget(array, [last], source.with(-1, 0), target.shape.length)
      const box = {
        origin: place.map((_, axis) => (axis === last[1] ? (source.at(-1) ?? 0) : 0)),
        shape: place.map(() => 1).with(-1, length),
      }
      parts.push({ array: partOf(turned, box), origin: place })
    }
    at += length
  }
  return { parts, chunkShape: target.shape.map((extent) => Math.max(1, Math.min(extent, MAX_PIECES_ALONG))) }
}

function isFurther(first: readonly number[], other: readonly number[], by: number): boolean {
  return first.every((index, axis) => other[axis] === index + (axis === first.length - 1 ? by : 0))
}

function pointsOf(selection: Grid | Points, shape: readonly number[]): readonly (readonly number[])[] {
  if (selection.kind === 'points') return selection.points
  const lengths = selection.axes.map(selectedLength)
  const count = lengths.reduce((product: number, length) => product * (length ?? Number.POSITIVE_INFINITY), 1)
  if (count > MAX_SELECTED_BLOCKS) throw scattered()
  const indexes = selection.axes.map((axis, at) =>
    [...runsWithin(axis, shape[at] ?? 0)].flatMap(({ start, length }) => Array.from({ length }, (_, i) => start + i)),
  )
  return indexes.reduce<number[][]>((points, along) => points.flatMap((point) => along.map((i) => [...point, i])), [[]])
}

/** The source with the axes of the virtual dataset: those that it lacks have the length 1, of those that it has beyond one index is seen. */
function alongTarget(
  array: VirtualArray,
  pairs: readonly Pair[],
  first: readonly number[],
  rank: number,
): VirtualArray {
  const isSame = array.shape.length === rank && pairs.length === rank && pairs.every(([own, seen]) => own === seen)
  if (isSame) return array
  if (array.operation !== undefined)
    throw unsupported('HDF5 virtual dataset', 'a virtual source that is virtual itself, and has other dimensions')
  const isFree = (axis: number) => !pairs.some(([own]) => own === axis)
  const free = array.shape.flatMap((_, axis) => (isFree(axis) ? [axis] : []))
  // Of all axes, in an order in which those of the source and those of the virtual dataset ascend.
  const all: (number | undefined)[] = []
  for (let seen = 0; seen < rank; seen++) {
    const own = pairs.find((pair) => pair[1] === seen)?.[0]
    while (own !== undefined && free[0] !== undefined && free[0] < own) all.push(free.shift())
    all.push(own)
  }
  all.push(...free)
  const whole = withAxes(array, all)
  return [...all.entries()]
    .toReversed()
    .reduce(
      (left, [axis, own]) => (own !== undefined && isFree(own) ? withoutAxis(left, axis, first[own] ?? 0) : left),
      whole,
    )
}

/** What an array has at one index of an axis. */
function withoutAxis(array: StoredArray, axis: number, index: number): StoredArray {
  const { shape, chunkShape, chunks, edges, dataType, encodings } = array
  const length = chunkShape[axis] ?? 1
  const first = Math.floor(index / length)
  const count = edges === 'cropped' ? Math.min(length, (shape[axis] ?? 0) - first * length) : length
  if (count > 1 && itemSize(dataType) === undefined)
    throw unsupported('HDF5 virtual dataset', 'one index of a dimension of texts')
  const without = (lengths: readonly number[]) => lengths.toSpliced(axis, 1)
  const picked = plane.stored({ index: index - first * length, count, axis })
  return {
    ...array,
    shape: without(shape),
    chunkShape: without(chunkShape),
    dimensionNames: undefined,
    encodings: encodings.map((encoding) => [picked, ...encoding]),
    chunks: otherGrid({
      chunks,
      gridShape: without(chunks.gridShape),
      from: shape.map((_, at) => (at === axis ? undefined : at < axis ? at : at - 1)),
      first: shape.map((_, at) => (at === axis ? first : 0)),
    }),
  }
}

/** An array with further axes of length 1, where `axes` names none of its own. */
function withAxes(array: StoredArray, axes: readonly (number | undefined)[]): StoredArray {
  if (array.shape.length === axes.length) return array
  const filled = (lengths: readonly number[]) => axes.map((axis) => (axis === undefined ? 1 : (lengths[axis] ?? 1)))
  return {
    ...array,
    shape: filled(array.shape),
    chunkShape: filled(array.chunkShape),
    dimensionNames: undefined,
    chunks: otherGrid({
      chunks: array.chunks,
      gridShape: filled(array.chunks.gridShape),
      from: array.shape.map((_, axis) => axes.indexOf(axis)),
    }),
  }
}

/** A box of an array: its own chunks where it begins and ends with one, else made of what lies in it. */
function partOf(array: VirtualArray, box: Box): VirtualArray {
  const { shape, chunkShape } = array
  const { origin, shape: extent } = box
  if (origin.every((at) => at === 0) && extent.join() === shape.join()) return array
  if (array.operation === undefined && isOfWholeChunks(array, box)) {
    const first = origin.map((at, axis) => at / (chunkShape[axis] ?? 1))
    const gridShape = gridShapeOf(extent, chunkShape)
    const chunks = otherGrid({ chunks: array.chunks, gridShape, from: [...first.keys()], first })
    return { ...array, shape: extent, chunks }
  }
  const ownChunks = extent.map((length, axis) => Math.max(1, Math.min(length, chunkShape[axis] ?? 1)))
  return composedArray({ ...array, shape: extent, chunkShape: ownChunks }, { kind: 'window', of: array, origin })
}

function isOfWholeChunks({ shape, chunkShape, edges }: StoredArray, { origin, shape: extent }: Box): boolean {
  const isCut = (axis: number) => ((origin[axis] ?? 0) + (extent[axis] ?? 0)) % (chunkShape[axis] ?? 1) !== 0
  const isEnd = (axis: number) => (origin[axis] ?? 0) + (extent[axis] ?? 0) === shape[axis]
  const isOnGrid = origin.every((at, axis) => at % (chunkShape[axis] ?? 1) === 0)
  return isOnGrid && extent.every((_, axis) => edges === 'padded' || !isCut(axis) || isEnd(axis))
}
