// From rows and columns of a map to latitudes and longitudes. Decision 27 says which maps are proj4's, and which are ours.

import proj4 from 'proj4'
import { type GridDefinition, numberOf } from './grid.ts'

/** Latitude and longitude, in degrees. */
export type LatLon = readonly [latitude: number, longitude: number]
/** The place of a point by its column and row, counted in steps from the first one; none off the earth. */
export type Projection = (column: number, row: number) => LatLon | undefined

const RADIANS = Math.PI / 180
const QUARTER = Math.PI / 2
/** An iteration that ends elsewhere has not converged. */
const BEYOND_POLE = QUARTER + 1e-9

/** How a grid's points are found; undefined for grids that are no maps, or whose maps are not known. */
export function projectionOf(grid: GridDefinition): Projection | undefined {
  if (mapOf(grid) === 'space_view') return spaceView(grid)
  const map = mapProjectionOf(grid)
  return map === undefined ? undefined : onMap(grid, map)
}

/** Grids of models of a part of the globe say more of its edges, and lie as others do. */
export function mapOf({ type }: GridDefinition): string {
  return type.replace(/_lam$/, '')
}

/** A map in metres, both ways; angles in radians. */
export interface MapProjection {
  forward(latitude: number, longitude: number): readonly [x: number, y: number]
  inverse(x: number, y: number): readonly [latitude: number, longitude: number]
}

/** The map of a grid; undefined for grids that are no maps in metres, or whose maps are not known. */
export function mapProjectionOf(grid: GridDefinition): MapProjection | undefined {
  const { major, minor } = grid.earth
  if (!(major > 0 && minor > 0)) return undefined
  const degrees = (name: string) => numberOf(grid, name)
  switch (mapOf(grid)) {
    case 'lambert':
      return proj4Map(grid, 'lcc', degrees('LoVInDegrees'), conicParameters(grid))
    case 'albers':
      return proj4Map(grid, 'aea', degrees('LoVInDegrees'), conicParameters(grid))
    case 'polar_stereographic': {
      // Tables of edition 1 and some writers give the latitude of true scale without its sign.
      const side = (degrees('projectionCentreFlag') & 128) === 0 ? 1 : -1
      const parameters = `+lat_0=${90 * side} +lat_ts=${Math.abs(degrees('LaDInDegrees')) * side}`
      return proj4Map(grid, 'stere', degrees('LoVInDegrees'), parameters)
    }
    case 'mercator':
      return proj4Map(grid, 'merc', degrees('longitudeOfFirstGridPointInDegrees'), `+lat_ts=${degrees('LaDInDegrees')}`)
    case 'lambert_azimuthal_equal_area':
      return azimuthalEqualArea(grid)
  }
  return undefined
}

function conicParameters(grid: GridDefinition): string {
  const [first, second] = [numberOf(grid, 'Latin1InDegrees'), numberOf(grid, 'Latin2InDegrees')]
  // Where the map's own origin lies makes no difference to distances from the first point.
  return `+lat_1=${first} +lat_2=${second} +lat_0=${first}`
}

/** Without an origin that is said to be 0, proj4 computes NaN. */
const ORIGIN = '+x_0=0 +y_0=0'

interface Point {
  readonly x: number
  readonly y: number
}

const OFF_MAP = [Number.NaN, Number.NaN] as const

/** A map of proj4; its meridian is turned to 0, so that no difference of longitudes is rounded or wrapped at 180 degrees twice. */
function proj4Map({ earth }: GridDefinition, name: string, centre: number, parameters: string): MapProjection {
  const shape = `+a=${earth.major} +b=${Math.min(earth.minor, earth.major)}`
  const map = new proj4.Proj(`+proj=${name} +lon_0=0 ${parameters} ${ORIGIN} ${shape}`)
  const meridian = centre * RADIANS
  return {
    forward(latitude, longitude) {
      const point: Point | null = map.forward({ x: shortWay(longitude - meridian), y: latitude })
      return point === null ? OFF_MAP : [point.x, point.y]
    },
    inverse(x, y) {
      const point: Point | null = map.inverse({ x, y })
      return point === null ? OFF_MAP : [point.y, point.x + meridian]
    },
  }
}

