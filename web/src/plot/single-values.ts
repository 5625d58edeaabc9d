import type { ArrayInfo } from '../service/types.ts'
import { readShape } from './read-shape.ts'
import type { ZarrStore } from './zarr-store.ts'

/** The stored value at one index. */
export async function readPoint(
  store: ZarrStore,
  path: string,
  array: ArrayInfo,
  index: readonly number[],
  signal?: AbortSignal,
): Promise<number | bigint | string | undefined> {
  const chunkShape = readShape(array)
  const coords = chunkShape.map((length, axis) => Math.floor((index[axis] ?? 0) / length))
  const chunk = await store.chunk(path, coords, signal)
  let place = 0
  for (const [axis, stride] of chunk.stride.entries()) place += ((index[axis] ?? 0) % (chunkShape[axis] ?? 1)) * stride
  return chunk.data[place]
}

/** Chunks that are read side by side. */
const SIDE_BY_SIDE = 8

interface AlongInput {
  readonly at: readonly number[]
  readonly step?: number
  readonly most?: number
  readonly signal?: AbortSignal
}

/** Stored values along one axis, every `step`-th of them. */
export async function readAlong(
  store: ZarrStore,
  path: string,
  array: ArrayInfo,
  axis: number,
  { at, step = 1, most = array.shape[axis] ?? 0, signal }: AlongInput,
): Promise<(number | bigint | string)[]> {
  const length = array.shape[axis] ?? 0
  const indexes = Array.from({ length: Math.min(most, Math.ceil(length / step)) }, (_, i) => at.with(axis, i * step))
  const perChunk = Map.groupBy(indexes, (index) => Math.floor((index[axis] ?? 0) / (readShape(array)[axis] ?? 1)))
  const heads = [...perChunk.values()].flatMap(([head]) => (head === undefined ? [] : [head]))
  const found: (number | bigint | string)[] = []
  for (let first = 0; first < heads.length; first += SIDE_BY_SIDE) {
    // One point of each of some chunks, so that these are read side by side.
    const some = heads.slice(first, first + SIDE_BY_SIDE)
    await Promise.all(some.map((index) => readPoint(store, path, array, index, signal)))
    for (const head of some) {
      for (const index of perChunk.get(Math.floor((head[axis] ?? 0) / (readShape(array)[axis] ?? 1))) ?? []) {
        const value = await readPoint(store, path, array, index, signal)
        if (value !== undefined) found.push(value)
      }
    }
  }
  return found
}
