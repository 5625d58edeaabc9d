import type { RasterBand, RasterContent } from './raster-reference.ts'
import type { ServedBand, ServedRaster } from './served-raster.ts'

/** What differs between a raster of the reference reader and ours, each side as a short text. */
export interface RasterDifference {
  readonly what: string
  readonly reference: string
  readonly ours: string
}

const MAX_SHOWN_VALUES = 40
/** Of a number of a transform: its text has 15 or more digits. */
const TRANSFORM_TOLERANCE = 1e-12

export function compareRasters(reference: RasterContent, ours: ServedRaster): readonly RasterDifference[] {
  const differences: RasterDifference[] = []
  const check = (what: string, isSame: boolean, left: unknown, right: unknown) => {
    if (!isSame) differences.push({ what, reference: shown(left), ours: shown(right) })
  }
  const size = ({ width, height, bands }: RasterContent | ServedRaster) => [width, height, bands.length]
  check('size', String(size(reference)) === String(size(ours)), size(reference), size(ours))
  check('transform', isSameTransform(reference.transform, ours.transform), reference.transform, ours.transform)
  for (const [at, wanted] of reference.bands.entries()) {
    const found = ours.bands[at]
    if (found === undefined) continue
    const name = `band ${at + 1}`
    check(`dtype of ${name}`, wanted.dtype === found.dtype, wanted.dtype, found.dtype)
    if (wanted.dtype !== found.dtype) continue
    const areValuesEqual =
      wanted.values.length === found.values.length &&
      wanted.values.every((value, place) => isSameNumber(value, found.values[place] ?? 0))
    check(`values of ${name}`, areValuesEqual, wanted.values, found.values)
    check(`nodata of ${name}`, isSameNodata(wanted, found), wanted.nodata, found.nodata)
    check(`scale of ${name}`, Object.is(wanted.scale, found.scale), wanted.scale, found.scale)
    check(`offset of ${name}`, wanted.offset === found.offset, wanted.offset, found.offset)
    if (!areValuesEqual || wanted.flags.includes('alpha')) continue
    const mask = maskOf(found)
    check(`mask of ${name}`, wanted.mask.join('') === mask.join(''), wanted.mask.join(''), mask.join(''))
  }
  return differences
}

function shown(value: unknown): string {
  if (!Array.isArray(value)) return String(value)
  const more = value.length > MAX_SHOWN_VALUES ? ', …' : ''
  return `[${value.slice(0, MAX_SHOWN_VALUES).join(', ')}${more}]`
}

function isSameNumber(one: number | bigint, other: number | bigint): boolean {
  return one === other || (Number.isNaN(one) && Number.isNaN(other))
}

function isSameTransform(one: readonly number[] | undefined, other: readonly number[] | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return one.every(
    (value, at) => Math.abs(value - (other[at] ?? 0)) <= TRANSFORM_TOLERANCE * Math.max(1, Math.abs(value)),
  )
}

/** A value that no pixel of the type can have is no nodata value of ours; both mask nothing. */
function isSameNodata({ nodata, dtype }: RasterBand, { nodata: own }: ServedBand): boolean {
  // rasterio has it as a double, or not at all.
  if (typeof own === 'bigint' && (own > MAX_SAFE || own < -MAX_SAFE)) return true
  if (nodata === undefined) return own === undefined
  if (own === undefined) return !canHold(dtype, nodata)
  if (typeof own === 'bigint') return BigInt(Math.trunc(Number(nodata))) === own || nodata === String(own)
  const wanted = Number(nodata === 'nan' ? Number.NaN : nodata.replace('inf', 'Infinity'))
  return isSameNumber(dtype === 'float32' ? Math.fround(wanted) : wanted, own)
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER)

const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  uint8: [0, 255],
  int8: [-128, 127],
  uint16: [0, 65_535],
  int16: [-32_768, 32_767],
  uint32: [0, 4_294_967_295],
  int32: [-2_147_483_648, 2_147_483_647],
}

function canHold(dtype: string, nodata: string): boolean {
  const range = RANGES[dtype]
  if (range === undefined) return true
  const value = Number(nodata)
  return Number.isInteger(value) && value >= range[0] && value <= range[1]
}

function maskOf({ values, nodata, mask }: ServedBand): readonly number[] {
  if (mask !== undefined) return mask.map((value) => (Number(value) === 0 ? 0 : 1))
  return values.map((value) => (nodata !== undefined && isSameNumber(value, nodata) ? 0 : 1))
}