/** Steps from the first point, in the directions in which the grid is scanned. */
function onMap(grid: GridDefinition, map: MapProjection): Projection {
  const latitude = numberOf(grid, 'latitudeOfFirstGridPointInDegrees') * RADIANS
  const longitude = numberOf(grid, 'longitudeOfFirstGridPointInDegrees') * RADIANS
  const [x, y] = map.forward(latitude, longitude)
  const [stepX, stepY] = stepsOnMap(grid)
  return (column, row) => {
    const [north, east] = map.inverse(x + column * stepX, y + row * stepY)
    if (!(Math.abs(north) <= BEYOND_POLE)) return undefined
    return [north / RADIANS, around(east / RADIANS)]
  }
}

/** From a column and from a row to the next, in metres. */
export function stepsOnMap(grid: GridDefinition): readonly [x: number, y: number] {
  const names = mapOf(grid) === 'mercator' ? ['DiInMetres', 'DjInMetres'] : ['DxInMetres', 'DyInMetres']
  const [dx, dy] = names.map((name) => numberOf(grid, name))
  const { iNegative, jPositive } = grid.scanning
  return [iNegative ? -(dx ?? 0) : (dx ?? 0), jPositive ? (dy ?? 0) : -(dy ?? 0)]
}

/** Longitudes from 0 to 360, as readers of GRIB give them. */
function around(degrees: number): number {
  const turned = degrees % 360
  return turned < 0 ? turned + 360 : turned
}

/** A difference of longitudes, the short way. */
export function shortWay(radians: number): number {
  return radians - 2 * Math.PI * Math.round(radians / (2 * Math.PI))
}

function eccentricityOf({ earth: { major, minor } }: GridDefinition): number {
  return Math.sqrt(Math.max(0, 1 - (minor / major) ** 2))
}

/** Snyder's m: the radius of a parallel. */
function parallelRadius(latitude: number, e: number): number {
  return Math.cos(latitude) / Math.sqrt(1 - (e * Math.sin(latitude)) ** 2)
}

/** Snyder's q: the area up to a parallel. */
function authalic(latitude: number, e: number): number {
  const sine = Math.sin(latitude)
  if (e < 1e-9) return 2 * sine
  const es = e * sine
  return (1 - e * e) * (sine / (1 - es * es) - Math.log((1 - es) / (1 + es)) / (2 * e))
}

/** The area from a northern parallel to the pole: near the pole nothing is left of the difference of two areas. */
function authalicFromPole(latitude: number, e: number): number {
  const height = 2 * Math.sin((QUARTER - latitude) / 2) ** 2
  if (e < 1e-9) return 2 * height
  const sine = Math.sin(latitude)
  const [es, ee] = [e * sine, e * e]
  return (height * (1 + e * es)) / (1 - es * es) + ((1 - ee) / e) * Math.atanh((e * height) / (1 - ee * sine))
}

function fromAuthalic(q: number, e: number): number {
  if (e < 1e-9) return Math.asin(Math.max(-1, Math.min(1, q / 2)))
  let latitude = Math.asin(Math.max(-1, Math.min(1, q / 2)))
  for (let turn = 0; turn < 25; turn++) {
    const sine = Math.sin(latitude)
    const es2 = 1 - (e * sine) ** 2
    const step = (es2 ** 2 / (2 * Math.cos(latitude))) * ((q - authalic(latitude, e)) / (1 - e * e))
    if (!Number.isFinite(step)) return latitude
    latitude += step
    if (Math.abs(step) < 1e-13) break
  }
  return latitude
}

