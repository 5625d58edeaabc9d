// Zarr v2 specification, "Data type encoding": NumPy's array interface type strings.
import type { Endian } from '../../bytes/cursor.ts'
import { type ErrorContext, malformed, unsupported } from '../../errors.ts'
import type { Json } from '../../json/json.ts'
import { type DataType, itemSize, type StructField } from '../../model/data-type.ts'
import { lengthsOf, listOf, type Repair, spell } from './document.ts'

/** A type and the byte order it is stored in; undefined where bytes have no order. */
export interface V2DataType {
  readonly dataType: DataType
  readonly endian: Endian | undefined
}

const TYPE_STRING = /^([<>|=]?)([a-zA-Z])([0-9]{0,9})(?:\[([0-9]{0,9})([a-zA-Zμ]+)\])?$/
const TIME_UNITS = new Set(['Y', 'M', 'W', 'D', 'h', 'm', 's', 'ms', 'us', 'ns', 'ps', 'fs', 'as', 'generic'])
const MOST_FIELDS = 1024
const MOST_NESTING = 16

/** V2-4: the type that a `.zarray` names; `objectCodec` is the filter that says what `|O` holds. */
export function parseV2DataType(
  dtype: Json | undefined,
  objectCodec: string | undefined,
  context: ErrorContext,
  repair: Repair,
): V2DataType {
  if (dtype === '|O') return { dataType: objectType(objectCodec, context), endian: undefined }
  const parsed = parseType(dtype, { ...context, repair }, 0)
  if (itemSize(parsed.dataType) === 0) {
    throw unsupported('empty data type', `data type ${spell(dtype)} takes no bytes`, context)
  }
  return parsed
}

/** The byte order of a type string inside a filter's configuration; undefined for one-byte types and other spellings. */
export function endianOfTypeString(text: Json | undefined): Endian | undefined {
  const match = typeof text === 'string' ? TYPE_STRING.exec(text) : null
  if (match === null || match[3] === '1') return undefined
  return match[1] === '>' ? 'big' : 'little'
}

function objectType(objectCodec: string | undefined, context: ErrorContext): DataType {
  if (objectCodec === 'vlen-utf8') return { kind: 'string' }
  if (objectCodec === 'vlen-bytes') return { kind: 'bytes' }
  const how = objectCodec === undefined ? 'without an object codec' : `written with ${objectCodec}`
  throw unsupported(`objects ${how}`, `data type |O ${how} is not served, only vlen-utf8 and vlen-bytes`, context)
}

/** Where types are parsed, and what is told of them. */
interface TypeContext extends ErrorContext {
  readonly repair: Repair
}

function parseType(dtype: Json | undefined, context: TypeContext, depth: number): V2DataType {
  if (Array.isArray(dtype)) return parseFields(dtype as readonly Json[], context, depth)
  const match = typeof dtype === 'string' ? TYPE_STRING.exec(dtype) : null
  if (match === null) throw malformed(`dtype is ${spell(dtype)}, expected a type string such as "<f8"`, context)
  const [, order = '', kind = '', digits = '', scale, unit] = match
  if (kind === 'M' || kind === 'm') return timeType(kind, order, digits, scale, unit, dtype, context)
  if (unit !== undefined) throw malformed(`dtype ${spell(dtype)} has a unit, which only times have`, context)
  const dataType = plainType(kind, Number(digits === '' ? Number.NaN : digits), dtype, context)
  return { dataType, endian: orderOf(dataType, order, dtype, context) }
}

