import { isJsonObject, type Json } from '../../src/json/json.ts'
import type { DataType, StructField } from '../../src/model/data-type.ts'
import { list, member } from './golden.ts'

const NUMERIC = /^(int|uint|float|complex)(8|16|32|64|128)$/

/** Reads the `data_type` of a Zarr v3 document, as far as it occurs in the corpus. */
export function arrayType(json: Json): DataType {
  if (typeof json === 'string') return plainType(json)
  const configuration = member(json, 'configuration')
  const length = Number(member(configuration, 'length_bytes'))
  switch (member(json, 'name')) {
    case 'fixed_length_utf32':
      return { kind: 'fixed-text', encoding: 'utf-32', length }
    case 'null_terminated_bytes':
      return { kind: 'fixed-text', encoding: 'bytes', length }
    case 'raw_bytes':
      return { kind: 'opaque', length }
    case 'numpy.datetime64':
    case 'numpy.timedelta64':
      return {
        kind: 'datetime',
        unit: String(member(configuration, 'unit')),
        scale: Number(member(configuration, 'scale_factor')),
      }
    case 'structured':
    case 'struct':
      return { kind: 'structured', fields: list(member(configuration, 'fields')).map(structField) }
    default:
      throw new Error(`data type ${JSON.stringify(json)} is not one of the corpus`)
  }
}

function plainType(name: string): DataType {
  if (name === 'bool' || name === 'string') return { kind: name }
  const match = NUMERIC.exec(name)
  if (match === null) throw new Error(`data type ${name} is not one of the corpus`)
  return { kind: match[1], bits: Number(match[2]) } as DataType
}

function structField(json: Json): StructField {
  if (isJsonObject(json)) return { name: String(json['name']), type: arrayType(json['data_type'] ?? null) }
  const [name, type = null, shape] = list(json)
  return { name: String(name), type: arrayType(type), shape: shape === undefined ? undefined : list(shape).map(Number) }
}
