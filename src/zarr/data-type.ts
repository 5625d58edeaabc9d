import { unsupported } from '../errors.ts'
import type { Json } from '../json/json.ts'
import { type DataType, itemSize, type StructField } from '../model/data-type.ts'
import { elementCount } from '../model/shape.ts'

/** A data type as the `data_type` member of a Zarr v3 document: the names that zarr-python writes. */
export function dataTypeDocument(type: DataType): Json {
  switch (type.kind) {
    case 'bool':
    case 'string':
      return type.kind
    case 'int':
    case 'uint':
    case 'float':
    case 'complex':
      return `${type.kind}${type.bits}`
    case 'bytes':
      return 'variable_length_bytes'
    case 'fixed-text': {
      const name = type.encoding === 'utf-32' ? 'fixed_length_utf32' : 'null_terminated_bytes'
      return { name, configuration: { length_bytes: type.length } }
    }
    case 'opaque':
      return { name: 'raw_bytes', configuration: { length_bytes: type.length } }
    case 'datetime':
    case 'timedelta':
      return { name: `numpy.${type.kind}64`, configuration: { unit: type.unit, scale_factor: type.scale } }
    case 'structured':
      return { name: 'structured', configuration: { fields: type.fields.map(fieldDocument) } }
  }
}

/** A field that is an array has no spelling: it keeps its place as raw bytes. */
function fieldDocument(field: StructField): Json {
  const count = elementCount(field.shape ?? [])
  const size = itemSize(field.type)
  if (size === undefined) throw unsupported('record field of varying length', `field ${field.name} has no fixed length`)
  if (field.shape === undefined) return [field.name, dataTypeDocument(field.type)]
  return [field.name, dataTypeDocument({ kind: 'opaque', length: size * count })]
}
