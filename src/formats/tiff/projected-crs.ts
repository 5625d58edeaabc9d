// OGC GeoTIFF 1.1 section 7.5.4 and the table of coordinate transformation codes: projected systems that a file defines itself.
import { GEO_KEY, type GeoKeys, keyNumber, keyText } from './geo-keys.ts'
import { geographicCrs, registered } from './geographic-crs.ts'
import { node, type Wkt } from './wkt.ts'

/** A parameter of a projection: its name in WKT 1, the keys that may hold it, and its value when none does. */
type Parameter = readonly [name: string, keys: readonly number[], fallback: number]

const LATITUDE: Parameter = [
  'latitude_of_origin',
  [GEO_KEY.naturalOriginLatitude, GEO_KEY.falseOriginLatitude, GEO_KEY.centerLatitude],
  0,
]
const MERIDIAN: Parameter = [
  'central_meridian',
  [GEO_KEY.naturalOriginLongitude, GEO_KEY.falseOriginLongitude, GEO_KEY.centerLongitude],
  0,
]
const POLE: Parameter = ['central_meridian', [GEO_KEY.straightVerticalPoleLongitude, ...MERIDIAN[1]], 0]
const CENTER_LATITUDE: Parameter = ['latitude_of_center', [GEO_KEY.centerLatitude, ...LATITUDE[1]], 0]
const CENTER_LONGITUDE: Parameter = ['longitude_of_center', [GEO_KEY.centerLongitude, ...MERIDIAN[1]], 0]
const SCALE: Parameter = ['scale_factor', [GEO_KEY.scaleAtNaturalOrigin, GEO_KEY.scaleAtCenter], 1]
const PARALLEL_1: Parameter = ['standard_parallel_1', [GEO_KEY.standardParallel1], 0]
const PARALLEL_2: Parameter = ['standard_parallel_2', [GEO_KEY.standardParallel2], 0]
const AZIMUTH: Parameter = ['azimuth', [GEO_KEY.azimuth], 0]
const GRID_ANGLE: Parameter = ['rectified_grid_angle', [GEO_KEY.rectifiedGridAngle, GEO_KEY.azimuth], 90]
const EASTING: Parameter = [
  'false_easting',
  [GEO_KEY.falseEasting, GEO_KEY.falseOriginEasting, GEO_KEY.centerEasting],
  0,
]
const NORTHING: Parameter = [
  'false_northing',
  [GEO_KEY.falseNorthing, GEO_KEY.falseOriginNorthing, GEO_KEY.centerNorthing],
  0,
]
const NATURAL = [LATITUDE, MERIDIAN, SCALE]

/** Coordinate transformation codes: the projection's name in WKT 1, and its parameters but for the false origin. */
const METHODS: ReadonlyMap<number, readonly [string, readonly Parameter[]]> = new Map([
  [1, ['Transverse_Mercator', NATURAL]],
  [3, ['Hotine_Oblique_Mercator', [CENTER_LATITUDE, CENTER_LONGITUDE, AZIMUTH, GRID_ANGLE, SCALE]]],
  [7, ['Mercator_1SP', [MERIDIAN, SCALE]]],
  [8, ['Lambert_Conformal_Conic_2SP', [LATITUDE, MERIDIAN, PARALLEL_1, PARALLEL_2]]],
  [9, ['Lambert_Conformal_Conic_1SP', NATURAL]],
  [10, ['Lambert_Azimuthal_Equal_Area', [CENTER_LATITUDE, CENTER_LONGITUDE]]],
  [11, ['Albers_Conic_Equal_Area', [PARALLEL_1, PARALLEL_2, CENTER_LATITUDE, CENTER_LONGITUDE]]],
  [12, ['Azimuthal_Equidistant', [CENTER_LATITUDE, CENTER_LONGITUDE]]],
  [13, ['Equidistant_Conic', [CENTER_LATITUDE, CENTER_LONGITUDE, PARALLEL_1, PARALLEL_2]]],
  [14, ['Stereographic', NATURAL]],
  [15, ['Polar_Stereographic', [LATITUDE, POLE, SCALE]]],
  [16, ['Oblique_Stereographic', NATURAL]],
  [17, ['Equirectangular', [LATITUDE, MERIDIAN, PARALLEL_1]]],
  [18, ['Cassini_Soldner', [LATITUDE, MERIDIAN]]],
  [19, ['Gnomonic', [LATITUDE, MERIDIAN]]],
  [20, ['Miller_Cylindrical', [CENTER_LATITUDE, CENTER_LONGITUDE]]],
  [21, ['Orthographic', [LATITUDE, MERIDIAN]]],
  [22, ['Polyconic', [LATITUDE, MERIDIAN]]],
  [23, ['Robinson', [CENTER_LONGITUDE]]],
  [24, ['Sinusoidal', [CENTER_LONGITUDE]]],
  [25, ['VanDerGrinten', [MERIDIAN]]],
  [26, ['New_Zealand_Map_Grid', [LATITUDE, MERIDIAN]]],
  [27, ['Transverse_Mercator_South_Orientated', NATURAL]],
  [28, ['Cylindrical_Equal_Area', [PARALLEL_1, MERIDIAN]]],
])

