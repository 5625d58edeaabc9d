import type { Records, VariableLayout } from './layout.ts'

/**
 * How a variable is cut into chunks: `shape` is the chunk's; `gathered` says that a chunk is of several slabs that do
 * not lie side by side. Otherwise every chunk is one run of bytes, since only the leading axes are cut.
 */
export interface Chunking {
  readonly shape: readonly number[]
  readonly gathered: boolean
}

/**
 * A request to an object store costs as much time as about a megabyte of transfer: smaller chunks waste requests, much larger
 * ones make the reader of one value wait.
 */
const MOST_CHUNK_BYTES = 4_194_304
/** A chunk may be this much shorter than the longest when it then divides the axis. */
const SHORTENED = 4
/** Lengths that are tried; with more chunks than that along an axis, one that is filled up does not matter. */
const MOST_TRIES = 1024
/**
 * Where records are so large that each slab of a small variable (a time coordinate) needs a read of its own, a chunk gathers
 * some all the same: the server reads them at once and close to the source, while the client would have to ask for each.
 * Beyond this much data a chunk the client asks for few of them, and should not wait for those that it does not need.
 */
const MOST_GATHERED_SLABS = 256
const MOST_GATHERED_BYTES = 65_536
/** A string is served whole; one that is longer than this, or in more pieces and spread wider, is not. */
const MOST_STRING_BYTES = 67_108_864
const MOST_STRING_PIECES = 4096

/** Cuts a variable; undefined when its strings are too long to be served. `isText`: the last axis is a string. */
export function planChunking(layout: VariableLayout, itemSize: number, isText: boolean): Chunking | undefined {
  const { shape, slab, records } = layout
  const whole = isText && shape.length > 0 ? shape.length - 1 : shape.length
  if (records === undefined || records.stride === slab) {
    return contiguous(shape, itemSize, whole)
  }
  if (slab > MOST_CHUNK_BYTES) {
    const within = contiguous(shape.slice(1), itemSize, Math.max(0, whole - 1))
    return within === undefined ? undefined : { shape: [1, ...within.shape], gathered: false }
  }
  if (whole === 0) return gatherString(records)
  const most = Math.max(Math.floor(MOST_CHUNK_BYTES / records.stride), gatherable(slab), 1)
  const length = chunkLength(records.count, most)
  return { shape: [length, ...shape.slice(1)], gathered: true }
}

function gatherable(slab: number): number {
  return Math.min(MOST_GATHERED_SLABS, Math.floor(MOST_GATHERED_BYTES / slab))
}

/** One character a record: together they are one string. */
function gatherString({ count, stride }: Records): Chunking | undefined {
  if (count > MOST_STRING_PIECES && count * stride > MOST_STRING_BYTES) return undefined
  return { shape: [Math.max(1, count)], gathered: true }
}

/** Cuts along the leading axes; axes from `whole` on are not cut. */
function contiguous(shape: readonly number[], itemSize: number, whole: number): Chunking | undefined {
  const chunk = shape.map((length) => Math.max(1, length))
  let inner = itemSize
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const length = chunk[axis] ?? 1
    if (axis >= whole && inner * length > MOST_STRING_BYTES) return undefined
    if (axis < whole && inner * length > MOST_CHUNK_BYTES) {
      chunk[axis] = chunkLength(length, Math.max(1, Math.floor(MOST_CHUNK_BYTES / inner)))
      chunk.fill(1, 0, axis)
      break
    }
    inner *= length
  }
  return { shape: chunk, gathered: false }
}

/**
 * A chunk length for an axis: the longest that divides it, so that no chunk is cut off at the edge and has to be filled up
 * by the server; when there is none that is long enough, chunks of nearly equal length, so that little is filled up.
 */
function chunkLength(length: number, most: number): number {
  const fewest = Math.max(1, Math.ceil(length / most))
  const last = Math.min(Math.floor(length / Math.ceil(most / SHORTENED)), fewest + MOST_TRIES)
  for (let chunks = fewest; chunks <= last; chunks++) {
    if (length % chunks === 0) return length / chunks
  }
  return Math.max(1, Math.ceil(length / fewest))
}
