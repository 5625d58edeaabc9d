import { integerJson } from '../../fill-value/numbers.ts'
import { toZarrFillValue } from '../../fill-value/to-zarr.ts'
import { Float, floatJson, type Json, type JsonObject } from '../../json/json.ts'
import { writeJson } from '../../json/write.ts'
import { type DataType, isNumeric } from '../../model/data-type.ts'
import type { VirtualArray } from '../../model/virtual-store.ts'

/** Makes of a stored value what xarray shows: null where it is missing, else unpacked, and as a date where it counts from one. */
export type DecodeValue = (stored: Json) => Json

/** What the stored numbers of an array stand for. */
export interface ValueMeaning {
  /** Values that mark missing points, as JSON. */
  readonly missing: ReadonlySet<string>
  /** The type of which the stored bits are: `_Unsigned` may say another sign than the store. */
  readonly type: DataType
  /** What a value of that type means, if it is not missing. */
  readonly shown: DecodeValue
  /** Whether a greater number stands for a smaller value. */
  readonly isDecreasing: boolean
}

/** Values as they are stored. */
export function storedMeaning(array: VirtualArray, attributes: JsonObject): ValueMeaning {
  const missing = missingValues(array, attributes)
  return { missing, type: array.dataType, shown: (value) => value, isDecreasing: false }
}

/** The meaning that the served attributes of an array tell: mask, then sign, scale and offset, then times. */
export function valueMeaning(array: VirtualArray, attributes: JsonObject): ValueMeaning {
  const { dataType } = array
  const missing = missingValues(array, attributes)
  const isInteger = dataType.kind === 'int' || dataType.kind === 'uint'
  const scale = numberOf(attributes['scale_factor'])
  const offset = numberOf(attributes['add_offset'])
  const isPacked = isNumeric(dataType) && dataType.kind !== 'complex' && (scale ?? offset) !== undefined
  const time = isNumeric(dataType) ? timeReader(attributes['units'], attributes['calendar']) : undefined
  const shown: DecodeValue = (signed) => {
    const value = isPacked ? unpacked(signed, scale ?? 1, offset ?? 0) : signed
    if (time !== undefined) return time(value) ?? value
    // With a mask integers are floats, as there is no integer for "missing".
    return isInteger && !isPacked && missing.size > 0 ? floatJson(numberOf(signed) ?? Number.NaN) : value
  }
  const type = isInteger ? signedAsTold(dataType, attributes['_Unsigned']) : dataType
  return { missing, type, shown, isDecreasing: isPacked && (scale ?? 1) < 0 }
}

/** Each stored value as its meaning says, null where it is missing. */
export function valueDecoder({ missing, type, shown }: ValueMeaning, stored: DataType): DecodeValue {
  const isSame = type.kind === stored.kind || (type.kind !== 'int' && type.kind !== 'uint')
  return (value) => {
    const signed = isSame ? value : withSign(value, type)
    return missing.has(writeJson(value)) || missing.has(writeJson(signed)) ? null : shown(signed)
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

type IntegerType = Extract<DataType, { kind: 'int' | 'uint' }>

/** `_Unsigned` says that the stored bits are of the other kind of integer. */
function signedAsTold({ kind, bits }: IntegerType, told: Json | undefined): IntegerType {
  if (told === 'true') return { kind: 'uint', bits }
  return { kind: told === 'false' ? 'int' : kind, bits }
}

/** The same bits as an integer of a sign. */
function withSign(stored: Json, { kind, bits }: IntegerType): Json {
  if (typeof stored !== 'number' && typeof stored !== 'bigint') return stored
  const value = kind === 'uint' ? BigInt.asUintN(bits, BigInt(stored)) : BigInt.asIntN(bits, BigInt(stored))
  return integerJson(value)
}

function unpacked(stored: Json, scale: number, offset: number): Json {
  const value = numberOf(stored)
  return value === undefined ? stored : floatJson(value * scale + offset)
}

function numberOf(value: Json | undefined): number | undefined {
  if (value instanceof Float) return value.value
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined
}

// CF Conventions 1.11, section 4.4: times that are counted from a date.

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:days?|d)$/, 86_400_000],
  [/^(?:hours?|hrs?|h)$/, 3_600_000],
  [/^(?:minutes?|mins?)$/, 60_000],
  [/^(?:seconds?|secs?|s)$/, 1000],
  [/^(?:milliseconds?|msecs?|ms)$/, 1],
]
const SINCE =
  /^\s*(\w+)\s+since\s+(\d{1,4})-(\d{1,2})-(\d{1,2})(?:[T\s]+(\d{1,2})(?::(\d{1,2})(?::(\d{1,2}(?:\.\d*)?))?)?)?\s*(?:Z|UTC|GMT|([+-]\d{1,2})(?::?(\d{2}))?)?\s*$/i
const CALENDARS = ['standard', 'gregorian', 'proleptic_gregorian']
/** 15 October 1582: before it, the standard calendar is the Julian one. */
const GREGORIAN_START = Date.UTC(1582, 9, 15)
const MILLISECONDS_A_DAY = 86_400_000

/**
 * Writes numbers as dates (ISO 8601, UTC). Undefined where the units count from no date, or the calendar is none that a date
 * of today is written in; a value that has no such date stays undefined as well.
 */
export function timeReader(
  units: Json | undefined,
  calendar: Json | undefined,
): ((value: Json) => Json | undefined) | undefined {
  const name = typeof calendar === 'string' ? calendar.toLowerCase() : 'standard'
  const since = typeof units === 'string' ? SINCE.exec(units) : null
  if (since === null || !CALENDARS.includes(name)) return undefined
  const [, word = '', year, month, day, hour = '0', minute = '0', second = '0', zone = '+0', zoneMinutes = '0'] = since
  const length = UNITS.find(([pattern]) => pattern.test(word.toLowerCase()))?.[1]
  if (length === undefined) return undefined
  const isMixed = name !== 'proleptic_gregorian'
  const date = startOfDay(Number(year), Number(month), Number(day), isMixed)
  const east = Number(zone) * 60 + (zone.startsWith('-') ? -1 : 1) * Number(zoneMinutes)
  const start = date + Number(hour) * 3_600_000 + (Number(minute) - east) * 60_000 + Number(second) * 1000
  return (value) => {
    const count =
      value instanceof Float ? value.value : Number(typeof value === 'bigint' ? value : (value ?? Number.NaN))
    const at = new Date(Math.round(start + count * length))
    const isDate = !Number.isNaN(at.getTime()) && at.getUTCFullYear() > 0 && at.getUTCFullYear() < 10_000
    if (!isDate || (isMixed && at.getTime() < GREGORIAN_START)) return undefined
    return at.toISOString().replace(/(?:\.000)?Z$/, '')
  }
}

/** Milliseconds from 1970 of a date; in the mixed calendar an early one is of the Julian calendar. */
function startOfDay(year: number, month: number, day: number, isMixed: boolean): number {
  const gregorian = new Date(0)
  gregorian.setUTCFullYear(year, month - 1, day)
  if (!isMixed || gregorian.getTime() >= GREGORIAN_START) return gregorian.getTime()
  // The day number of a Julian date: years begin in March, so that the leap day is the last of its year.
  const years = year + 4800 - (month <= 2 ? 1 : 0)
  const months = month + (month <= 2 ? 9 : -3)
  const julianDay = day + Math.floor((153 * months + 2) / 5) + 365 * years + Math.floor(years / 4) - 32_083
  return (julianDay - 2_440_588) * MILLISECONDS_A_DAY
}
