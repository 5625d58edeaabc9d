// Projections of GCTP that CF has no name for: only well-known text says where their grids lie. Robinson's is none of these: GCTP's is on another scale.
import { type ProjectionParameters, parametersOf } from './parameters.ts'
import type { EosGrid } from './structure.ts'

/** A method of well-known text, and its parameters. */
export interface NamedMethod {
  readonly name: string
  readonly parameters: readonly (readonly [name: string, value: number])[]
}

type Parameters = NamedMethod['parameters']

/** How a grid's projection is written in well-known text; undefined where that has no word for it either. */
export function unnamedMethod(grid: EosGrid): NamedMethod | undefined {
  const at = parametersOf(grid)
  const method = METHODS.get(grid.projection)?.(at)
  if (method === undefined) return undefined
  const [name, ...parameters] = method
  return { name, parameters: [...parameters, ['false_easting', at.easting], ['false_northing', at.northing]] }
}

type Method = (at: ProjectionParameters) => readonly [name: string, ...parameters: Parameters]

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['GCTP_POLYC', (at) => ['Polyconic', ['latitude_of_origin', at.degrees(5)], ['central_meridian', at.degrees(4)]]],
  ['GCTP_EQUIDC', equidistantConic],
  ['GCTP_GNOMON', (at) => ['Gnomonic', ['latitude_of_origin', at.degrees(5)], ['central_meridian', at.degrees(4)]]],
  [
    'GCTP_EQRECT',
    (at) => ['Equirectangular', ['standard_parallel_1', at.degrees(5)], ['central_meridian', at.degrees(4)]],
  ],
  ['GCTP_MILLER', (at) => ['Miller_Cylindrical', ['longitude_of_center', at.degrees(4)]]],
  ['GCTP_VGRINT', (at) => ['VanDerGrinten', ['central_meridian', at.degrees(4)]]],
  ['GCTP_HOM', obliqueMercator],
  ['GCTP_GOOD', () => ['Interrupted_Goode_Homolosine', ['central_meridian', 0]]],
  ['GCTP_MOLL', (at) => ['Mollweide', ['central_meridian', at.degrees(4)]]],
  ['GCTP_WAGIV', (at) => ['Wagner_IV', ['central_meridian', at.degrees(4)]]],
  ['GCTP_WAGVII', (at) => ['Wagner_VII', ['central_meridian', at.degrees(4)]]],
])

/** Through one parallel, or two of them. */
function equidistantConic(at: ProjectionParameters): ReturnType<Method> {
  const second = at.number(8) === 0 ? at.degrees(2) : at.degrees(3)
  return [
    'Equidistant_Conic',
    ['standard_parallel_1', at.degrees(2)],
    ['standard_parallel_2', second],
    ['latitude_of_center', at.degrees(5)],
    ['longitude_of_center', at.degrees(4)],
  ]
}

/** Along a line through two points, or through one in a direction. */
function obliqueMercator(at: ProjectionParameters): ReturnType<Method> {
  const common: Parameters = [
    ['latitude_of_center', at.degrees(5)],
    ['scale_factor', at.number(2)],
  ]
  if (at.number(12) !== 0) {
    const [azimuth, centre] = [at.degrees(3), at.degrees(4)]
    const line: Parameters = [
      ['longitude_of_center', centre],
      ['azimuth', azimuth],
      ['rectified_grid_angle', azimuth],
    ]
    return ['Hotine_Oblique_Mercator_Azimuth_Center', ...common, ...line]
  }
  return [
    'Hotine_Oblique_Mercator_Two_Point_Natural_Origin',
    ...common,
    ['latitude_of_point_1', at.degrees(9)],
    ['longitude_of_point_1', at.degrees(8)],
    ['latitude_of_point_2', at.degrees(11)],
    ['longitude_of_point_2', at.degrees(10)],
  ]
}
