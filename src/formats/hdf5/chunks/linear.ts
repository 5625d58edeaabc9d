import type { ChunkGrid } from './locator.ts'

/** How indexes that are lists number the chunks of a grid. */
export interface LinearOrder {
  indexOf(coords: readonly number[]): number
  /** Back to a position of the grid in C order; undefined for chunks that the array does not reach (yet). */
  positionOf(index: number): number | undefined
}

/**
 * Chunks are numbered in C order over the largest grid that the dataset may have, so that numbers stay when it grows. With an
 * unlimited dimension that is not the first, that one is moved to the front (H5VM_swizzle_coords), and the others follow in order.
 */
export function linearIndex(grid: ChunkGrid): LinearOrder {
  const rank = grid.gridShape.length
  const unlimited = grid.mostChunks.indexOf(undefined)
  const axes = Array.from({ length: rank }, (_, axis) => axis)
  if (unlimited > 0) {
    axes.splice(unlimited, 1)
    axes.unshift(unlimited)
  }
  const strides = new Array<number>(rank).fill(1)
  for (let i = rank - 2; i >= 0; i--) strides[i] = (strides[i + 1] ?? 1) * (grid.mostChunks[axes[i + 1] ?? 0] ?? 1)
  const gridStrides = new Array<number>(rank).fill(1)
  for (let axis = rank - 2; axis >= 0; axis--)
    gridStrides[axis] = (gridStrides[axis + 1] ?? 1) * (grid.gridShape[axis + 1] ?? 1)
  return {
    indexOf(coords) {
      let index = 0
      for (let i = 0; i < rank; i++) index += (coords[axes[i] ?? 0] ?? 0) * (strides[i] ?? 1)
      return index
    },
    positionOf(index) {
      let rest = index
      let position = 0
      for (let i = 0; i < rank; i++) {
        const axis = axes[i] ?? 0
        const stride = strides[i] ?? 1
        const at = Math.floor(rest / stride)
        rest -= at * stride
        if (at >= (grid.gridShape[axis] ?? 0)) return undefined
        position += at * (gridStrides[axis] ?? 1)
      }
      return position
    },
  }
}