/** Linear units: EPSG code, name and metres. */
const LINEAR_UNITS: ReadonlyMap<number, readonly [name: string, metres: number]> = new Map([
  [9001, ['metre', 1]],
  [9002, ['foot', 0.3048]],
  [9003, ['US survey foot', 0.304800609601219]],
  [9005, ["Clarke's foot", 0.3047972654]],
  [9036, ['kilometre', 1000]],
])

/** The projected system under the keys; undefined when they don't say enough, or name a projection that is not known. */
export function projectedCrs(keys: GeoKeys): Wkt | undefined {
  const base = geographicCrs(keys)
  const projection = utmZone(keys) ?? ownProjection(keys)
  if (base === undefined || projection === undefined) return undefined
  const name = (keyText(keys, GEO_KEY.projectedCitation) ?? keyText(keys, GEO_KEY.citation) ?? 'unknown').trim()
  return node('PROJCS', name || 'unknown', base, ...projection, linearUnit(keys, GEO_KEY.linearUnits))
}

/** Codes of the Projection key: 16001 to 16060 are the zones of UTM north, 16101 to 16160 those south. */
function utmZone(keys: GeoKeys): Wkt[] | undefined {
  const code = registered(keys, GEO_KEY.projection) ?? 0
  const zone = code - (code > 16_100 ? 16_100 : 16_000)
  if (zone < 1 || zone > 60) return undefined
  const values = [0, zone * 6 - 183, 0.9996, 500_000, code > 16_100 ? 10_000_000 : 0]
  const parameters = [...NATURAL, EASTING, NORTHING].map(([name], i) => node('PARAMETER', name, values[i] ?? 0))
  return [node('PROJECTION', 'Transverse_Mercator'), ...parameters]
}

function ownProjection(keys: GeoKeys): Wkt[] | undefined {
  const method = METHODS.get(keyNumber(keys, GEO_KEY.method) ?? 0)
  if (method === undefined) return undefined
  const [name, parameters] = method
  const written = [...parameters, EASTING, NORTHING].map(([parameter, from, fallback]) => {
    const value = from.map((key) => keyNumber(keys, key)).find((number) => number !== undefined)
    return node('PARAMETER', parameter, value ?? fallback)
  })
  return [node('PROJECTION', name), ...written]
}

/** The unit that a key names, metres when it names none. */
export function linearUnit(keys: GeoKeys, key: number): Wkt {
  const code = registered(keys, key)
  const size = key === GEO_KEY.linearUnits ? keyNumber(keys, GEO_KEY.linearUnitSize) : undefined
  if (code === undefined && size !== undefined) return node('UNIT', 'unknown', size)
  const known = LINEAR_UNITS.get(code ?? 9001)
  const [name, metres] = known ?? ['metre', 1]
  return node('UNIT', name, metres, node('AUTHORITY', 'EPSG', String(known === undefined ? 9001 : (code ?? 9001))))
}
