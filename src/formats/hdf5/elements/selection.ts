// HDF5 File Format Specification, section IX "Appendix E: Data Space Selection Serialization".
import type { FileCursor } from '../structures/file-cursor.ts'

/** A part of a dataspace: all of it, or a box; an extent is undefined where it goes as far as the data. */
export type Selection =
  | { readonly kind: 'all' }
  | BoxSelection
  /** Points, or boxes without a rule. */
  | { readonly kind: 'scattered' }

export interface BoxSelection {
  readonly kind: 'box'
  readonly start: readonly number[]
  readonly extent: readonly (number | undefined)[]
  /** The same box again, every `stride` along one axis; as often as there is data where `count` is undefined. */
  readonly repeated?: { readonly axis: number; readonly stride: number; readonly count: number | undefined } | undefined
}

const NONE = 0
const POINTS = 1
const HYPERSLABS = 2
const ALL = 3
const MOST_DIMENSIONS = 32

/** Reads a selection; the cursor is behind it then, but for points, which nothing is read behind of. */
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
  if (rank === 0 || rank > MOST_DIMENSIONS) throw cursor.fail(`a selection of ${rank} dimensions`)
  return rank
}

/** Blocks, each by its first and its last corner. */
function parseBlocks(cursor: FileCursor, width: number): Selection {
  const rank = rankOf(cursor)
  const count = cursor.uint(width)
  if (count !== 1) {
    cursor.skip(count * 2 * rank * width)
    return { kind: 'scattered' }
  }
  const start = Array.from({ length: rank }, () => cursor.uint(width))
  const extent = start.map((first) => cursor.uint(width) - first + 1)
  return { kind: 'box', start, extent }
}

/** For each dimension: start, stride, count and block. Blocks that touch are one box; else one axis may repeat it. */
function parseRegular(cursor: FileCursor, width: number): Selection {
  const rank = rankOf(cursor)
  const start: number[] = []
  const extent: (number | undefined)[] = []
  let repeated: BoxSelection['repeated']
  let isBox = true
  for (let axis = 0; axis < rank; axis++) {
    start.push(cursor.uint(width))
    const stride = cursor.uint(width)
    const count = cursor.allOnesOr(width)
    const block = cursor.allOnesOr(width)
    if (count === 1 || stride === block || block === undefined) {
      extent.push(count === undefined || block === undefined ? undefined : count * block)
      continue
    }
    if (repeated !== undefined) isBox = false
    repeated = { axis, stride, count }
    extent.push(block)
  }
  return isBox ? { kind: 'box', start, extent, repeated } : { kind: 'scattered' }
}
