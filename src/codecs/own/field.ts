import { malformed } from '../../errors.ts'
import { type DataType, itemSize, type StructField } from '../../model/data-type.ts'
import { elementCount } from '../../model/shape.ts'
import { fixedBytes, packedLength } from '../elements.ts'
import { internalArray } from '../internal.ts'

/** One field of records: what a portable store serves instead of a structured array, one array a field. */
export const recordField = internalArray<FieldParameters>({
  name: 'vz.field',
  prepare: ({ type, field: index }, layout) => {
    const field = type.fields[index]
    const recordLength = itemSize(type) ?? 0
    if (field === undefined || recordLength === 0) throw malformed('vz.field: records have a fixed, non-zero length')
    const offset = type.fields.slice(0, index).reduce((sum, before) => sum + fieldLength(before), 0)
    const length = fieldLength(field)
    const expected = packedLength(layout)
    const shape = layout.shape.slice(0, layout.shape.length - (field.shape ?? []).length)
    return {
      encodedLayout: { shape, dataType: type },
      decode: (elements) => {
        const records = fixedBytes(elements, 'vz.field')
        const count = records.length / recordLength
        if (count * length !== expected) {
          throw malformed(`${records.length} bytes of records don't hold a field of shape [${layout.shape}]`)
        }
        const bytes = new Uint8Array(count * length)
        for (let i = 0; i < count; i++) {
          const at = i * recordLength + offset
          bytes.set(records.subarray(at, at + length), i * length)
        }
        return { kind: 'fixed', bytes }
      },
    }
  },
})

interface FieldParameters {
  readonly type: Extract<DataType, { readonly kind: 'structured' }>
  /** Which of its fields. */
  readonly field: number
}

function fieldLength(field: StructField): number {
  return (itemSize(field.type) ?? 0) * elementCount(field.shape ?? [])
}
