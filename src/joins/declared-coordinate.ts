import { bytesOf, isLong, numbersOf, zeroNumbers } from '../codecs/numbers.ts'
import { malformed } from '../errors.ts'
import { Float, type Json } from '../json/json.ts'
import { type ChunkIndex, gridShapeOf } from '../model/chunk-index.ts'
import { type DataType, integerRange, itemSize } from '../model/data-type.ts'
import { rawEncoding } from '../model/encoding.ts'
import { runRange } from '../model/run-chunks.ts'
import { type Attributes, type AttributeValue, NO_SENTINELS, type VirtualArray } from '../model/virtual-store.ts'
import { membersOf, optional, textOf } from './members.ts'
import { numberScalar } from './packing.ts'
import { countsFromDate, parseTimeUnits, SECOND, type TimeUnits } from './times/time-units.ts'
import { isInteger } from './types.ts'

/** A coordinate along the joined dimension that the document states, so that no file is read for it: `first + index * step`. */
export interface DeclaredCoordinate {
  readonly name: string
  readonly first: number
  readonly step: number
  readonly units: string | undefined
  readonly calendar: string | undefined
  /** What the units mean where they count from a date. */
  readonly times: TimeUnits | undefined
  readonly dataType: DataType
}

const KNOWN = ['start', 'step', 'units', 'calendar', 'dtype']

const TYPES: ReadonlyMap<string, DataType> = new Map([
  ['int32', { kind: 'int', bits: 32 }],
  ['int64', { kind: 'int', bits: 64 }],
  ['float32', { kind: 'float', bits: 32 }],
  ['float64', { kind: 'float', bits: 64 }],
])

/** Reads `coordinates` of a join document: by dimension. */
export function declaredCoordinates(json: Json): ReadonlyMap<string, DeclaredCoordinate> {
  return new Map([...membersOf(json, 'coordinates')].map(([name, own]) => [name, coordinateOf(name, own)] as const))
}

function coordinateOf(name: string, json: Json): DeclaredCoordinate {
  const place = `coordinates.${name}`
  const members = membersOf(json, place, KNOWN)
  const units = optional(members, 'units', (value) => textOf(value, `${place}.units`))
  const calendar = optional(members, 'calendar', (value) => textOf(value, `${place}.calendar`))
  const times = timesOf(place, units, calendar)
  const first = startOf(place, members.get('start'), times)
  const step = stepOf(place, members.get('step'), times)
  const dataType = typeOf(place, members.get('dtype'), [first, step])
  return { name, first, step, units, calendar, times, dataType }
}

function timesOf(place: string, units: string | undefined, calendar: string | undefined): TimeUnits | undefined {
  if (units === undefined || !countsFromDate(units)) {
    if (calendar === undefined) return undefined
    throw malformed(`${place}.calendar is for units that count from a date, such as "hours since 1970-01-01"`)
  }
  const times = parseTimeUnits(units, calendar)
  if (times !== undefined) return times
  throw malformed(
    `${place}.units is ${JSON.stringify(units)} in the calendar ${calendar ?? 'standard'}; expected a unit of fixed length (weeks, months and years have none here) since a date, such as "hours since 1970-01-01"`,
  )
}

/** A number of units, or a date. */
function startOf(place: string, json: Json | undefined, times: TimeUnits | undefined): number {
  const number = plainNumber(json)
  if (number !== undefined) return number
  const text = textOf(json, `${place}.start`)
  if (times === undefined)
    throw malformed(
      `${place}.start is the text ${JSON.stringify(text)}; a date needs units such as "hours since 1970-01-01"`,
    )
  const date = parseTimeUnits(`seconds since ${text}`, times.calendar)
  if (date === undefined) throw malformed(`${place}.start is no date: ${JSON.stringify(text)}`)
  return quotient(date.start - times.start, times.unit)
}

// ISO 8601-1, section 5.5.2; years and months are left out.
const DURATION = /^P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,7})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:\.(\d{1,9}))?S)?)?$/

/** A number of units, or a duration. */
function stepOf(place: string, json: Json | undefined, times: TimeUnits | undefined): number {
  const number = plainNumber(json)
  const step = number ?? durationIn(place, textOf(json, `${place}.step`), times)
  if (step === 0) throw malformed(`${place}.step is 0`)
  return step
}

function durationIn(place: string, text: string, times: TimeUnits | undefined): number {
  const match = DURATION.exec(text)
  const parts = match?.slice(1) ?? []
  if (times === undefined || match === null || parts.every((part) => part === undefined))
    throw malformed(
      `${place}.step is ${JSON.stringify(text)}; expected a number of units or, for times, a duration of weeks, days, hours, minutes and seconds such as "PT6H"; months and years have no fixed length`,
    )
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(0, 5).map((part) => Number(part ?? 0))
  const whole = ((weeks * 7 + days) * 24 + hours) * 3600 + minutes * 60 + seconds
  return quotient(BigInt(whole) * SECOND + BigInt((parts[5] ?? '').padEnd(9, '0')), times.unit)
}

