import { Float } from '../../../json/json.ts'
import type { AttributeValue } from '../../../model/virtual-store.ts'
import { epsgWkt } from '../crs/epsg.ts'
import { DEGREE } from '../crs/units.ts'
import { node, type Wkt, wktText } from '../crs/wkt.ts'
import type { Ellipsoid } from './earth.ts'
import type { NamedMethod } from './unnamed-projections.ts'

type Mapping = ReadonlyMap<string, AttributeValue>

/** A projection of WKT 1, and which attribute of the grid mapping each of its parameters is. */
interface Method {
  readonly name: string
  readonly parameters: readonly (readonly [name: string, attribute: string, place?: number])[]
}

const OFFSETS = [
  ['false_easting', 'false_easting'],
  ['false_northing', 'false_northing'],
] as const
const CENTRE = [
  ['latitude_of_center', 'latitude_of_projection_origin'],
  ['longitude_of_center', 'longitude_of_projection_origin'],
] as const
const PARALLELS = [
  ['standard_parallel_1', 'standard_parallel', 0],
  ['standard_parallel_2', 'standard_parallel', 1],
] as const
const MERIDIAN = ['central_meridian', 'longitude_of_central_meridian'] as const
const CENTRAL = ['central_meridian', 'longitude_of_projection_origin'] as const
const ORIGIN = ['latitude_of_origin', 'latitude_of_projection_origin'] as const

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  [
    'transverse_mercator',
    {
      name: 'Transverse_Mercator',
      parameters: [ORIGIN, MERIDIAN, ['scale_factor', 'scale_factor_at_central_meridian'], ...OFFSETS],
    },
  ],
  [
    'albers_conical_equal_area',
    {
      name: 'Albers_Conic_Equal_Area',
      parameters: [
        ...PARALLELS,
        ['latitude_of_center', 'latitude_of_projection_origin'],
        ['longitude_of_center', 'longitude_of_central_meridian'],
        ...OFFSETS,
      ],
    },
  ],
  [
    'lambert_conformal_conic',
    { name: 'Lambert_Conformal_Conic_2SP', parameters: [...PARALLELS, ORIGIN, MERIDIAN, ...OFFSETS] },
  ],
  [
    'polar_stereographic',
    {
      name: 'Polar_Stereographic',
      parameters: [
        ['latitude_of_origin', 'standard_parallel'],
        ['central_meridian', 'straight_vertical_longitude_from_pole'],
        ...OFFSETS,
      ],
    },
  ],
  ['lambert_azimuthal_equal_area', { name: 'Lambert_Azimuthal_Equal_Area', parameters: [...CENTRE, ...OFFSETS] }],
  ['azimuthal_equidistant', { name: 'Azimuthal_Equidistant', parameters: [...CENTRE, ...OFFSETS] }],
  [
    'stereographic',
    {
      name: 'Stereographic',
      parameters: [ORIGIN, CENTRAL, ['scale_factor', 'scale_factor_at_projection_origin'], ...OFFSETS],
    },
  ],
  ['orthographic', { name: 'Orthographic', parameters: [ORIGIN, CENTRAL, ...OFFSETS] }],
  [
    'sinusoidal',
    { name: 'Sinusoidal', parameters: [['longitude_of_center', 'longitude_of_projection_origin'], ...OFFSETS] },
  ],
  [
    'mercator',
    {
      name: 'Mercator_2SP',
      parameters: [
        ['standard_parallel_1', 'standard_parallel'],
        ['central_meridian', 'longitude_of_projection_origin'],
        ...OFFSETS,
      ],
    },
  ],
  [
    'lambert_cylindrical_equal_area',
    {
      name: 'Cylindrical_Equal_Area',
      parameters: [['standard_parallel_1', 'standard_parallel'], MERIDIAN, ...OFFSETS],
    },
  ],
])

const WGS84 = 4326
const WGS84_MAJOR = 6_378_137
const WGS84_MINOR = 6_356_752.314245

/** The reference system that a grid mapping describes, as well-known text; the registered one where it is on WGS 84 without a projection. */
export function wellKnownText(mapping: Mapping, ellipsoid: Ellipsoid): string | undefined {
  const kind = String(mapping.get('grid_mapping_name'))
  if (kind === 'latitude_longitude') {
    const isWgs84 = ellipsoid.major === WGS84_MAJOR && ellipsoid.minor === WGS84_MINOR
    return isWgs84 ? epsgWkt(WGS84) : wktText(globeOf(ellipsoid))
  }
  const method = METHODS.get(kind)
  if (method === undefined) return undefined
  const { name } = method
  const parameters = method.parameters.map(
    ([own, attribute, place = 0]) => [own, numberAt(mapping, attribute, place) ?? 0] as const,
  )
  return projectedText({ name, parameters }, ellipsoid)
}

/** A reference system in metres. */
export function projectedText({ name, parameters }: NamedMethod, ellipsoid: Ellipsoid): string {
  const own = parameters.map(([parameter, value]) => node('PARAMETER', parameter, value))
  const method = node('PROJECTION', name)
  return wktText(node('PROJCS', 'unnamed', globeOf(ellipsoid), method, ...own, node('UNIT', 'metre', 1)))
}

function globeOf({ major, minor }: Ellipsoid): Wkt {
  const inverseFlattening = major === minor ? 0 : major / (major - minor)
  const spheroid = node('SPHEROID', 'unknown', major, inverseFlattening)
  const greenwich = node('PRIMEM', 'Greenwich', 0)
  return node('GEOGCS', 'unknown', node('DATUM', 'unknown', spheroid), greenwich, node('UNIT', 'degree', DEGREE))
}

function numberAt(mapping: Mapping, name: string, place = 0): number | undefined {
  const value = mapping.get(name)
  const one = Array.isArray(value) ? value[place] : value
  if (one instanceof Float) return one.value
  return typeof one === 'number' ? one : undefined
}
