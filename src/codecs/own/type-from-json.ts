import { malformed } from '../../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts'
import type { DataType, StructField } from '../../model/data-type.ts'
import { integerMember, integersMember, listMember, wordMember } from '../configuration.ts'

const MOST_BYTES = 2 ** 31

/** A structured type spelled as the model spells it (`vz.field`); the inverse of nothing but JSON itself. */
export function structFromJson(json: JsonObject): DataType & { readonly kind: 'structured' } {
  const type = typeFromJson(json)
  if (type.kind !== 'structured') throw malformed(`vz.field: a ${type.kind} type has no fields`)
  return type
}

function typeFromJson(json: Json | undefined): DataType {
  if (!isJsonObject(json)) throw malformed('a data type in a codec configuration is not an object')
  const kind = json['kind']
  switch (kind) {
    case 'bool':
    case 'string':
    case 'bytes':
      return { kind }
    case 'int':
    case 'uint':
      return { kind, bits: bitsOf(json, [8, 16, 32, 64]) }
    case 'float':
      return { kind, bits: bitsOf(json, [16, 32, 64]) }
    case 'complex':
      return { kind, bits: bitsOf(json, [64, 128]) }
    case 'opaque':
      return { kind, length: integerMember(json, 'length', { least: 0, most: MOST_BYTES }) }
    case 'fixed-text': {
      const encoding = wordMember(json, 'encoding', ['utf-32', 'bytes'])
      return { kind, encoding, length: integerMember(json, 'length', { least: 0, most: MOST_BYTES }) }
    }
    case 'datetime':
    case 'timedelta': {
      const scale = integerMember(json, 'scale', { least: 1, most: MOST_BYTES })
      return { kind, unit: String(json['unit']), scale }
    }
    case 'structured':
      return { kind, fields: listMember(json, 'fields').map(fieldFromJson) }
  }
  throw malformed(`a codec configuration names the data type ${String(kind)}, which does not exist`)
}

function fieldFromJson(json: Json): StructField {
  if (!isJsonObject(json)) throw malformed('a field of a structured type is not an object')
  return { name: String(json['name']), type: typeFromJson(json['type']), shape: integersMember(json, 'shape') }
}

function bitsOf<Bits extends number>(json: JsonObject, allowed: readonly Bits[]): Bits {
  const bits = allowed.find((candidate) => candidate === json['bits'])
  if (bits === undefined) throw malformed(`a codec configuration names a type of ${String(json['bits'])} bits`)
  return bits
}
