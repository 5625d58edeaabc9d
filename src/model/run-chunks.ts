import type { ByteRange } from '../bytes/byte-range.ts'
import { isCharacter } from './characters.ts'
import type { DataType } from './data-type.ts'

/** A request to an object store costs as much time as about a megabyte of transfer: smaller chunks waste requests, much larger
 * ones make the reader of one value wait.
 */
export const MOST_CHUNK_BYTES = 4_194_304
/** A chunk may be this much shorter than the longest when it then divides the axis. */
const SHORTENED = 4
/** Lengths that are tried; with more chunks than that along an axis, one that is filled up does not matter. */
const MOST_TRIES = 1024
/** A string is served whole; one that is longer than this is not. */
const MOST_STRING_BYTES = 67_108_864

/**
 * Cuts values that lie together in C order into chunks that are runs of bytes: only leading axes are cut, those before the one
 * that is cut to length 1. Axes from `whole` on are not cut; undefined when what must stay whole is too long to be served.
 */
export function runChunkShape(
  shape: readonly number[],
  itemSize: number,
  whole: number = shape.length,
): number[] | undefined {
  const chunk = shape.map((length) => Math.max(1, length))
  let inner = itemSize
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const length = chunk[axis] ?? 1
    if (axis >= whole && inner * length > MOST_STRING_BYTES) return undefined
    if (axis < whole && inner * length > MOST_CHUNK_BYTES) {
      chunk[axis] = dividingLength(length, Math.max(1, Math.floor(MOST_CHUNK_BYTES / inner)))
      chunk.fill(1, 0, axis)
      break
    }
    inner *= length
  }
  return chunk
}

/** The same for values of a type: the last axis of characters, which may be texts, is cut only where it is too long for that. */
export function valuesChunkShape(shape: readonly number[], type: DataType, itemSize: number): readonly number[] {
  const ofTexts = isCharacter(type) ? runChunkShape(shape, itemSize, Math.max(0, shape.length - 1)) : undefined
  return ofTexts ?? runChunkShape(shape, itemSize) ?? shape
}

/**
 * A chunk length for an axis: the longest that divides it, so that no chunk is cut off at the edge and has to be filled up
 * by the server; when there is none that is long enough, chunks of nearly equal length, so that little is filled up.
 */
export function dividingLength(length: number, most: number): number {
  const fewest = Math.max(1, Math.ceil(length / most))
  const last = Math.min(Math.floor(length / Math.ceil(most / SHORTENED)), fewest + MOST_TRIES)
  for (let chunks = fewest; chunks <= last; chunks++) {
    if (length % chunks === 0) return length / chunks
  }
  return Math.max(1, Math.ceil(length / fewest))
}

/** The bytes of a chunk cut by `runChunkShape`, counted from the first value; at the far edge as many as the array has. */
export function runRange(
  shape: readonly number[],
  chunkShape: readonly number[],
  itemSize: number,
  coords: readonly number[],
): ByteRange {
  let offset = 0
  let length = itemSize
  let inner = itemSize
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const first = (coords[axis] ?? 0) * (chunkShape[axis] ?? 1)
    offset += first * inner
    length *= Math.min(chunkShape[axis] ?? 1, (shape[axis] ?? 1) - first)
    inner *= shape[axis] ?? 1
  }
  return { offset, length }
}
