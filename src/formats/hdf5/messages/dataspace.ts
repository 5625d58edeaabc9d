// HDF5 File Format Specification, section IV.A.2.b "The Dataspace Message".
import { elementCount } from '../../../model/shape.ts'
import type { FileCursor } from '../structures/file-cursor.ts'

/** The extent of a dataset or attribute; `maximum` has undefined where a dimension may grow without limit. */
export type Dataspace =
  | { readonly kind: 'scalar' }
  | { readonly kind: 'null' }
  | { readonly kind: 'simple'; readonly shape: readonly number[]; readonly maximum: readonly (number | undefined)[] }

/** H5S_MAX_RANK. */
const MOST_DIMENSIONS = 32

export function parseDataspace(cursor: FileCursor): Dataspace {
  const version = cursor.oneOf('dataspace version', [1, 2])
  const rank = cursor.u8()
  if (rank > MOST_DIMENSIONS) throw cursor.fail(`${rank} dimensions, expected at most ${MOST_DIMENSIONS}`)
  const flags = cursor.u8()
  if (version === 1) {
    cursor.skip(5)
    if (rank === 0) return { kind: 'scalar' }
  } else {
    const type = cursor.oneOf('dataspace type', [0, 1, 2])
    if (type === 2) return { kind: 'null' }
    if (rank === 0) return { kind: 'scalar' }
  }
  const shape = Array.from({ length: rank }, () => cursor.length())
  if ((flags & 1) === 0) return { kind: 'simple', shape, maximum: shape }
  const maximum = shape.map(() => cursor.unlimitedLength())
  maximum.forEach((most, axis) => {
    if (most !== undefined && most < (shape[axis] ?? 0))
      throw cursor.fail(`dimension ${axis} is longer than its maximum ${most}`)
  })
  return { kind: 'simple', shape, maximum }
}

/** Lengths of a dataspace that has elements; a scalar has none. */
export function shapeOf(space: Dataspace): readonly number[] {
  return space.kind === 'simple' ? space.shape : []
}

/** Number of elements. */
export function countOf(space: Dataspace): number {
  return space.kind === 'null' ? 0 : elementCount(shapeOf(space))
}
