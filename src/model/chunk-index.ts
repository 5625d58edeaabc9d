import type { ChunkRef } from './chunk-ref.ts'

/** Finds a chunk. Never an object per chunk: arithmetic, typed arrays, or a walk of the file's own index. */
export interface ChunkIndex {
  /** Chunks along each axis. */
  readonly gridShape: readonly number[]
  /** The chunk at these grid coordinates, which are inside the grid; no promise once the part of the index it needs is loaded. */
  at(coords: readonly number[], signal?: AbortSignal): ChunkRef | Promise<ChunkRef>
  /** Whether every chunk of the grid is stored (FV-19); may read the index. Absent where that can't be known. */
  isComplete?(signal?: AbortSignal): boolean | Promise<boolean>
  /** The index that this one finds its chunks in: what that loads of itself is weighed once, whatever is derived of it. */
  readonly of?: ChunkIndex | undefined
  /** Bytes of memory held now, for the cache's weighing; a lazy index grows. */
  weight(): number
}

/** Chunks along each axis of an array. A length of zero has no chunks. */
export function gridShapeOf(shape: readonly number[], chunkShape: readonly number[]): number[] {
  return shape.map((length, axis) => Math.ceil(length / (chunkShape[axis] ?? 1)))
}

/** The position of a chunk in C order over its grid. */
export function gridPosition(coords: readonly number[], gridShape: readonly number[]): number {
  let position = 0
  for (let axis = 0; axis < gridShape.length; axis++) position = position * (gridShape[axis] ?? 1) + (coords[axis] ?? 0)
  return position
}

/** The coordinates of a position in C order over a grid. */
export function gridCoordinates(position: number, gridShape: readonly number[]): number[] {
  const coords = new Array<number>(gridShape.length).fill(0)
  let rest = position
  for (let axis = gridShape.length - 1; axis >= 0; axis--) {
    const length = gridShape[axis] ?? 1
    coords[axis] = rest % length
    rest = Math.floor(rest / length)
  }
  return coords
}
