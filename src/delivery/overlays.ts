import type { DataType, Scalar } from '../model/data-type.ts'
import { scalarToBytes } from '../model/scalar-bytes.ts'
import type { Box, StoredPart } from '../model/virtual-store.ts'

/** Whether a part lies under all of a region. */
export function covers({ array, origin }: StoredPart, region: Box): boolean {
  return region.origin.every((at, axis) => {
    const from = origin[axis] ?? 0
    return at >= from && at + (region.shape[axis] ?? 0) <= from + (array.shape[axis] ?? 0)
  })
}

/** Whether a value is one of those that mark points which are not valid. */
export function isInvalid(value: Scalar, invalid: readonly Scalar[], type: DataType): boolean {
  return invalid.some((scalar) => isSameValue(value, scalar, type))
}

export function isSameValue(one: Scalar, other: Scalar, type: DataType): boolean {
  return Buffer.compare(scalarToBytes(one, type), scalarToBytes(other, type)) === 0
}
