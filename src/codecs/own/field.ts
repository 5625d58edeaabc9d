import { malformed } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import { itemSize, type StructField } from '../../model/data-type.ts'
import { elementCount } from '../../model/shape.ts'
import type { ArrayCodec, ChunkLayout } from '../codec.ts'
import { integerMember, objectMember } from '../configuration.ts'
import { fixedBytes } from '../elements.ts'
import { structFromJson } from './type-from-json.ts'

/** One field of records: what a portable store serves instead of a structured array, one array a field. */
export const recordField: ArrayCodec = {
  kind: 'array',
  name: 'vz.field',
  reach: 'internal',
  check: (configuration) => {
    placeOf(configuration)
  },
  encodedLayout: (layout, configuration) => {
    const { type, field } = placeOf(configuration)
    return { shape: layout.shape.slice(0, layout.shape.length - (field.shape ?? []).length), dataType: type }
  },
  decode: (elements, layout: ChunkLayout, configuration) => {
    const { offset, length, recordLength } = placeOf(configuration)
    const records = fixedBytes(elements, 'vz.field')
    const count = records.length / recordLength
    if (count * length !== elementCount(layout.shape) * (itemSize(layout.dataType) ?? 0)) {
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

function placeOf(configuration: JsonObject) {
  const type = structFromJson(objectMember(configuration, 'type'))
  const index = integerMember(configuration, 'field', { least: 0, most: type.fields.length - 1 })
  let offset = 0
  for (const field of type.fields.slice(0, index)) offset += fieldLength(field)
  const field = type.fields[index]
  const recordLength = itemSize(type) ?? 0
  if (field === undefined || recordLength === 0) throw malformed('vz.field: records have a fixed, non-zero length')
  return { type, field, offset, length: fieldLength(field), recordLength }
}

function fieldLength(field: StructField): number {
  return (itemSize(field.type) ?? 0) * elementCount(field.shape ?? [])
}
