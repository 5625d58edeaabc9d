import { Float, type Json } from '../json/json.ts'
import { type DataType, itemSize, NOT_A_TIME, type Scalar } from '../model/data-type.ts'
import { fromBase64 } from './base64.ts'
import { castScalar } from './cast.ts'
import { bytesScalar, stringScalar } from './fixed-text.ts'
import { scalarFromBytes } from './from-bytes.ts'
import { partBits } from './numbers.ts'

/**
 * The `fill_value` of a Zarr document, version 2 or 3, in any spelling of JSON-2 to JSON-5; undefined for null and for
 * what is no value of the type. Bytes of records are taken as little-endian.
 */
export function fromZarrFillValue(json: Json, type: DataType): Scalar | undefined {
  switch (type.kind) {
    case 'bool':
    case 'int':
    case 'uint':
      return typeof json === 'boolean' && type.kind === 'bool' ? { kind: 'bool', value: json } : fromNumber(json, type)
    case 'float':
      return fromFloat(json, type)
    case 'complex': {
      const part: DataType = { kind: 'float', bits: partBits(type) }
      const [re, im] = isList(json) && json.length === 2 ? json.map((value) => fromFloat(value, part)) : []
      if (re?.kind === 'number' && im?.kind === 'number') return { kind: 'complex', value: [re.value, im.value] }
      return fromNumber(json, type)
    }
    case 'datetime':
    case 'timedelta':
      return json === 'NaT' ? { kind: 'bigint', value: NOT_A_TIME } : fromNumber(json, type)
    case 'string':
      return typeof json === 'string' ? { kind: 'string', value: json } : undefined
    case 'fixed-text': {
      if (type.encoding === 'utf-32') return typeof json === 'string' ? stringScalar(json, type) : undefined
      const bytes = fromByteSpelling(json)
      return bytes === undefined ? undefined : bytesScalar(bytes, type)
    }
    case 'bytes':
    case 'opaque':
    case 'structured': {
      const bytes = fromByteSpelling(json)
      const size = itemSize(type)
      return bytes === undefined || (size ?? bytes.length) !== bytes.length
        ? undefined
        : { kind: 'bytes', value: bytes }
    }
  }
}

function fromNumber(json: Json, type: DataType): Scalar | undefined {
  if (typeof json === 'bigint') return castScalar({ kind: 'bigint', value: json }, type)?.value
  const value = json instanceof Float ? json.value : json
  return typeof value === 'number' ? castScalar({ kind: 'number', value }, type)?.value : undefined
}

const NOT_A_NUMBER = /^[+-]?nan$/i
const INFINITY = /^([+-]?)inf(?:inity)?$/i
const HEXADECIMAL = /^0x((?:[0-9a-f]{2})+)$/i

function fromFloat(json: Json, type: DataType): Scalar | undefined {
  if (typeof json !== 'string') return fromNumber(json, type)
  if (NOT_A_NUMBER.test(json)) return { kind: 'number', value: Number.NaN }
  const infinity = INFINITY.exec(json)
  if (infinity !== null) return { kind: 'number', value: infinity[1] === '-' ? -Infinity : Infinity }
  const digits = HEXADECIMAL.exec(json)?.[1]
  // The digits are written as a number is, the most significant first.
  return digits === undefined ? undefined : scalarFromBytes(new Uint8Array(Buffer.from(digits, 'hex')), type, 'big')
}

/** Base64, or the list of integers of JSON-3. */
function fromByteSpelling(json: Json): Uint8Array | undefined {
  if (typeof json === 'string') return fromBase64(json)
  if (!isList(json)) return undefined
  const isByte = (item: Json) => typeof item === 'number' && Number.isInteger(item) && item >= 0 && item < 256
  return json.every(isByte) ? Uint8Array.from(json as readonly number[]) : undefined
}

function isList(json: Json): json is readonly Json[] {
  return Array.isArray(json)
}
