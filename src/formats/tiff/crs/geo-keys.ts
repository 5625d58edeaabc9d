// OGC GeoTIFF 1.1 (19-008r4) section 7: the directory of geographic keys.
import type { Tags } from '../directories/read-tags.ts'
import { TAG } from '../directories/tags.ts'

/** A short, a text, or doubles: readers of a key take none of another type, as libgeotiff does. */
export type GeoKeyValue = number | string | readonly number[]
export type GeoKeys = ReadonlyMap<number, GeoKeyValue>

/** Keys by name: annex of the standard. */
export const GEO_KEY = {
  modelType: 1024,
  rasterType: 1025,
  citation: 1026,
  geodeticCrs: 2048,
  geodeticCitation: 2049,
  geodeticDatum: 2050,
  primeMeridian: 2051,
  geogLinearUnits: 2052,
  geogLinearUnitSize: 2053,
  angularUnits: 2054,
  angularUnitSize: 2055,
  ellipsoid: 2056,
  semiMajorAxis: 2057,
  semiMinorAxis: 2058,
  inverseFlattening: 2059,
  azimuthUnits: 2060,
  primeMeridianLongitude: 2061,
  toWgs84: 2062,
  projectedCrs: 3072,
  projectedCitation: 3073,
  projection: 3074,
  method: 3075,
  linearUnits: 3076,
  linearUnitSize: 3077,
  standardParallel1: 3078,
  standardParallel2: 3079,
  naturalOriginLongitude: 3080,
  naturalOriginLatitude: 3081,
  falseEasting: 3082,
  falseNorthing: 3083,
  falseOriginLongitude: 3084,
  falseOriginLatitude: 3085,
  falseOriginEasting: 3086,
  falseOriginNorthing: 3087,
  centerLongitude: 3088,
  centerLatitude: 3089,
  centerEasting: 3090,
  centerNorthing: 3091,
  scaleAtNaturalOrigin: 3092,
  scaleAtCenter: 3093,
  azimuth: 3094,
  straightVerticalPoleLongitude: 3095,
  rectifiedGridAngle: 3096,
  verticalCrs: 4096,
  verticalCitation: 4097,
  verticalDatum: 4098,
  verticalUnits: 4099,
} as const

const TEXT_KEYS: ReadonlySet<number> = new Set([
  GEO_KEY.citation,
  GEO_KEY.geodeticCitation,
  GEO_KEY.projectedCitation,
  GEO_KEY.verticalCitation,
])
const SHORT_KEYS: ReadonlySet<number> = new Set([
  GEO_KEY.modelType,
  GEO_KEY.rasterType,
  GEO_KEY.geodeticCrs,
  GEO_KEY.geodeticDatum,
  GEO_KEY.primeMeridian,
  GEO_KEY.geogLinearUnits,
  GEO_KEY.angularUnits,
  GEO_KEY.ellipsoid,
  GEO_KEY.azimuthUnits,
  GEO_KEY.projectedCrs,
  GEO_KEY.projection,
  GEO_KEY.method,
  GEO_KEY.linearUnits,
  GEO_KEY.verticalCrs,
  GEO_KEY.verticalDatum,
  GEO_KEY.verticalUnits,
])
const DEFINED: ReadonlySet<number> = new Set(Object.values(GEO_KEY))

const KEY_SHORTS = 4

/** The keys of a directory; entries that point nowhere are left out, as libgeotiff does. */
export function parseGeoKeys(tags: Tags): GeoKeys {
  const keys = new Map<number, GeoKeyValue>()
  const shorts = tags.numbers(TAG.geoKeys) ?? []
  const count = Math.min(shorts[3] ?? 0, Math.floor(shorts.length / KEY_SHORTS) - 1)
  const doubles = tags.numbers(TAG.geoDoubles) ?? []
  const hasText = tags.bytes(TAG.geoText) !== undefined
  for (let i = 1; i <= count; i++) {
    const [key = 0, place = 0, length = 0, value = 0] = shorts.slice(i * KEY_SHORTS, (i + 1) * KEY_SHORTS)
    if (place === 0) keys.set(key, value)
    else if (place === TAG.geoKeys) keepNumber(keys, key, shorts[value])
    else if (place === TAG.geoDoubles) keepNumbers(keys, key, doubles.slice(value, value + length))
    else if (place === TAG.geoText && hasText) keys.set(key, endedText(tags.textOf(place, value, value + length)))
  }
  return keys
}

/** Whether the directory is of GeoTIFF 1.1 or later. */
export function isRevised(tags: Tags): boolean {
  return (tags.numbers(TAG.geoKeys)?.[2] ?? 0) >= 1
}

function keepNumber(keys: Map<number, GeoKeyValue>, key: number, number: number | undefined): void {
  if (number !== undefined) keys.set(key, number)
}

function keepNumbers(keys: Map<number, GeoKeyValue>, key: number, numbers: readonly number[]): void {
  if (numbers.length > 0) keys.set(key, numbers)
}

/** Texts end in a bar, which stands for the NUL that the tag can't have within. */
function endedText(text: string): string {
  return text.replace(/[|\0]+$/, '')
}

const USER_DEFINED = 32_767

/** The short of a key. */
export function keyShort(keys: GeoKeys, key: number): number | undefined {
  const value = keys.get(key)
  return typeof value === 'number' ? value : undefined
}

/** The code that a key names; 0 is undefined and 32767 user-defined. */
export function keyCode(keys: GeoKeys, key: number): number | undefined {
  const code = keyShort(keys, key)
  return code === undefined || code <= 0 || code === USER_DEFINED ? undefined : code
}

/** The doubles of a key; none unless all are finite. */
export function keyDoubles(keys: GeoKeys, key: number): readonly number[] {
  const value = keys.get(key)
  return typeof value === 'object' && value.every(Number.isFinite) ? value : []
}

/** The first double of a key. */
export function keyDouble(keys: GeoKeys, key: number): number | undefined {
  return keyDoubles(keys, key)[0]
}

/** A key's value as text. */
export function keyText(keys: GeoKeys, key: number): string | undefined {
  const value = keys.get(key)
  return typeof value === 'string' ? value : undefined
}

/** Keys of the standard whose values are of another type than it says: nobody reads them. */
export function mistypedKeys(keys: GeoKeys): readonly number[] {
  const expected = (key: number) => (TEXT_KEYS.has(key) ? 'string' : SHORT_KEYS.has(key) ? 'number' : 'object')
  return [...keys].filter(([key, value]) => DEFINED.has(key) && typeof value !== expected(key)).map(([key]) => key)
}
