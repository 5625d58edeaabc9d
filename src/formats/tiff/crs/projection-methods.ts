// OGC GeoTIFF 1.1 section 7.5.4 and the table of coordinate transformation codes: what keys make a projection, as libgeotiff reads them.

import { node, type Wkt } from '../../georeference/crs/wkt.ts'
import { GEO_KEY, type GeoKeys, keyCode, keyDouble } from './geo-keys.ts'

/** A parameter of a projection: its name in WKT 1, the keys that may hold it, and its value when none does. */
type Parameter = readonly [name: string, keys: readonly number[], fallback: number]

interface Method {
  /** Its name in WKT 1. */
  readonly name: string
  /** But for the false origin. */
  readonly parameters: readonly Parameter[]
  /** Where its coordinates grow to, if not to the east and the north. */
  readonly axes?: readonly [x: string, y: string]
}

const LATITUDES = [GEO_KEY.naturalOriginLatitude, GEO_KEY.falseOriginLatitude, GEO_KEY.centerLatitude]
const LONGITUDES = [GEO_KEY.naturalOriginLongitude, GEO_KEY.falseOriginLongitude, GEO_KEY.centerLongitude]
const SCALES = [GEO_KEY.scaleAtNaturalOrigin, GEO_KEY.scaleAtCenter]

const LATITUDE: Parameter = ['latitude_of_origin', LATITUDES, 0]
const MERIDIAN: Parameter = ['central_meridian', LONGITUDES, 0]
const POLE: Parameter = ['central_meridian', [GEO_KEY.straightVerticalPoleLongitude, ...LONGITUDES], 0]
const CENTER_LATITUDE: Parameter = ['latitude_of_center', LATITUDES, 0]
const CENTER_LONGITUDE: Parameter = ['longitude_of_center', LONGITUDES, 0]
const SCALE: Parameter = ['scale_factor', SCALES, 1]
const NATURAL_SCALE: Parameter = ['scale_factor', [GEO_KEY.scaleAtNaturalOrigin], 1]
const PARALLEL_1: Parameter = ['standard_parallel_1', [GEO_KEY.standardParallel1], 0]
const PARALLEL_2: Parameter = ['standard_parallel_2', [GEO_KEY.standardParallel2], 0]
const AZIMUTH: Parameter = ['azimuth', [GEO_KEY.azimuth], 0]
const GRID_ANGLE: Parameter = ['rectified_grid_angle', [GEO_KEY.rectifiedGridAngle], 90]

const EASTINGS = [GEO_KEY.falseEasting, GEO_KEY.centerEasting, GEO_KEY.falseOriginEasting]
const NORTHINGS = [GEO_KEY.falseNorthing, GEO_KEY.centerNorthing, GEO_KEY.falseOriginNorthing]

const NATURAL = [LATITUDE, MERIDIAN, SCALE]
const ORIGIN = [LATITUDE, MERIDIAN]
const CENTER = [CENTER_LATITUDE, CENTER_LONGITUDE]
const PARALLELS = [PARALLEL_1, PARALLEL_2]
const OBLIQUE = [...CENTER, AZIMUTH, GRID_ANGLE, SCALE]

/** By coordinate transformation code; those that are missing here GDAL does not read either. */
const METHODS: ReadonlyMap<number, Method> = new Map<number, Method>([
  [1, { name: 'Transverse_Mercator', parameters: NATURAL }],
  [3, { name: 'Hotine_Oblique_Mercator', parameters: OBLIQUE }],
  [4, { name: 'Laborde_Oblique_Mercator', parameters: [...CENTER, AZIMUTH, SCALE] }],
  [7, { name: 'Mercator_1SP', parameters: [MERIDIAN, NATURAL_SCALE] }],
  [8, { name: 'Lambert_Conformal_Conic_2SP', parameters: [...ORIGIN, ...PARALLELS] }],
  [9, { name: 'Lambert_Conformal_Conic_1SP', parameters: NATURAL }],
  [10, { name: 'Lambert_Azimuthal_Equal_Area', parameters: CENTER }],
  [11, { name: 'Albers_Conic_Equal_Area', parameters: [...CENTER, ...PARALLELS] }],
  [12, { name: 'Azimuthal_Equidistant', parameters: CENTER }],
  [13, { name: 'Equidistant_Conic', parameters: [...CENTER, ...PARALLELS] }],
  [14, { name: 'Stereographic', parameters: [...ORIGIN, NATURAL_SCALE] }],
  [15, { name: 'Polar_Stereographic', parameters: [LATITUDE, POLE, SCALE] }],
  [16, { name: 'Oblique_Stereographic', parameters: NATURAL }],
  [17, { name: 'Equirectangular', parameters: [...ORIGIN, PARALLEL_1] }],
  [18, { name: 'Cassini_Soldner', parameters: ORIGIN }],
  [19, { name: 'Gnomonic', parameters: ORIGIN }],
  [20, { name: 'Miller_Cylindrical', parameters: [CENTER_LONGITUDE] }],
  [21, { name: 'Orthographic', parameters: ORIGIN }],
  [22, { name: 'Polyconic', parameters: ORIGIN }],
  [23, { name: 'Robinson', parameters: [CENTER_LONGITUDE] }],
  [24, { name: 'Sinusoidal', parameters: [CENTER_LONGITUDE] }],
  [25, { name: 'VanDerGrinten', parameters: [MERIDIAN] }],
  [26, { name: 'New_Zealand_Map_Grid', parameters: ORIGIN }],
  [27, { name: 'Transverse_Mercator_South_Orientated', parameters: NATURAL, axes: ['WEST', 'SOUTH'] }],
  [28, { name: 'Cylindrical_Equal_Area', parameters: [PARALLEL_1, MERIDIAN] }],
  [9815, { name: 'Hotine_Oblique_Mercator_Azimuth_Center', parameters: OBLIQUE }],
])