/** On the sphere whose area is that of the earth; an ellipsoid's latitudes are turned into that sphere's. */
function azimuthalEqualArea(grid: GridDefinition): MapProjection {
  const e = eccentricityOf(grid)
  const pole = authalic(QUARTER, e)
  const radius = grid.earth.major * Math.sqrt(pole / 2)
  /** Sine and cosine of the latitude on the sphere. */
  const onSphere = (latitude: number): readonly [sine: number, cosine: number] => {
    const height = authalicFromPole(Math.abs(latitude), e) / pole
    return [Math.sign(latitude) * (1 - height), Math.sqrt(Math.max(0, height * (2 - height)))]
  }
  const standard = numberOf(grid, 'standardParallelInDegrees') * RADIANS
  const centre = numberOf(grid, 'centralLongitudeInDegrees') * RADIANS
  const [sin1, cos1] = onSphere(standard)
  // At a pole, parallels are circles on the ellipsoid as on the sphere.
  const isPolar = Math.abs(Math.abs(standard) - QUARTER) < 1e-9
  const d = isPolar || e < 1e-9 ? 1 : (grid.earth.major * parallelRadius(standard, e)) / (radius * cos1)
  return {
    forward(latitude, longitude) {
      const [sine, cosine] = onSphere(latitude)
      const turn = longitude - centre
      const k = radius * Math.sqrt(2 / (1 + sin1 * sine + cos1 * cosine * Math.cos(turn)))
      const y = cos1 * sine - sin1 * cosine * Math.cos(turn)
      return [k * d * cosine * Math.sin(turn), (k / d) * y]
    },
    inverse(x, y) {
      const [u, v] = [x / d, y * d]
      const rho = Math.hypot(u, v)
      if (rho === 0) return [standard, centre]
      // No point of the earth is farther from the centre than the one opposite to it.
      if (rho > 2 * radius) return [Number.NaN, Number.NaN]
      const c = 2 * Math.asin(rho / (2 * radius))
      const sine = Math.cos(c) * sin1 + (v * Math.sin(c) * cos1) / rho
      const turn = Math.atan2(u * Math.sin(c), rho * cos1 * Math.cos(c) - v * sin1 * Math.sin(c))
      return [fromAuthalic(pole * sine, e), turn + centre]
    },
  }
}

/** As a satellite sees the earth (CGMS 03): points beside it have no place. */
function spaceView(grid: GridDefinition): Projection | undefined {
  const distance = numberOf(grid, 'NrInRadiusOfEarth')
  const [across, along] = [numberOf(grid, 'dx'), numberOf(grid, 'dy')]
  if (distance <= 1 || across <= 0 || along <= 0) return undefined
  const ratio = (grid.earth.major / grid.earth.minor) ** 2
  const centre = numberOf(grid, 'longitudeOfSubSatellitePointInDegrees') * RADIANS
  const apparent = 2 * Math.asin(1 / distance)
  // An ellipsoid appears less high than wide.
  const height = apparent * (grid.earth.minor / grid.earth.major)
  const { iNegative, jPositive } = grid.scanning
  const [x0, y0] = [
    numberOf(grid, 'XpInGridLengths') - numberOf(grid, 'Xo'),
    numberOf(grid, 'YpInGridLengths') - numberOf(grid, 'Yo'),
  ]
  return (column, row) => {
    const x = (column - x0) * (apparent / across) * (iNegative ? -1 : 1)
    const y = (row - y0) * (height / along) * (jPositive ? 1 : -1)
    const [cosX, cosY, sinY] = [Math.cos(x), Math.cos(y), Math.sin(y)]
    const k = cosY ** 2 + ratio * sinY ** 2
    const inside = (distance * cosX * cosY) ** 2 - k * (distance ** 2 - 1)
    if (inside <= 0) return undefined
    const reach = (distance * cosX * cosY - Math.sqrt(inside)) / k
    const [s1, s2, s3] = [distance - reach * cosX * cosY, reach * Math.sin(x) * cosY, reach * sinY]
    return [Math.atan((ratio * s3) / Math.hypot(s1, s2)) / RADIANS, around((Math.atan2(s2, s1) + centre) / RADIANS)]
  }
}

/** From a grid whose south pole was moved back to the earth's. */
export function unrotated(grid: GridDefinition, latitude: number, longitude: number): LatLon {
  const pole = numberOf(grid, 'latitudeOfSouthernPoleInDegrees')
  const turn = numberOf(grid, 'longitudeOfSouthernPoleInDegrees')
  const theta = -(pole + 90) * RADIANS
  const phi = -turn * RADIANS
  // Clockwise, seen from the new south pole: eastward.
  const [lat, lon] = [latitude * RADIANS, (longitude + numberOf(grid, 'angleOfRotationInDegrees')) * RADIANS]
  const [x, y, z] = [Math.cos(lon) * Math.cos(lat), Math.sin(lon) * Math.cos(lat), Math.sin(lat)]
  const [cosT, sinT, cosP, sinP] = [Math.cos(theta), Math.sin(theta), Math.cos(phi), Math.sin(phi)]
  const x1 = cosT * cosP * x + sinP * y + sinT * cosP * z
  const y1 = -cosT * sinP * x + cosP * y - sinT * sinP * z
  const z1 = -sinT * x + cosT * z
  return [Math.asin(Math.max(-1, Math.min(1, z1))) / RADIANS, Math.atan2(y1, x1) / RADIANS]
}
