import type { VirtualArray } from '../model/virtual-store.ts'

/** Shape of a chunk as it is stored. */
export function storedShapeOf(array: VirtualArray, coords: readonly number[]): number[] {
  return array.chunkShape.map((length, axis) => {
    const start = (coords[axis] ?? 0) * length
    return array.edges === 'cropped' ? Math.min(length, (array.shape[axis] ?? 0) - start) : length
  })
}

/** Shape of the part of a chunk that lies in the array; undefined for all of it. */
export function insideOf({ shape, chunkShape }: VirtualArray, coords: readonly number[]): number[] | undefined {
  const inside = chunkShape.map((length, axis) => Math.min(length, (shape[axis] ?? 0) - (coords[axis] ?? 0) * length))
  return inside.every((length, axis) => length === chunkShape[axis]) ? undefined : inside
}
