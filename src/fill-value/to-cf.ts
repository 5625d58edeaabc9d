import type { Json } from '../json/json.ts'
import type { DataType, Scalar } from '../model/data-type.ts'
import { fromBase64, toBase64 } from './base64.ts'
import { castScalar } from './cast.ts'
import { fromZarrFillValue } from './from-zarr.ts'
import { toZarrFillValue } from './to-zarr.ts'

/** A sentinel as the `_FillValue` attribute that xarray decodes (FV-7); undefined for types that have no encoding. */
export function toCfFillValue(scalar: Scalar, type: DataType): Json | undefined {
  if (type.kind === 'structured' || type.kind === 'opaque' || isTime(type)) return undefined
  if (scalar.kind === 'number' && type.kind === 'float') return encodedDouble(scalar.value)
  return scalar.kind === 'complex' ? scalar.value.map(encodedDouble) : toZarrFillValue(scalar, type)
}

/** The inverse of `toCfFillValue`; undefined for what is no encoded value of the type. */
export function fromCfFillValue(json: Json, type: DataType): Scalar | undefined {
  if (type.kind === 'structured' || type.kind === 'opaque' || isTime(type)) return undefined
  if (type.kind === 'float') {
    const value = decodedDouble(json)
    return value === undefined ? undefined : castScalar({ kind: 'number', value }, type)?.value
  }
  if (type.kind === 'complex') {
    const [re, im] = Array.isArray(json) && json.length === 2 ? json.map(decodedDouble) : []
    return re === undefined || im === undefined
      ? undefined
      : castScalar({ kind: 'complex', value: [re, im] }, type)?.value
  }
  return fromZarrFillValue(json, type)
}

/** Base64 of a little-endian IEEE 754 double, whatever the width of the array's floats. */
function encodedDouble(value: number): string {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setFloat64(0, value, true)
  return toBase64(bytes)
}

function decodedDouble(json: Json): number | undefined {
  const bytes = typeof json === 'string' ? fromBase64(json) : undefined
  if (bytes?.length !== 8) return undefined
  return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true)
}

function isTime(type: DataType): boolean {
  return type.kind === 'datetime' || type.kind === 'timedelta'
}
