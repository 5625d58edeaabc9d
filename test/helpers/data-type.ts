import assert from 'node:assert/strict'
import { isJsonObject, type Json } from '../../src/json/json.ts'
import type { DataType } from '../../src/model/data-type.ts'

/** The data type of a Zarr v3 name, as test vectors give it. */
export function dataTypeOf(json: Json | undefined): DataType {
  if (typeof json === 'string') return plainType(json)
  assert.ok(isJsonObject(json))
  const configuration = json['configuration']
  assert.ok(isJsonObject(configuration))
  const length = configuration['length_bytes'] as number
  const unit = configuration['unit'] as string
  switch (json['name']) {
    case 'fixed_length_utf32':
      return { kind: 'fixed-text', encoding: 'utf-32', length }
    case 'null_terminated_bytes':
      return { kind: 'fixed-text', encoding: 'bytes', length }
    case 'raw_bytes':
      return { kind: 'opaque', length }
    case 'numpy.datetime64':
      return { kind: 'datetime', unit, scale: 1 }
    case 'numpy.timedelta64':
      return { kind: 'timedelta', unit, scale: 1 }
    case 'structured': {
      const fields = configuration['fields'] as [string, Json][]
      return { kind: 'structured', fields: fields.map(([name, type]) => ({ name, type: dataTypeOf(type) })) }
    }
    default:
      throw new Error(`unknown data type ${json['name']}`)
  }
}

function plainType(name: string): DataType {
  if (name === 'bool' || name === 'string') return { kind: name }
  if (name === 'variable_length_bytes') return { kind: 'bytes' }
  const [, kind, bits] = /^(int|uint|float|complex)(\d+)$/.exec(name) ?? []
  assert.ok(kind !== undefined && bits !== undefined, name)
  return { kind, bits: Number(bits) } as DataType
}
