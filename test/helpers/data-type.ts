import assert from 'node:assert/strict'
import { isJsonObject, type Json } from '../../src/json/json.ts'
import type { DataType, StructField } from '../../src/model/data-type.ts'

/** The data type of a Zarr v3 document, as far as vectors and golden files have it; written apart from the parser under test. */
export function dataTypeOf(json: Json | undefined): DataType {
  if (typeof json === 'string') return plainType(json)
  assert.ok(isJsonObject(json))
  const configuration = json['configuration']
  assert.ok(isJsonObject(configuration))
  const length = Number(configuration['length_bytes'])
  const unit = String(configuration['unit'])
  const scale = Number(configuration['scale_factor'] ?? 1)
  switch (json['name']) {
    case 'fixed_length_utf32':
      return { kind: 'fixed-text', encoding: 'utf-32', length }
    case 'null_terminated_bytes':
      return { kind: 'fixed-text', encoding: 'bytes', length }
    case 'raw_bytes':
      return { kind: 'opaque', length }
    case 'numpy.datetime64':
      return { kind: 'datetime', unit, scale }
    case 'numpy.timedelta64':
      return { kind: 'timedelta', unit, scale }
    case 'structured':
    case 'struct':
      return { kind: 'structured', fields: (configuration['fields'] as Json[]).map(fieldOf) }
    default:
      throw new Error(`unknown data type ${JSON.stringify(json)}`)
  }
}

function plainType(name: string): DataType {
  if (name === 'bool' || name === 'string') return { kind: name }
  if (name === 'variable_length_bytes') return { kind: 'bytes' }
  const [, kind, bits] = /^(int|uint|float|complex)(8|16|32|64|128)$/.exec(name) ?? []
  assert.ok(kind !== undefined && bits !== undefined, name)
  return { kind, bits: Number(bits) } as DataType
}

function fieldOf(json: Json): StructField {
  if (isJsonObject(json)) return { name: String(json['name']), type: dataTypeOf(json['data_type']) }
  const [name, type, shape] = json as [string, Json, Json[]?]
  return { name, type: dataTypeOf(type), ...(shape === undefined ? {} : { shape: shape.map(Number) }) }
}