function quotient(nanoseconds: bigint, unit: bigint): number {
  return nanoseconds % unit === 0n ? Number(nanoseconds / unit) : Number(nanoseconds) / Number(unit)
}

function typeOf(place: string, json: Json | undefined, values: readonly number[]): DataType {
  const isWhole = values.every(Number.isSafeInteger)
  const name = json === undefined || json === null ? (isWhole ? 'int64' : 'float64') : textOf(json, `${place}.dtype`)
  const type = TYPES.get(name)
  if (type === undefined)
    throw malformed(`${place}.dtype is ${JSON.stringify(name)}, expected ${[...TYPES.keys()].join(', ')}`)
  if (isInteger(type) && !isWhole)
    throw malformed(
      `${place}.dtype is ${name}, and start and step are no whole numbers of its units: ${values.join(', ')}`,
    )
  return type
}

function plainNumber(json: Json | undefined): number | undefined {
  const value = json instanceof Float ? json.value : json
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Numbers in one chunk. */
const CHUNK_LENGTH = 65_536

/** The coordinate as an array: computed when it is asked for. `usual` is that of the files, whose other attributes it has. */
export function declaredArray(
  declared: DeclaredCoordinate,
  length: number,
  usual: VirtualArray | undefined,
): VirtualArray {
  const { name, first, step, dataType } = declared
  requireRange(declared, length)
  const shape = [length]
  const chunkShape = [Math.max(1, Math.min(length, CHUNK_LENGTH))]
  const bytesAt = (coords: readonly number[]): Uint8Array => {
    const size = itemSize(dataType) ?? 8
    const run = runRange(shape, chunkShape, size, coords)
    const numbers = zeroNumbers(run.length / size, dataType)
    const from = run.offset / size
    for (let i = 0; i < numbers.length; i++) {
      const value = first + (from + i) * step
      if (isLong(numbers)) numbers[i] = BigInt(value)
      else numbers[i] = value
    }
    return bytesOf(numbers)
  }
  const chunks: ChunkIndex = {
    gridShape: gridShapeOf(shape, chunkShape),
    at: (coords) => ({ kind: 'inline', bytes: bytesAt(coords), encoding: 0 }),
    isComplete: () => true,
    weight: () => 512,
  }
  return {
    kind: 'array',
    shape,
    chunkShape,
    dataType,
    fillValue: numberScalar(0, dataType),
    fillOrigin: 'zero of the type',
    sentinels: NO_SENTINELS,
    attributes: attributesOf(declared, usual?.attributes ?? new Map()),
    dimensionNames: [name],
    encodings: [rawEncoding('little')],
    edges: 'cropped',
    chunks,
  }
}

/** Attributes that say how numbers are stored in the files, or what they may be. */
const OF_FILES = [
  'units',
  'calendar',
  'scale_factor',
  'add_offset',
  '_Unsigned',
  'missing_value',
  'valid_min',
  'valid_max',
]

function attributesOf({ units, calendar }: DeclaredCoordinate, usual: Attributes): Attributes {
  const kept = [...usual].filter(
    ([name]) => !OF_FILES.includes(name) && name !== 'valid_range' && name !== 'actual_range',
  )
  const own: (readonly [string, AttributeValue])[] = []
  if (units !== undefined) own.push(['units', units])
  if (calendar !== undefined) own.push(['calendar', calendar])
  return new Map([...kept, ...own])
}

function requireRange({ name, first, step, dataType }: DeclaredCoordinate, length: number): void {
  if (!isInteger(dataType)) return
  const last = first + Math.max(0, length - 1) * step
  const [lowest, highest] = integerRange(dataType)
  const isHeld = Number.isSafeInteger(last) && BigInt(last) >= lowest && BigInt(last) <= highest
  if (!isHeld)
    throw malformed(
      `coordinates.${name} would end with ${last}, which is too large for ${dataType.kind}${dataType.bits}`,
    )
}

/** How far a value may be from the declared one, in steps: floats of the files are rounded. */
const TOLERANCE = 1e-3

/** What a member says otherwise of its first value; undefined where it agrees or says nothing that can be compared. */
export function contradiction(
  declared: DeclaredCoordinate,
  start: number,
  own: { readonly values: Uint8Array; readonly dataType: DataType; readonly times: TimeUnits | undefined },
): string | undefined {
  const { name, first, step, times } = declared
  const [value] = numbersOf(own.values, own.dataType)
  if (value === undefined || !Number.isFinite(Number(value))) return undefined
  const expected = first + start * step
  if ((times === undefined) !== (own.times === undefined)) return undefined
  const found =
    times === undefined || own.times === undefined
      ? Number(value)
      : (Number(value) * Number(own.times.unit) + Number(own.times.start - times.start)) / Number(times.unit)
  if (Math.abs(found - expected) <= Math.abs(step) * TOLERANCE) return undefined
  return `${name} begins with ${found}${declared.units === undefined ? '' : ` ${declared.units}`}, and the document declares ${expected}`
}
