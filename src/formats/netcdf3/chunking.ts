import { dividingLength, MOST_CHUNK_BYTES, runChunkShape } from '../../model/run-chunks.ts'
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
  const length = dividingLength(records.count, most)
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
  const chunkShape = runChunkShape(shape, itemSize, whole)
  return chunkShape === undefined ? undefined : { shape: chunkShape, gathered: false }
}
