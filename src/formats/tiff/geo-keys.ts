// OGC GeoTIFF 1.1 (19-008r4) section 7: the directory of geographic keys.
import type { Tags } from './read-tags.ts'
import { TAG } from './tags.ts'

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
    else if (place === TAG.geoKeys) keepNumbers(keys, key, shorts.slice(value, value + length))
    else if (place === TAG.geoDoubles) keepNumbers(keys, key, doubles.slice(value, value + length))
    else if (place === TAG.geoText && hasText) keys.set(key, endedText(tags.textOf(place, value, value + length)))
  }
  return keys
}

/** Whether the directory is of GeoTIFF 1.1 or later. */
export function isRevised(tags: Tags): boolean {
  return (tags.numbers(TAG.geoKeys)?.[2] ?? 0) >= 1
}

function keepNumbers(keys: Map<number, GeoKeyValue>, key: number, numbers: readonly number[]): void {
  const [first] = numbers
  if (first !== undefined) keys.set(key, numbers.length === 1 ? first : numbers)
}

/** Texts end in a bar, which stands for the NUL that the tag can't have within. */
function endedText(text: string): string {
  return text.replace(/[|\0]+$/, '')
}

/** A key's value as one finite number. */
export function keyNumber(keys: GeoKeys, key: number): number | undefined {
  const value = keys.get(key)
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** A key's value as text. */
export function keyText(keys: GeoKeys, key: number): string | undefined {
  const value = keys.get(key)
  return typeof value === 'string' ? value : undefined
}
