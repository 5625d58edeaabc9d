// GCTP's projections and their parameters as grid mappings: CF conventions 1.11, appendix F.
import { floatJson } from '../../../json/json.ts'
import type { AttributeValue } from '../../../model/virtual-store.ts'
import { degreesOf, type Ellipsoid, ellipsoidOf } from './earth.ts'
import type { EosGrid } from './structure.ts'

type Mapping = readonly (readonly [string, AttributeValue])[]

/** Standard latitudes or a scale, and where the map begins: GCTP counts parameters from 0. */
interface Parameters {
  degrees(place: number): number
  number(place: number): number
  readonly easting: number
  readonly northing: number
}

/** The attributes of a grid mapping variable; undefined for a projection that CF has no name for. */
export function gridMapping(grid: EosGrid): Map<string, AttributeValue> | undefined {
  const mapping = mappingOf(grid)
  if (mapping === undefined) return undefined
  const shape = earthAttributes(ellipsoidOf(grid, SPHERICAL.has(grid.projection)))
  return new Map([...mapping, ...shape, ['long_name', `reference system of ${grid.name}`]])
}

/** GCTP computes these on a sphere. */
const SPHERICAL = new Set(['GCTP_SNSOID', 'GCTP_LAMAZ', 'GCTP_AZMEQD', 'GCTP_EQRECT'])

function mappingOf(grid: EosGrid): Mapping | undefined {
  const at = parametersOf(grid)
  const offsets = [number('false_easting', at.easting), number('false_northing', at.northing)] as const
  switch (grid.projection) {
    case 'GCTP_GEO':
      return [named('latitude_longitude')]
    case 'GCTP_UTM':
      return utm(grid, at)
    case 'GCTP_TM':
      return [
        named('transverse_mercator'),
        number('scale_factor_at_central_meridian', at.number(2)),
        number('longitude_of_central_meridian', at.degrees(4)),
        number('latitude_of_projection_origin', at.degrees(5)),
        ...offsets,
      ]
    case 'GCTP_ALBERS':
      return [named('albers_conical_equal_area'), ...conic(at), ...offsets]
    case 'GCTP_LAMCC':
      return [named('lambert_conformal_conic'), ...conic(at), ...offsets]
    case 'GCTP_PS':
      return polar(at, offsets)
    case 'GCTP_LAMAZ':
      return [named('lambert_azimuthal_equal_area'), ...centred(at), ...offsets]
    case 'GCTP_AZMEQD':
      return [named('azimuthal_equidistant'), ...centred(at), ...offsets]
    case 'GCTP_SNSOID':
      return [named('sinusoidal'), number('longitude_of_projection_origin', at.degrees(4)), ...offsets]
    case 'GCTP_MERCAT':
      return [
        named('mercator'),
        number('longitude_of_projection_origin', at.degrees(4)),
        number('standard_parallel', at.degrees(5)),
        ...offsets,
      ]
    case 'GCTP_CEA':
      return [
        named('lambert_cylindrical_equal_area'),
        number('longitude_of_central_meridian', at.degrees(4)),
        number('standard_parallel', at.degrees(5)),
        ...offsets,
      ]
  }
  return undefined
}

function parametersOf({ parameters }: EosGrid): Parameters {
  const number = (place: number) => parameters[place] ?? 0
  return { number, degrees: (place) => degreesOf(number(place)), easting: number(6), northing: number(7) }
}

const UTM_SCALE = 0.9996
const UTM_EASTING = 500_000
const UTM_NORTHING = 10_000_000

/** By its zone, negative in the south, or by a place in it. */
function utm({ zone }: EosGrid, at: Parameters): Mapping {
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

function conic(at: Parameters): Mapping {
  return [
    ['standard_parallel', [floatJson(at.degrees(2)), floatJson(at.degrees(3))]],
    number('longitude_of_central_meridian', at.degrees(4)),
    number('latitude_of_projection_origin', at.degrees(5)),
  ]
}

function centred(at: Parameters): Mapping {
  return [
    number('longitude_of_projection_origin', at.degrees(4)),
    number('latitude_of_projection_origin', at.degrees(5)),
  ]
}

function polar(at: Parameters, offsets: Mapping): Mapping {
  return [
    named('polar_stereographic'),
    number('straight_vertical_longitude_from_pole', at.degrees(4)),
    number('latitude_of_projection_origin', at.degrees(5) < 0 ? -90 : 90),
    number('standard_parallel', at.degrees(5)),
    ...offsets,
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
