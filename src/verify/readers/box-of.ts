import type { Box } from '../../model/virtual-store.ts'
import type { Values } from './reader.ts'

/** A box of values that are there as a whole. */
export function boxOf(values: Values, lengths: readonly number[], { origin, shape }: Box): Values {
  const count = shape.reduce((product, length) => product * length, 1)
  const picked = new Array<Values[number]>(count)
  const index = new Array<number>(shape.length).fill(0)
  for (let to = 0; to < count; to++) {
    let from = 0
    for (let axis = 0; axis < shape.length; axis++) {
      from = from * (lengths[axis] ?? 1) + (origin[axis] ?? 0) + (index[axis] ?? 0)
    }
    picked[to] = values[from] ?? Number.NaN
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const next = (index[axis] ?? 0) + 1
      index[axis] = next < (shape[axis] ?? 1) ? next : 0
      if (index[axis] !== 0) break
    }
  }
  return picked
}
