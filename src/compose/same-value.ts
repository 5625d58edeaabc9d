import type { DataType, Scalar } from '../model/data-type.ts'
import { scalarToBytes } from '../model/scalar-bytes.ts'

/** Whether two values of a type are the same bits. */
export function isSameValue(one: Scalar, other: Scalar, type: DataType): boolean {
  const [bytes, others] = [scalarToBytes(one, type), scalarToBytes(other, type)]
  return bytes.length === others.length && bytes.every((byte, at) => byte === others[at])
}
