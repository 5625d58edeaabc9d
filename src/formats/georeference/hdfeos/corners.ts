import { degreesOf, ellipsoidOf } from './earth.ts'
import { parametersOf } from './parameters.ts'
import type { EosGrid } from './structure.ts'

type Point = readonly [x: number, y: number]

/** The outer corners of a grid: in degrees, where it is geographic, else in metres of its map. */
export interface Corners {
  readonly upperLeft: Point
  readonly lowerRight: Point
}

export const GEOGRAPHIC = 'GCTP_GEO'
/** Behrmann's map, on which EASE grids lie: its corners are given in degrees. */
const BEHRMANN = 'GCTP_BCEA'

/** What `DEFAULT` stands for: the globe, and what of it the EASE grid has. */
const DEFAULTS: ReadonlyMap<string, Corners> = new Map<string, Corners>([
  [GEOGRAPHIC, { upperLeft: [-180, 90], lowerRight: [180, -90] }],
  [BEHRMANN, { upperLeft: [-180, 86.72], lowerRight: [180, -86.72] }],
])

/** Where a grid lies; undefined where it does not say so. */
export function cornersOf(grid: EosGrid): Corners | undefined {
  const { upperLeft, lowerRight, projection } = grid
  if (upperLeft === undefined || lowerRight === undefined) return onMap(grid, DEFAULTS.get(projection))
  const given = { upperLeft, lowerRight }
  return arePacked(projection, given) ? onMap(grid, unpacked(given)) : given
}

const MOST_DEGREES = 360
const MOST_PARTS = 60

/** Degrees are packed, but some write them as they are (MCD43C), and metres of Behrmann's map. */
function arePacked(projection: string, { upperLeft, lowerRight }: Corners): boolean {
  const numbers = [...upperLeft, ...lowerRight].map(Math.abs)
  // Packed, these would be minutes at the most.
  if (projection === GEOGRAPHIC) return numbers.some((number) => number > MOST_DEGREES)
  const isAngle = (number: number) => number % 1000 < MOST_PARTS && Math.floor(number / 1000) % 1000 < MOST_PARTS
  return projection === BEHRMANN && numbers.every(isAngle)
}

function unpacked({ upperLeft: [left, top], lowerRight: [right, bottom] }: Corners): Corners {
  return { upperLeft: [degreesOf(left), degreesOf(top)], lowerRight: [degreesOf(right), degreesOf(bottom)] }
}

function onMap(grid: EosGrid, corners: Corners | undefined): Corners | undefined {
  if (corners === undefined || grid.projection === GEOGRAPHIC) return corners
  return { upperLeft: equalArea(grid, corners.upperLeft), lowerRight: equalArea(grid, corners.lowerRight) }
}

const RADIANS = Math.PI / 180

/** On a cylinder that keeps areas: Snyder, Map Projections (USGS 1395), 10-13 to 10-15. A grid around the globe has two ends. */
function equalArea(grid: EosGrid, [longitude, latitude]: Point): Point {
  const { major, minor } = ellipsoidOf(grid, false)
  const { degrees, easting, northing } = parametersOf(grid)
  const e = Math.sqrt(Math.max(0, 1 - (minor / major) ** 2))
  const truth = degrees(5) * RADIANS
  const scale = Math.cos(truth) / Math.sqrt(1 - (e * Math.sin(truth)) ** 2)
  const x = major * scale * (longitude - degrees(4)) * RADIANS
  return [x + easting, (major * areaUpTo(latitude * RADIANS, e)) / (2 * scale) + northing]
}

/** Snyder's q. */
function areaUpTo(latitude: number, e: number): number {
  const sine = Math.sin(latitude)
  if (e < 1e-9) return 2 * sine
  const es = e * sine
  return (1 - e * e) * (sine / (1 - es * es) - Math.log((1 - es) / (1 + es)) / (2 * e))
}