const MERCATOR = 7
const DEGREES = 9102
const MERCATOR_2SP: Method = { name: 'Mercator_2SP', parameters: [PARALLEL_1, MERIDIAN] }
/** GDAL takes the latitude of origin of a Mercator projection without a scale for its parallel. */
const MERCATOR_BY_ORIGIN: Method = {
  name: 'Mercator_2SP',
  parameters: [['standard_parallel_1', LATITUDES, 0], MERIDIAN],
}

/** `PROJECTION` and its `PARAMETER`s, in the units of the keys; undefined, with a remark, when the keys make none. */
export function keyedProjection(keys: GeoKeys, code: number, remarks: string[]): readonly Wkt[] | undefined {
  const method = methodOf(keys, code)
  const fault = method === undefined ? 'is no projection that is known' : faultOf(keys, method)
  if (method === undefined || fault !== undefined) {
    remarks.push(`ProjMethodGeoKey (ProjCoordTransGeoKey) ${code} ${fault}`)
    return undefined
  }
  const named = [...method.parameters, ['false_easting', EASTINGS, 0], ['false_northing', NORTHINGS, 0]] as const
  const written = named.map(([name, from, fallback]) => node('PARAMETER', name, firstOf(keys, from) ?? fallback))
  return [node('PROJECTION', method.name), ...written]
}

function methodOf(keys: GeoKeys, code: number): Method | undefined {
  if (code !== MERCATOR) return METHODS.get(code)
  if (keys.has(GEO_KEY.standardParallel1)) return MERCATOR_2SP
  const isScaled = (keyDouble(keys, GEO_KEY.scaleAtNaturalOrigin) ?? 1) !== 1
  return (firstOf(keys, LATITUDES) ?? 0) !== 0 && !isScaled ? MERCATOR_BY_ORIGIN : METHODS.get(code)
}

/** What keeps a method's keys from making a projection that all readers understand alike. */
function faultOf(keys: GeoKeys, { name }: Method): string | undefined {
  const latitude = firstOf(keys, LATITUDES) ?? 0
  const isMercator = name.startsWith('Mercator') && (name.endsWith('1SP') || keys.has(GEO_KEY.standardParallel1))
  if (isMercator && latitude !== 0) return `is Mercator with a latitude of origin of ${latitude}`
  const azimuthUnit = keyCode(keys, GEO_KEY.azimuthUnits) ?? DEGREES
  if (azimuthUnit !== DEGREES && keys.has(GEO_KEY.azimuth))
    return `has an azimuth in ${azimuthUnit}, which GDAL reads as degrees`
  if (name === 'Polar_Stereographic' && latitude === 0)
    return 'is polar stereographic without a latitude (ProjNatOriginLatGeoKey)'
  const isScaled = (firstOf(keys, SCALES) ?? 1) !== 1
  if (name === 'Polar_Stereographic' && isScaled && Math.abs(latitude) !== 90)
    return 'is polar stereographic with both a scale and a parallel'
  if (name === 'Lambert_Conformal_Conic_2SP' && !keys.has(GEO_KEY.standardParallel2))
    return 'lacks ProjStdParallel2GeoKey'
  return undefined
}

function firstOf(keys: GeoKeys, from: readonly number[]): number | undefined {
  return from.map((key) => keyDouble(keys, key)).find((number) => number !== undefined)
}

/** What a parameter of a projection is. An azimuth is none of the angles in the units of the geographic system. */
export function parameterKind(name: string): 'length' | 'angle' | 'azimuth' | 'ratio' {
  if (name.startsWith('false_')) return 'length'
  if (name === 'azimuth') return 'azimuth'
  return name === 'scale_factor' ? 'ratio' : 'angle'
}

/** The axes of a projected system, as GDAL names them. */
export function axesOf(projection: string): readonly Wkt[] {
  const [x, y] = [...METHODS.values()].find(({ name }) => name === projection)?.axes ?? ['EAST', 'NORTH']
  return [node('AXIS', 'Easting', node(x)), node('AXIS', 'Northing', node(y))]
}

/** Whether a projection may come without axes of its own: those that GDAL reads from keys. */
export function isKeyed(projection: string): boolean {
  return projection === 'Mercator_2SP' || [...METHODS.values()].some(({ name }) => name === projection)
}
