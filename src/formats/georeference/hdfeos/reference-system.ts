// GCTP's projections and their parameters as grid mappings: CF conventions 1.11, appendix F.
import { floatJson } from '../../../json/json.ts'
import type { AttributeValue } from '../../../model/virtual-store.ts'
import { type Ellipsoid, ellipsoidOf } from './earth.ts'
import { type ProjectionParameters, parametersOf } from './parameters.ts'
import type { EosGrid } from './structure.ts'
import { unnamedMethod } from './unnamed-projections.ts'
import { projectedText, wellKnownText } from './well-known-text.ts'

type Mapping = readonly (readonly [string, AttributeValue])[]

/** The attributes of a grid mapping variable, without a name where CF has none; undefined for a projection that nobody has a name for. */
export function gridMapping(grid: EosGrid): Map<string, AttributeValue> | undefined {
  const ellipsoid = ellipsoidOf(grid, SPHERICAL.has(grid.projection))
  const known = mappingOf(grid)
  const method = known === undefined ? unnamedMethod(grid) : undefined
  if (known === undefined && method === undefined) return undefined
  const about: Mapping = [...earthAttributes(ellipsoid), ['long_name', `reference system of ${grid.name}`]]
  const mapping = new Map([...(known ?? []), ...about])
  const text = method === undefined ? wellKnownText(mapping, ellipsoid) : projectedText(method, ellipsoid)
  return text === undefined ? mapping : mapping.set('crs_wkt', text).set('spatial_ref', text)
}

/** GCTP computes these on a sphere. */
const SPHERICAL: ReadonlySet<string> = new Set(
  'STEREO LAMAZ AZMEQD GNOMON ORTHO GVNSP SNSOID EQRECT MILLER VGRINT ROBIN GOOD MOLL WAGIV WAGVII'
    .split(' ')
    .map((name) => `GCTP_${name}`),
)

function mappingOf(grid: EosGrid): Mapping | undefined {
  if (grid.projection === 'GCTP_GEO') return [named('latitude_longitude')]
  const at = parametersOf(grid)
  if (grid.projection === 'GCTP_UTM') return utm(grid, at)
  const own = MAPPINGS.get(grid.projection)
  if (own === undefined) return undefined
  return [named(own.name), ...own.of(at), number('false_easting', at.easting), number('false_northing', at.northing)]
}

interface CfProjection {
  readonly name: string
  /** What it is made with besides its false origin. */
  of(at: ProjectionParameters): Mapping
}

const EQUAL_AREA_CYLINDER: CfProjection = {
  name: 'lambert_cylindrical_equal_area',
  of: (at) => [number('longitude_of_central_meridian', at.degrees(4)), number('standard_parallel', at.degrees(5))],
}

const MAPPINGS: ReadonlyMap<string, CfProjection> = new Map<string, CfProjection>([
  ['GCTP_TM', { name: 'transverse_mercator', of: transverse }],
  ['GCTP_ALBERS', { name: 'albers_conical_equal_area', of: conic }],
  ['GCTP_LAMCC', { name: 'lambert_conformal_conic', of: conic }],
  ['GCTP_PS', { name: 'polar_stereographic', of: polar }],
  ['GCTP_LAMAZ', { name: 'lambert_azimuthal_equal_area', of: centred }],
  ['GCTP_AZMEQD', { name: 'azimuthal_equidistant', of: centred }],
  ['GCTP_ORTHO', { name: 'orthographic', of: centred }],
  [
    'GCTP_STEREO',
    { name: 'stereographic', of: (at) => [number('scale_factor_at_projection_origin', 1), ...centred(at)] },
  ],
  [
    'GCTP_GVNSP',
    { name: 'vertical_perspective', of: (at) => [number('perspective_point_height', at.number(2)), ...centred(at)] },
  ],
  ['GCTP_SNSOID', { name: 'sinusoidal', of: (at) => [number('longitude_of_projection_origin', at.degrees(4))] }],
  [
    'GCTP_MERCAT',
    {
      name: 'mercator',
      of: (at) => [number('longitude_of_projection_origin', at.degrees(4)), number('standard_parallel', at.degrees(5))],
    },
  ],
  ['GCTP_CEA', EQUAL_AREA_CYLINDER],
  ['GCTP_BCEA', EQUAL_AREA_CYLINDER],
])

const UTM_SCALE = 0.9996
const UTM_EASTING = 500_000
const UTM_NORTHING = 10_000_000

/** By its zone, negative in the south, or by a place in it. */
function utm({ zone }: EosGrid, at: ProjectionParameters): Mapping {
  const isByPlace = zone === undefined || zone === 0
  const central = isByPlace ? Math.floor(at.degrees(0) / 6) * 6 + 3 : Math.abs(zone) * 6 - 183
  const isSouth = isByPlace ? at.number(1) < 0 : zone < 0
  return [
    named('transverse_mercator'),
    number('scale_factor_at_central_meridian', UTM_SCALE),
    number('longitude_of_central_meridian', central),
    number('latitude_of_projection_origin', 0),
    number('false_easting', UTM_EASTING),
    number('false_northing', isSouth ? UTM_NORTHING : 0),
  ]
}

function transverse(at: ProjectionParameters): Mapping {
  return [
    number('scale_factor_at_central_meridian', at.number(2)),
    number('longitude_of_central_meridian', at.degrees(4)),
    number('latitude_of_projection_origin', at.degrees(5)),
  ]
}

function conic(at: ProjectionParameters): Mapping {
  return [
    ['standard_parallel', [floatJson(at.degrees(2)), floatJson(at.degrees(3))]],
    number('longitude_of_central_meridian', at.degrees(4)),
    number('latitude_of_projection_origin', at.degrees(5)),
  ]
}

function centred(at: ProjectionParameters): Mapping {
  return [
    number('longitude_of_projection_origin', at.degrees(4)),
    number('latitude_of_projection_origin', at.degrees(5)),
  ]
}

function polar(at: ProjectionParameters): Mapping {
  return [
    number('straight_vertical_longitude_from_pole', at.degrees(4)),
    number('latitude_of_projection_origin', at.degrees(5) < 0 ? -90 : 90),
    number('standard_parallel', at.degrees(5)),
  ]
}

function earthAttributes({ major, minor }: Ellipsoid): Mapping {
  if (major === minor) return [number('earth_radius', major)]
  return [number('semi_major_axis', major), number('semi_minor_axis', minor)]
}

function named(name: string): readonly [string, AttributeValue] {
  return ['grid_mapping_name', name]
}

function number(name: string, value: number): readonly [string, AttributeValue] {
  return [name, floatJson(value)]
}
