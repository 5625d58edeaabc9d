import type { Box, VirtualArray } from '../model/virtual-store.ts'

/** A box of an array, which may hang over its far edge. */
export type Region = Box

/** What a chunk of an array covers, over the edge as well. */
export function regionOfChunk({ chunkShape: shape }: VirtualArray, coords: readonly number[]): Region {
  return { origin: shape.map((length, axis) => length * (coords[axis] ?? 0)), shape }
}

/** A region in the coordinates of an array that begins at `origin`, as far as it lies in it; undefined where it does not. */
export function regionWithin(region: Region, origin: readonly number[], shape: readonly number[]): Region | undefined {
  const low = region.origin.map((at, axis) => Math.max(at - (origin[axis] ?? 0), 0))
  const high = region.origin.map((at, axis) =>
    Math.min(at + (region.shape[axis] ?? 0) - (origin[axis] ?? 0), shape[axis] ?? 0),
  )
  if (low.some((at, axis) => at >= (high[axis] ?? 0))) return undefined
  return { origin: low, shape: high.map((end, axis) => end - (low[axis] ?? 0)) }
}

/** The same of the last axes alone: masks have those of what they lie over, or fewer. */
export function lastAxes({ origin, shape }: Region, count: number): Region {
  const first = shape.length - count
  return { origin: origin.slice(first), shape: shape.slice(first) }
}

/** The region of a finer array whose blocks of points are those of a region. */
export function finerRegion(region: Region, factors: readonly number[], finer: readonly number[]): Region {
  const origin = region.origin.map((at, axis) => at * (factors[axis] ?? 1))
  const lengths = region.shape.map((length, axis) => length * (factors[axis] ?? 1))
  return {
    origin,
    shape: lengths.map((length, axis) => Math.min(length, (finer[axis] ?? 0) - (origin[axis] ?? 0))),
  }
}

export function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((length, axis) => length === other[axis])
}
