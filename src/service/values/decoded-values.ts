import { toZarrFillValue } from '../../fill-value/to-zarr.ts'
import { Float, floatJson, type Json, type JsonObject } from '../../json/json.ts'
import { writeJson } from '../../json/write.ts'
import { type DataType, isNumeric } from '../../model/data-type.ts'
import type { VirtualArray } from '../../model/virtual-store.ts'
import { timeReader } from './decoded-times.ts'

/** Makes of a stored value what xarray shows: null where it is missing, else unpacked, and as a date where it counts from one. */
export type DecodeValue = (stored: Json) => Json

/** The decoding that the served attributes of an array ask for: mask, then sign, scale and offset, then times. */
export function valueDecoder(array: VirtualArray, attributes: JsonObject): DecodeValue {
  const { dataType } = array
  const missing = missingValues(array, attributes)
  const isInteger = dataType.kind === 'int' || dataType.kind === 'uint'
  const sign = isInteger ? signChange(dataType, attributes['_Unsigned']) : undefined
  const scale = numberOf(attributes['scale_factor'])
  const offset = numberOf(attributes['add_offset'])
  const isPacked = isNumeric(dataType) && dataType.kind !== 'complex' && (scale ?? offset) !== undefined
  const time = isNumeric(dataType) ? timeReader(attributes['units'], attributes['calendar']) : undefined
  return (stored) => {
    const signed = sign === undefined ? stored : sign(stored)
    if (missing.has(writeJson(stored)) || missing.has(writeJson(signed))) return null
    const value = isPacked ? unpacked(signed, scale ?? 1, offset ?? 0) : signed
    if (time !== undefined) return time(value) ?? value
    // With a mask integers are floats, as there is no integer for "missing".
    return isInteger && !isPacked && missing.size > 0 ? floatJson(Number(signed)) : value
  }
}

function missingValues({ dataType, sentinels }: VirtualArray, attributes: JsonObject): ReadonlySet<string> {
  const scalars = [sentinels.fillValue, sentinels.missingValue].filter((scalar) => scalar !== undefined)
  const missing = new Set(scalars.map((scalar) => writeJson(toZarrFillValue(scalar, dataType))))
  const declared = attributes['missing_value']
  for (const value of Array.isArray(declared) ? (declared as readonly Json[]) : []) {
    missing.add(writeJson(dataType.kind === 'float' && typeof value === 'number' ? floatJson(value) : value))
  }
  return missing
}

/** `_Unsigned` says that the stored bits are of the other kind of integer. */
function signChange(
  type: Extract<DataType, { kind: 'int' | 'uint' }>,
  told: Json | undefined,
): DecodeValue | undefined {
  const isChanged = (type.kind === 'int' && told === 'true') || (type.kind === 'uint' && told === 'false')
  if (!isChanged) return undefined
  return (stored) => {
    if (typeof stored !== 'number' && typeof stored !== 'bigint') return stored
    const bits = BigInt(stored)
    const value = type.kind === 'int' ? BigInt.asUintN(type.bits, bits) : BigInt.asIntN(type.bits, bits)
    return Number.isSafeInteger(Number(value)) ? Number(value) : value
  }
}

function unpacked(stored: Json, scale: number, offset: number): Json {
  const value = numberOf(stored)
  return value === undefined ? stored : floatJson(value * scale + offset)
}

function numberOf(value: Json | undefined): number | undefined {
  if (value instanceof Float) return value.value
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined
}
