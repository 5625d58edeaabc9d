import { floatJson, type Json } from '../json/json.ts'
import type { DataType, Scalar } from '../model/data-type.ts'
import { toBase64 } from './base64.ts'
import { integerJson } from './numbers.ts'

/** A scalar as the `fill_value` of a Zarr v3 document (JSON-2). The kind of the scalar decides but for numbers. */
export function toZarrFillValue(scalar: Scalar, type: DataType): Json {
  switch (scalar.kind) {
    case 'bool':
    case 'string':
      return scalar.value
    case 'number':
      return type.kind === 'float' ? floatSpelling(scalar.value) : scalar.value
    case 'bigint':
      return integerJson(scalar.value)
    case 'complex':
      return scalar.value.map(floatSpelling)
    case 'bytes':
      return toBase64(scalar.value)
  }
}

/** JSON-2: a float, or the words that stand for non-finite ones. */
export function floatSpelling(value: number): Json {
  if (Number.isFinite(value)) return floatJson(value)
  if (Number.isNaN(value)) return 'NaN'
  return value > 0 ? 'Infinity' : '-Infinity'
}
