// HDF5 File Format Specification, section IX "Appendix E: Data Space Selection Serialization".
import type { FileCursor } from '../structures/file-cursor.ts'

/** Which elements of a dataspace are selected, in C order. */
export type Selection =
  | { readonly kind: 'all' }
  /** Every combination of the indexes that are selected along each axis. */
  | { readonly kind: 'grid'; readonly axes: readonly AxisSelection[] }
  /** Elements of blocks that are no grid together. */
  | { readonly kind: 'points'; readonly points: readonly (readonly number[])[] }
  /** Too many of these, or nothing at all. */
  | { readonly kind: 'scattered' }

/** Indexes along one axis, ascending: `block` of them from `start` on, and again every `stride`; as far as there is data where `count` or `block` is undefined. */
interface RegularAxis {
  readonly start: number
  readonly stride: number
  readonly count: number | undefined
  readonly block: number | undefined
}

/** Indexes along one axis: regular ones, or runs that follow no rule. */
export type AxisSelection = RegularAxis | { readonly runs: readonly IndexRun[] }

export interface IndexRun {
  readonly start: number
  readonly length: number
}

const NONE = 0
const POINTS = 1
const HYPERSLABS = 2
const ALL = 3
const MAX_DIMENSIONS = 32
/** Blocks without a rule, and elements that are placed one by one. */
export const MAX_SELECTED_BLOCKS = 4096

/** Reads a selection; the cursor is behind it then, but for points, which virtual datasets can't have. */
export function parseSelection(cursor: FileCursor): Selection {
  const at = cursor.offset
  const type = cursor.u32()
  const version = cursor.u32()
  if (type === ALL || type === NONE) {
    cursor.skip(8)
    return type === ALL ? { kind: 'all' } : { kind: 'scattered' }
  }
  if (type === POINTS) return { kind: 'scattered' }
  if (type !== HYPERSLABS) throw cursor.fail(`selection type ${type}, expected 0 to 3`, at)
  if (version === 1) {
    cursor.skip(8)
    return parseBlocks(cursor, 4)
  }
  if (version !== 2 && version !== 3) throw cursor.fail(`hyperslab selection version ${version}, expected 1 to 3`, at)
  const isRegular = (cursor.u8() & 1) !== 0
  const width = version === 3 ? cursor.u8() : 8
  if (version === 2) cursor.skip(4)
  if (![2, 4, 8].includes(width)) throw cursor.fail(`a selection in numbers of ${width} bytes`, at)
  return isRegular ? parseRegular(cursor, width) : parseBlocks(cursor, width)
}

function rankOf(cursor: FileCursor): number {
  const rank = cursor.u32()
  if (rank === 0 || rank > MAX_DIMENSIONS) throw cursor.fail(`a selection of ${rank} dimensions`)
  return rank
}

/** Blocks, each by its first and its last corner. */
function parseBlocks(cursor: FileCursor, width: number): Selection {
  const rank = rankOf(cursor)
  const count = cursor.uint(width)
  if (count > MAX_SELECTED_BLOCKS) {
    cursor.skip(count * 2 * rank * width)
    return { kind: 'scattered' }
  }
  const corner = () => Array.from({ length: rank }, () => cursor.uint(width))
  return gridOf(
    Array.from({ length: count }, () => {
      const start = corner()
      return corner().map((last, axis) => ({ start: start[axis] ?? 0, length: last - (start[axis] ?? 0) + 1 }))
    }),
    rank,
  )
}

/** Blocks as a grid, where there is one for each combination of the runs along the axes. */
function gridOf(blocks: readonly (readonly IndexRun[])[], rank: number): Selection {
  const axes = Array.from({ length: rank }, (_, axis) => {
    const runs = new Map(blocks.map((block) => [block[axis]?.start ?? 0, block[axis]?.length ?? 0]))
    const sorted = [...runs].toSorted(([one], [other]) => one - other)
    return { runs: sorted.map(([start, length]) => ({ start, length })) }
  })
  const isAscending = axes.every(({ runs }) =>
    runs.every(
      ({ start, length }, i) => length > 0 && start + length <= (runs[i + 1]?.start ?? Number.POSITIVE_INFINITY),
    ),
  )
  const known = new Set(blocks.map((block) => block.map(({ start, length }) => `${start}+${length}`).join()))
  const combinations = axes.reduce((product, { runs }) => product * runs.length, 1)
  const isWhole = known.size === blocks.length && combinations === blocks.length
  const hasKnownLengths = blocks.every((block) =>
    block.every(({ start, length }, axis) =>
      axes[axis]?.runs.some((run) => run.start === start && run.length === length),
    ),
  )
  return isAscending && isWhole && hasKnownLengths && blocks.length > 0 ? { kind: 'grid', axes } : pointsOf(blocks)
}

/** The elements of blocks in C order, whatever the order of the blocks is. */
function pointsOf(blocks: readonly (readonly IndexRun[])[]): Selection {
  const sizeOf = (block: readonly IndexRun[]) => block.reduce((product, { length }) => product * length, 1)
  const count = blocks.reduce((sum, block) => sum + sizeOf(block), 0)
  if (count === 0 || count > MAX_SELECTED_BLOCKS || blocks.some((block) => block.some(({ length }) => length < 1)))
    return { kind: 'scattered' }
  const points = blocks.flatMap((block) =>
    block.reduce<number[][]>(
      (found, { start, length }) => found.flatMap((point) => Array.from({ length }, (_, i) => [...point, start + i])),
      [[]],
    ),
  )
  const compare = (one: readonly number[], other: readonly number[]) => {
    const axis = one.findIndex((index, at) => index !== other[at])
    return axis < 0 ? 0 : (one[axis] ?? 0) - (other[axis] ?? 0)
  }
  return { kind: 'points', points: points.toSorted(compare) }
}

/** For each dimension: start, stride, count and block. */
function parseRegular(cursor: FileCursor, width: number): Selection {
  const rank = rankOf(cursor)
  const axes: RegularAxis[] = []
  for (let axis = 0; axis < rank; axis++) {
    const start = cursor.uint(width)
    const at = cursor.offset
    const stride = cursor.uint(width)
    const count = cursor.allOnesOr(width)
    const block = cursor.allOnesOr(width)
    if (count !== 1 && block !== undefined && stride < block)
      throw cursor.fail(`blocks of ${block} indexes every ${stride}, which overlap`, at)
    axes.push({ start, stride, count, block })
  }
  return { kind: 'grid', axes }
}

/** How many indexes are selected; undefined where that depends on the data. */
export function selectedLength(axis: AxisSelection): number | undefined {
  if ('runs' in axis) return axis.runs.reduce((sum, { length }) => sum + length, 0)
  return axis.count === undefined || axis.block === undefined ? undefined : axis.count * axis.block
}

/** The runs of an axis, as far as it has indexes. */
export function* runsWithin(axis: AxisSelection, length: number): Generator<IndexRun> {
  for (const run of 'runs' in axis ? axis.runs : regularRuns(axis)) {
    if (run.start >= length) return
    yield { start: run.start, length: Math.min(run.length, length - run.start) }
  }
}

/** Blocks that touch are one run. */
function* regularRuns({ start, stride, count = Number.POSITIVE_INFINITY, block }: RegularAxis): Generator<IndexRun> {
  if (block === undefined) yield { start, length: Number.POSITIVE_INFINITY }
  else if (stride === block || count === 1) yield { start, length: count * block }
  else for (let i = 0; i < count && block > 0; i++) yield { start: start + i * stride, length: block }
}
