import { elementCount } from '../../../model/shape.ts'

/** A part of a grid that is a box, whose chunks follow each other in C order. */
export interface Slab {
  /** Position of its first chunk, and of the one behind its last. */
  readonly first: number
  readonly end: number
  /** First and end along each axis. */
  readonly extents: readonly (readonly [first: number, end: number])[]
}

/** Cuts a grid into boxes of at most so many chunks, in C order: leading axes are cut to 1, the one after them to what fits. */
export function* slabsOf(gridShape: readonly number[], most: number): Generator<Slab> {
  if (elementCount(gridShape) === 0) return
  const axis = gridShape.findIndex((_, place) => elementCount(gridShape.slice(place + 1)) <= most)
  const inner = elementCount(gridShape.slice(axis + 1))
  const length = gridShape[axis] ?? 1
  const step = Math.max(1, Math.floor(most / inner))
  const outer = gridShape.slice(0, Math.max(axis, 0))
  for (let row = 0; row < elementCount(outer); row++) {
    const before = cornerOf(row, outer)
    for (let start = 0; start < length; start += step) {
      const stop = Math.min(length, start + step)
      const first = (row * length + start) * inner
      const own = axis < 0 ? [] : [[start, stop] as const]
      const rest = axis < 0 ? [] : gridShape.slice(axis + 1).map((end) => [0, end] as const)
      yield { first, end: first + (stop - start) * inner, extents: [...before, ...own, ...rest] }
    }
  }
}

function cornerOf(row: number, outer: readonly number[]): readonly (readonly [number, number])[] {
  let left = row
  const corner = outer.toReversed().map((length) => {
    const at = left % length
    left = Math.floor(left / length)
    return [at, at + 1] as const
  })
  return corner.reverse()
}
