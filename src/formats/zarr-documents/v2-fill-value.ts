// Zarr v2 specification, "Fill value encoding"; REQUIREMENTS V2-1, JSON-5.
import type { Endian } from '../../bytes/cursor.ts'
import { castScalar } from '../../fill-value/cast.ts'
import { scalarFromBytes } from '../../fill-value/from-bytes.ts'
import { fromZarrFillValue } from '../../fill-value/from-zarr.ts'
import { Float, type Json } from '../../json/json.ts'
import { type DataType, type Scalar, zeroOf } from '../../model/data-type.ts'

/** The scalar that a `.zarray` spells as `fill_value` (not null); undefined where the type can't hold it. */
export function scalarFromV2(json: Json, type: DataType, endian: Endian | undefined): Scalar | undefined {
  const spelled = fromZarrFillValue(json, type)
  if (spelled === undefined) return scalarFromDefault(json, type)
  if (type.kind !== 'structured' || spelled.kind !== 'bytes' || endian !== 'big') return spelled
  return scalarFromBytes(spelled.value, type, endian)
}

/** The default of 0 stands in documents of every type: as text NumPy and zarr-python read it as "0". */
function scalarFromDefault(json: Json, type: DataType): Scalar | undefined {
  const value = json instanceof Float ? json.value : json
  if (typeof value !== 'number' || !Number.isInteger(value)) return undefined
  switch (type.kind) {
    case 'string':
    case 'fixed-text':
      if (json instanceof Float) return undefined
      return castScalar({ kind: 'string', value: String(value) }, type)?.value
    case 'bytes':
    case 'opaque':
    case 'structured':
      return value === 0 ? zeroOf(type) : undefined
    case 'bool':
    case 'int':
    case 'uint':
    case 'float':
    case 'complex':
    case 'datetime':
    case 'timedelta':
      return undefined
  }
}
