// CF conventions 1.11, section 5.6 and appendix F: grid mappings.
import { Float } from '../../json/json.ts'
import type { VirtualArray } from '../../model/virtual-store.ts'
import { type CfGrid, textOf } from './cf-grid.ts'

const WGS84 = 'EPSG:4326'
/** The authority's code at the end of WKT is that of the whole system. */
const WKT_CODE = /(?:AUTHORITY|ID)\s*\[\s*"EPSG"\s*,\s*"?(\d{1,6})"?\s*\]\s*\]\s*$/i
const CODE = /^(?:urn:ogc:def:crs:)?EPSG:{1,2}(\d{1,6})$/i

/** `EPSG:32633` of a grid, where its mapping says so; latitudes and longitudes without any are taken for WGS 84. */
export function codeOf({ mapping, isGeographic, isMappingLost }: CfGrid): string | undefined {
  if (mapping === undefined) return isGeographic && !isMappingLost ? WGS84 : undefined
  for (const name of ['crs_wkt', 'spatial_ref', 'epsg_code', 'crs_id']) {
    const text = textOf(mapping, name)?.trim() ?? ''
    const code = WKT_CODE.exec(text)?.[1] ?? CODE.exec(text)?.[1]
    if (code !== undefined) return `EPSG:${code}`
    // WKT without a code is a system that has none.
    if (text !== '') return undefined
  }
  const isPlain = textOf(mapping, 'grid_mapping_name')?.trim() === 'latitude_longitude'
  return isGeographic && isPlain && isWgs84(mapping) ? WGS84 : undefined
}

/** Whether the ellipsoid is that of WGS 84, or none is given. */
function isWgs84(mapping: VirtualArray): boolean {
  const axis = numberOf(mapping, 'semi_major_axis') ?? numberOf(mapping, 'earth_radius')
  const flattening = numberOf(mapping, 'inverse_flattening')
  const minor = numberOf(mapping, 'semi_minor_axis')
  const isAxis = axis === undefined || Math.abs(axis - 6_378_137) < 0.01
  const isFlattening = flattening === undefined || Math.abs(flattening - 298.257_223_563) < 1e-6
  const isMinor = minor === undefined || Math.abs(minor - 6_356_752.314_245) < 0.01
  return isAxis && isFlattening && isMinor && numberOf(mapping, 'earth_radius') === undefined
}

/** An attribute that is one number. */
export function numberOf({ attributes }: VirtualArray, name: string): number | undefined {
  const value = attributes.get(name)
  if (value instanceof Float) return value.value
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined
}