function plainType(kind: string, size: number, dtype: Json | undefined, context: ErrorContext): DataType {
  const bits = size * 8
  if (kind === 'b' && size === 1) return { kind: 'bool' }
  if ((kind === 'i' || kind === 'u') && (bits === 8 || bits === 16 || bits === 32 || bits === 64)) {
    return { kind: kind === 'i' ? 'int' : 'uint', bits }
  }
  if (kind === 'f' && (bits === 16 || bits === 32 || bits === 64)) return { kind: 'float', bits }
  if (kind === 'c' && (bits === 64 || bits === 128)) return { kind: 'complex', bits }
  if (kind === 'S' && size >= 0) return { kind: 'fixed-text', encoding: 'bytes', length: size }
  if (kind === 'U' && size >= 0) return { kind: 'fixed-text', encoding: 'utf-32', length: size * 4 }
  if (kind === 'V' && size >= 0) return { kind: 'opaque', length: size }
  throw unsupported(`data type ${spell(dtype)}`, `data type ${spell(dtype)} has no Zarr v3 counterpart`, context)
}

function timeType(
  kind: 'M' | 'm',
  order: string,
  digits: string,
  scale: string | undefined,
  unit: string | undefined,
  dtype: Json | undefined,
  context: ErrorContext,
): V2DataType {
  const name = unit === undefined ? 'generic' : unit.replace('μ', 'u')
  const count = scale === undefined || scale === '' ? 1 : Number(scale)
  if (digits !== '8' || !TIME_UNITS.has(name) || count < 1 || count > 2 ** 31 - 1) {
    throw malformed(`dtype is ${spell(dtype)}, expected a time type such as "<M8[ns]"`, context)
  }
  const dataType: DataType = { kind: kind === 'M' ? 'datetime' : 'timedelta', unit: name, scale: count }
  return { dataType, endian: orderOf(dataType, order, dtype, context) }
}

function orderOf(type: DataType, order: string, dtype: Json | undefined, context: ErrorContext): Endian | undefined {
  const ordered = type.kind === 'fixed-text' ? type.encoding === 'utf-32' : type.kind !== 'opaque'
  if (!ordered || itemSize(type) === 1) return undefined
  if (order === '<') return 'little'
  if (order === '>') return 'big'
  throw malformed(`dtype is ${spell(dtype)}, expected a byte order < or > before it`, context)
}

function parseFields(list: readonly Json[], context: TypeContext, depth: number): V2DataType {
  if (depth > MOST_NESTING || list.length === 0 || list.length > MOST_FIELDS) {
    throw malformed(`dtype has ${list.length} fields at depth ${depth}, expected 1 to ${MOST_FIELDS}`, context)
  }
  const fields: StructField[] = []
  const names = new Set<string>()
  let endian: Endian | undefined
  for (const item of list) {
    const { field, order } = parseField(item, fields.length, context, depth)
    if (names.has(field.name)) throw malformed(`dtype names the field ${spell(field.name)} twice`, context)
    names.add(field.name)
    if (order !== undefined && endian !== undefined && order !== endian) {
      throw unsupported(
        'mixed byte orders',
        'a structured type whose fields differ in byte order is not served',
        context,
      )
    }
    endian ??= order
    fields.push(field)
  }
  return { dataType: { kind: 'structured', fields }, endian }
}

/** NumPy writes the holes of an aligned record as fields without a name; here they get one, since names are unique. */
function parseField(item: Json, index: number, context: TypeContext, depth: number) {
  const [name, type, shape] = listOf(item, 'a field of dtype', context)
  if (typeof name !== 'string') throw malformed(`a field of dtype is named ${spell(name)}, expected text`, context)
  const parsed = parseType(type, context, depth + 1)
  const lengths =
    shape === undefined ? undefined : lengthsOf(shape, `the shape of field ${spell(name)}`, 1, context, context.repair)
  const field: StructField = {
    name: name === '' && parsed.dataType.kind === 'opaque' ? `pad_${index}` : name,
    type: parsed.dataType,
    ...(lengths !== undefined && lengths.length > 0 ? { shape: lengths } : {}),
  }
  if (!Number.isSafeInteger(itemSize({ kind: 'structured', fields: [field] }))) {
    throw malformed(`the field ${spell(name)} is larger than 2^53 bytes`, context)
  }
  return { field, order: parsed.endian }
}
