// Zarr v3 core specification, "Data types", and the registered extensions that have a type of ours.
import { type ErrorContext, malformed, unsupported } from '../../errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts'
import { type DataType, itemSize, NUMBER_TYPES, type StructField } from '../../model/data-type.ts'
import { objectOf, type Repair, spell, tellUnknown } from './document.ts'

const PLAIN: ReadonlyMap<string, DataType> = new Map<string, DataType>([
  ...NUMBER_TYPES,
  ['complex64', { kind: 'complex', bits: 64 }],
  ['complex128', { kind: 'complex', bits: 128 }],
  ['string', { kind: 'string' }],
  ['bytes', { kind: 'bytes' }],
  ['variable_length_bytes', { kind: 'bytes' }],
])
const RAW_BITS = /^r([1-9][0-9]{0,9})$/
const TIME_UNITS = new Set(['Y', 'M', 'W', 'D', 'h', 'm', 's', 'ms', 'us', 'μs', 'ns', 'ps', 'fs', 'as', 'generic'])
const MOST_FIELDS = 1024
const MOST_NESTING = 16

/** The type that `data_type` names, as text or as an object with a name and a configuration. */
export function parseV3DataType(json: Json | undefined, context: ErrorContext, repair: Repair): DataType {
  const configuration = isJsonObject(json) ? json['configuration'] : undefined
  const isPlain = isJsonObject(json) && typeof json['name'] === 'string' && PLAIN.has(json['name'])
  if (isPlain && isJsonObject(configuration)) tellUnknown(configuration, [], 'data_type', repair)
  return parseType(json, context, 0)
}

function parseType(json: Json | undefined, context: ErrorContext, depth: number): DataType {
  const name = isJsonObject(json) ? json['name'] : json
  if (typeof name !== 'string') throw malformed(`data_type is ${spell(json)}, expected a name`, context)
  const plain = PLAIN.get(name)
  if (plain !== undefined) return plain
  const bits = RAW_BITS.exec(name)?.[1]
  if (bits !== undefined) return rawBits(Number(bits), name, context)
  const configuration = isJsonObject(json) ? json['configuration'] : undefined
  return configuredType(name, objectOf(configuration ?? {}, `configuration of ${name}`, context), context, depth)
}

function rawBits(bits: number, name: string, context: ErrorContext): DataType {
  if (bits % 8 !== 0) throw malformed(`data_type is "${name}", expected a multiple of 8 bits`, context)
  return { kind: 'opaque', length: bits / 8 }
}

function configuredType(name: string, configuration: JsonObject, context: ErrorContext, depth: number): DataType {
  switch (name) {
    case 'fixed_length_utf32':
    case 'fixed_length_ucs4': {
      const length = lengthBytes(name, configuration, context)
      if (length % 4 !== 0) throw malformed(`length_bytes of ${name} is ${length}, expected a multiple of 4`, context)
      return { kind: 'fixed-text', encoding: 'utf-32', length }
    }
    case 'null_terminated_bytes':
      return { kind: 'fixed-text', encoding: 'bytes', length: lengthBytes(name, configuration, context) }
    case 'raw_bytes':
      return { kind: 'opaque', length: lengthBytes(name, configuration, context) }
    case 'numpy.datetime64':
    case 'numpy.timedelta64':
      return timeType(name, configuration, context)
    case 'structured':
    case 'struct':
      return structuredType(configuration, context, depth)
  }
  throw unsupported(`data type ${spell(name)}`, `data type ${spell(name)} is not served`, context)
}

function lengthBytes(name: string, configuration: JsonObject, context: ErrorContext): number {
  const length = configuration['length_bytes']
  if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0 || length > 2 ** 31) {
    throw malformed(`length_bytes of ${name} is ${spell(length)}, expected a length below 2 GiB`, context)
  }
  if (length === 0) throw unsupported('empty data type', `data type ${name} of length 0 takes no bytes`, context)
  return length
}

function timeType(name: string, configuration: JsonObject, context: ErrorContext): DataType {
  const { unit, scale_factor: scale = 1 } = configuration
  const isScale = typeof scale === 'number' && Number.isInteger(scale) && scale > 0 && scale < 2 ** 31
  if (typeof unit !== 'string' || !TIME_UNITS.has(unit) || !isScale) {
    throw malformed(`${name} has unit ${spell(unit)} and scale_factor ${spell(scale)}, expected a NumPy unit`, context)
  }
  return { kind: name === 'numpy.datetime64' ? 'datetime' : 'timedelta', unit: unit.replace('μ', 'u'), scale }
}

/** Fields are `[name, type]` (zarr-python's `structured`) or `{ name, data_type }` (the registered `struct`). */
function structuredType(configuration: JsonObject, context: ErrorContext, depth: number): DataType {
  const list = configuration['fields']
  if (!Array.isArray(list) || list.length === 0 || list.length > MOST_FIELDS || depth > MOST_NESTING) {
    throw malformed(`a structured type has fields ${spell(list)}, expected 1 to ${MOST_FIELDS}`, context)
  }
  const names = new Set<string>()
  const fields = (list as readonly Json[]).map((item): StructField => {
    const [name, type] = Array.isArray(item) ? (item as readonly Json[]) : fieldMembers(item)
    if (typeof name !== 'string' || names.has(name)) {
      throw malformed(`a field is named ${spell(name)}, expected a name of its own`, context)
    }
    names.add(name)
    const field = parseType(type, context, depth + 1)
    if (itemSize(field) !== undefined) return { name, type: field }
    throw unsupported('fields of varying length', `the field ${spell(name)} has no fixed length`, context)
  })
  return { kind: 'structured', fields }
}

function fieldMembers(item: Json): readonly [Json | undefined, Json | undefined] {
  return isJsonObject(item) ? [item['name'], item['data_type']] : [undefined, undefined]
}
