import { scalarFromText } from '../../fill-value/from-text.ts'
import { fromZarrFillValue } from '../../fill-value/from-zarr.ts'
import { Float, type Json } from '../../json/json.ts'
import { type DataType, type Scalar, zeroOf } from '../../model/data-type.ts'
import { type Repair, spell } from './document.ts'

const DECIMAL = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i

/** A fill value as zarr-python makes one of what is spelled for another type; undefined where that makes no sense. */
export function lenientFill(json: Json, type: DataType, repair: Repair): Scalar | undefined {
  const scalar = type.kind === 'string' ? textOf(json) : convertedFill(json instanceof Float ? json.value : json, type)
  if (scalar !== undefined) repair(`fill_value is ${spell(json)}, which is not spelled as one of this type: converted`)
  return scalar
}

function convertedFill(json: Json, type: DataType): Scalar | undefined {
  switch (type.kind) {
    case 'int':
    case 'uint':
    case 'float':
      if (typeof json === 'boolean') return fromZarrFillValue(Number(json), type)
      return typeof json === 'string' && DECIMAL.test(json) ? parsed(json, type) : undefined
    case 'datetime':
    case 'timedelta':
      return typeof json === 'boolean' ? fromZarrFillValue(Number(json), type) : undefined
    case 'fixed-text':
      // NumPy cuts what is too long.
      return type.encoding === 'utf-32' && typeof json === 'string'
        ? { kind: 'string', value: [...json].slice(0, type.length / 4).join('') }
        : undefined
    case 'opaque':
    case 'structured':
      return json === '' ? zeroOf(type) : undefined
    case 'bool':
    case 'complex':
    case 'bytes':
    case 'string':
      return undefined
  }
}

function parsed(text: string, type: DataType): Scalar | undefined {
  const result = scalarFromText(text, type)
  return result.kind === 'ok' ? result.value : undefined
}

/** As Python spells it. */
function textOf(json: Json): Scalar | undefined {
  if (typeof json === 'boolean') return { kind: 'string', value: json ? 'True' : 'False' }
  if (typeof json === 'number' || typeof json === 'bigint') return { kind: 'string', value: String(json) }
  if (!(json instanceof Float)) return undefined
  const text = Object.is(json.value, -0) ? '-0' : String(json.value)
  return { kind: 'string', value: /^-?[0-9]+$/.test(text) ? `${text}.0` : text }
}
