import type { Coordinate } from '../plot/coordinates.ts'
import type { Matrix } from '../plot/viewport.ts'
import type { ArrayInfo, Attributes, Inspection } from '../service/types.ts'
import { parentOf } from '../store/nodes.ts'

/** Where a grid lies on the Earth. `matrix` leads from columns and rows to the plane of its own reference system, y upwards. */
export interface Georeference {
  readonly crs: ReferenceSystem
  readonly matrix: Matrix
}

/** Latitudes and longitudes, or a plane that a definition describes. */
export type ReferenceSystem =
  | { readonly kind: 'geographic' }
  | { readonly kind: 'projected'; readonly definition: string }

const GEOGRAPHIC: ReferenceSystem = { kind: 'geographic' }
/** How far a coordinate may lie beside equal steps, in steps. */
const MOST_BESIDE = 0.02

/** What the store says of the place of an array with these axes; undefined where it says nothing that is understood. */
export function georeferenceOf(
  inspection: Inspection,
  path: string,
  array: ArrayInfo,
  [down, across]: readonly [number, number],
  coordinates: readonly Coordinate[] | undefined,
): Georeference | undefined {
  const group = inspection.groups[parentOf(path)]?.attributes ?? {}
  const crs = referenceSystemOf(inspection, path, array, group, coordinates, [down, across])
  if (crs === undefined) return undefined
  const said = saidTransform(group, array, [down, across])
  const matrix = said ?? evenMatrix(coordinates?.[down]?.values, coordinates?.[across]?.values)
  return matrix === undefined ? undefined : { crs, matrix }
}

/** `spatial:transform` of the group, where it is about these dimensions. */
function saidTransform(group: Attributes, array: ArrayInfo, axes: readonly [number, number]): Matrix | undefined {
  const [dimensions, transform, shape] = ['spatial:dimensions', 'spatial:transform', 'spatial:shape'].map(
    (name) => group[name],
  )
  if (!Array.isArray(dimensions) || !Array.isArray(transform) || !Array.isArray(shape)) return undefined
  const isOurs = axes.every(
    (axis, side) => array.dimension_names[axis] === dimensions[side] && array.shape[axis] === shape[side],
  )
  const [a, b, c, d, e, f] = transform as readonly number[]
  if (!isOurs || [a, b, c, d, e, f].some((one) => typeof one !== 'number')) return undefined
  return [a ?? 1, d ?? 0, b ?? 0, e ?? 1, c ?? 0, f ?? 0]
}

/** From two coordinates in equal steps. */
function evenMatrix(down: Float64Array | undefined, across: Float64Array | undefined): Matrix | undefined {
  const [y, x] = [evenSteps(down), evenSteps(across)]
  if (x === undefined || y === undefined) return undefined
  return [x.step, 0, 0, y.step, x.first - x.step / 2, y.first - y.step / 2]
}

function evenSteps(values: Float64Array | undefined): { readonly first: number; readonly step: number } | undefined {
  const [first, last] = [values?.[0], values?.at(-1)]
  if (values === undefined || first === undefined || last === undefined || values.length < 2) return undefined
  const step = (last - first) / (values.length - 1)
  if (step === 0 || !Number.isFinite(step)) return undefined
  const isEven = values.every((value, at) => Math.abs(value - (first + at * step)) <= Math.abs(step) * MOST_BESIDE)
  return isEven ? { first, step } : undefined
}

function referenceSystemOf(
  inspection: Inspection,
  path: string,
  array: ArrayInfo,
  group: Attributes,
  coordinates: readonly Coordinate[] | undefined,
  [down, across]: readonly [number, number],
): ReferenceSystem | undefined {
  const [y, x] = [coordinates?.[down]?.attributes ?? {}, coordinates?.[across]?.attributes ?? {}]
  if (isLatitude(y) && isLongitude(x)) return GEOGRAPHIC
  const code = group['proj:code']
  if (code === 'EPSG:4326') return GEOGRAPHIC
  const definition = wktOf(inspection, path, array) ?? (typeof code === 'string' ? definitionOfCode(code) : undefined)
  if (definition === undefined) return undefined
  return /^\s*(GEOGCS|GEOGCRS|GEODCRS)\b/.test(definition) ? GEOGRAPHIC : { kind: 'projected', definition }
}

/** The text of the grid mapping that the array names. */
function wktOf(inspection: Inspection, path: string, { attributes }: ArrayInfo): string | undefined {
  const named = attributes['grid_mapping']
  if (typeof named !== 'string') return undefined
  const name = named.split(/[:\s]/)[0] ?? ''
  for (let group = parentOf(path); ; group = parentOf(group)) {
    const mapping = inspection.arrays[group === '' ? name : `${group}/${name}`]?.attributes
    const text = mapping?.['crs_wkt'] ?? mapping?.['spatial_ref']
    if (typeof text === 'string') return text
    if (mapping?.['grid_mapping_name'] === 'latitude_longitude') return 'GEOGCS'
    if (group === '') return undefined
  }
}

/** Codes whose meaning is in their number. */
function definitionOfCode(code: string): string | undefined {
  const [, hemisphere, zone] = /^EPSG:32([67])(\d\d)$/.exec(code) ?? []
  if (hemisphere !== undefined)
    return `+proj=utm +zone=${zone} ${hemisphere === '7' ? '+south ' : ''}+datum=WGS84 +units=m +no_defs`
  if (code === 'EPSG:3857')
    return '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +no_defs'
  return undefined
}

function isLatitude({ units, standard_name: name }: Attributes): boolean {
  return name === 'latitude' || (typeof units === 'string' && /^degrees?_?n(orth)?$/i.test(units))
}

function isLongitude({ units, standard_name: name }: Attributes): boolean {
  return name === 'longitude' || (typeof units === 'string' && /^degrees?_?e(ast)?$/i.test(units))
}

/** Latitudes and longitudes of each point of a grid that has no axes of its own: swaths, turned grids. */
export function curvilinearOf(
  inspection: Inspection,
  path: string,
  array: ArrayInfo,
  axes: readonly [number, number],
): { readonly latitude: string; readonly longitude: string } | undefined {
  const group = parentOf(path)
  const isOn = ({ dimension_names: names, shape }: ArrayInfo) =>
    names.length === 2 &&
    axes.every((axis, side) => names[side] === array.dimension_names[axis] && shape[side] === array.shape[axis])
  const candidates = Object.entries(inspection.arrays).filter(([at, found]) => parentOf(at) === group && isOn(found))
  const latitude = candidates.find(([, { attributes }]) => isLatitude(attributes))?.[0]
  const longitude = candidates.find(([, { attributes }]) => isLongitude(attributes))?.[0]
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude }
}
