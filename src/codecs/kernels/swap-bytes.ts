import type { DataType, StructField } from '../../model/data-type.ts'
import { itemSize } from '../../model/data-type.ts'
import { elementCount } from '../../model/shape.ts'
import { chunkMemory } from './chunk-memory.ts'

/** The same elements in the other byte order, as a copy. */
export function swapBytes(bytes: Uint8Array, type: DataType): Uint8Array {
  const copy = Buffer.from(chunkMemory.copyOf(bytes).buffer)
  const unit = swapUnit(type)
  if (unit !== undefined) swapUnits(copy, unit)
  else if (type.kind === 'structured') swapRecords(copy, type)
  return copy
}

/** Whether byte order means anything for this type. */
export function hasByteOrder(type: DataType): boolean {
  return type.kind === 'structured' ? type.fields.some((field) => hasByteOrder(field.type)) : (swapUnit(type) ?? 1) > 1
}

/** Bytes that are reversed together; undefined for records, whose fields differ. */
function swapUnit(type: DataType): number | undefined {
  switch (type.kind) {
    case 'int':
    case 'uint':
    case 'float':
      return type.bits / 8
    case 'complex':
      return type.bits / 16
    case 'datetime':
    case 'timedelta':
      return 8
    case 'fixed-text':
      return type.encoding === 'utf-32' ? 4 : 1
    case 'bool':
    case 'string':
    case 'bytes':
    case 'opaque':
      return 1
    case 'structured':
      return undefined
  }
}

function swapUnits(bytes: Buffer, unit: number): void {
  if (unit === 2) bytes.swap16()
  else if (unit === 4) bytes.swap32()
  else if (unit === 8) bytes.swap64()
}

function swapRecords(bytes: Buffer, type: { readonly fields: readonly StructField[] }): void {
  const size = itemSize({ kind: 'structured', fields: type.fields }) ?? 0
  if (size === 0) return
  for (let start = 0; start + size <= bytes.length; start += size) {
    let at = start
    for (const field of type.fields) {
      const length = (itemSize(field.type) ?? 0) * elementCount(field.shape ?? [])
      const part = bytes.subarray(at, at + length)
      const unit = swapUnit(field.type)
      if (unit !== undefined) swapUnits(part, unit)
      else if (field.type.kind === 'structured') swapRecords(part, field.type)
      at += length
    }
  }
}
