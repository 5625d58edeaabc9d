import type { ChunkIndex } from './chunk-index.ts'
import { type Maker, recipe } from './recipe.ts'

export interface OtherGrid {
  readonly chunks: ChunkIndex
  readonly gridShape: readonly number[]
  /** For each axis of the chunks the one that it is here; undefined for one that is left out, of which the first is seen. */
  readonly from: readonly (number | undefined)[]
  /** The first that is seen along each axis of the chunks. */
  readonly first?: readonly number[] | undefined
}

/** The same chunks under other coordinates: a box of their grid, or with axes of length 1 more or less. */
export const otherGrid = recipe('other-grid', ({ chunks, gridShape, from, first }: OtherGrid): ChunkIndex => {
  const { isComplete } = chunks
  return {
    gridShape,
    of: chunks,
    at: (coords, signal) =>
      chunks.at(
        from.map((axis, inner) => (axis === undefined ? 0 : (coords[axis] ?? 0)) + (first?.[inner] ?? 0)),
        signal,
      ),
    ...(isComplete === undefined ? {} : { isComplete: (signal) => isComplete.call(chunks, signal) }),
    weight: () => chunks.weight(),
  }
})

export const gridMakers: readonly Maker[] = [otherGrid]
