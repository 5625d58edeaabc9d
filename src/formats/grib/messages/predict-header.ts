import { unitSeconds } from '../describe/times.ts'
import type { FieldOfEdition2 } from './field.ts'
import type { ListedKeys } from './listing.ts'

// Where sections 1 and 4 of edition 2 say what an index says in numbers, counted from behind a section's length and number. Templates 4.0 and
// 4.1 (a forecast at a point in time, and one of an ensemble) begin alike.
const YEAR = 7
const SECOND = 13
const TEMPLATE = 2
const TIME_UNIT = 12
const FORECAST_TIME = 13
const FIRST_SURFACE_SCALE = 18
const FIRST_SURFACE_VALUE = 19
const SECOND_SURFACE = 23
const SIMPLE_BYTES = 29
const MEMBER = 30
const NO_SURFACE = 255

const SIMPLE = 0
const OF_ENSEMBLE = 1

/** Pascals of a level in hectopascals; other levels are listed in the units of the file. */
const LEVEL_UNITS: readonly number[] = [100, 1]
/** What remains of a decimal fraction that is computed in binary. */
const TOLERANCE = 1e-6

/** A field's own sections 1 and 4. */
export type Header = Pick<FieldOfEdition2, 'identification' | 'product'>

/** Makes the header of another field of the same kind; undefined where it can't be told from the keys. */
export type PredictHeader = (keys: ListedKeys) => Header | undefined

/**
 * How headers of one kind of field follow from what an index says of them: by a message of this kind and its own line. Undefined where
 * the message doesn't say what its line says, or says it in a way that is not known here.
 */
export function headerPrediction(sample: Header, own: ListedKeys): PredictHeader | undefined {
  const { identification, product } = sample
  const template = viewOf(product).getUint16(TEMPLATE)
  const hasMember = template === OF_ENSEMBLE
  if ((template !== SIMPLE && !hasMember) || product.length < SIMPLE_BYTES || identification.length <= SECOND)
    return undefined
  if (hasMember && product.length <= MEMBER) return undefined
  const levelUnit = LEVEL_UNITS.find((unit) => {
    const value = own.level === undefined ? undefined : scaledLevel(product, own.level, unit)
    return value !== undefined && value === viewOf(product).getUint32(FIRST_SURFACE_VALUE)
  })
  const predict: PredictHeader = ({ time, step, level, number }) => {
    const header = { identification: Uint8Array.from(identification), product: Uint8Array.from(product) }
    const view = viewOf(header.product)
    if (time !== undefined && !putTime(header.identification, time)) return undefined
    if (step !== undefined) {
      const seconds = unitSeconds(product[TIME_UNIT] ?? 0, 2)
      const count = seconds === undefined ? Number.NaN : step / seconds
      if (!isUnsigned(count)) return undefined
      view.setUint32(FORECAST_TIME, count)
    }
    if (level !== undefined) {
      const value = levelUnit === undefined ? undefined : scaledLevel(product, level, levelUnit)
      if (value === undefined) return undefined
      view.setUint32(FIRST_SURFACE_VALUE, value)
    }
    if (number !== undefined) {
      if (!hasMember || number > 255) return undefined
      header.product[MEMBER] = number
    }
    return header
  }
  const again = predict(own)
  return again !== undefined && isSameHeader(again, sample) ? predict : undefined
}

export function isSameHeader(one: Header, other: Header): boolean {
  return (
    Buffer.compare(one.identification, other.identification) === 0 && Buffer.compare(one.product, other.product) === 0
  )
}

/** The first surface's value, with the scale that a message of this kind has; layers between two surfaces are not told by one number. */
function scaledLevel(product: Uint8Array, level: number, unit: number): number | undefined {
  const code = product[FIRST_SURFACE_SCALE] ?? 0
  if (product[SECOND_SURFACE] !== NO_SURFACE || code === NO_SURFACE) return undefined
  const exponent = code >= 128 ? 128 - code : code
  const exact = level * unit * 10 ** exponent
  const value = Math.round(exact)
  return Math.abs(exact - value) <= TOLERANCE && isUnsigned(value) ? value : undefined
}

/** Indexes name no seconds: there must be none, as in the message that shows how others look. */
function putTime(identification: Uint8Array, time: number): boolean {
  const date = new Date(time * 1000)
  viewOf(identification).setUint16(YEAR, date.getUTCFullYear())
  identification.set([date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes()], YEAR + 2)
  return identification[SECOND] === date.getUTCSeconds()
}

/** A number of four bytes, without the sign, and not the one that means that there is none. */
function isUnsigned(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < 2 ** 31 - 1
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
