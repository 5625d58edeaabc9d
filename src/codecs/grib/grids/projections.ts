// From rows and columns of a map to latitudes and longitudes: Snyder, Map Projections (USGS 1395).

import { type GridDefinition, numberOf } from './grid.ts'

/** Latitude and longitude, in degrees. */
export type LatLon = readonly [latitude: number, longitude: number]
/** The place of a point by its column and row, counted in steps from the first one; none off the earth. */
export type Projection = (column: number, row: number) => LatLon | undefined

const RADIANS = Math.PI / 180
const QUARTER = Math.PI / 2

/** How a grid's points are found; undefined for grids that are no maps, or whose maps are not known. */
export function projectionOf(grid: GridDefinition): Projection | undefined {
  switch (mapOf(grid)) {
    case 'lambert':
      return onMap(grid, lambertConformal(grid), ['DxInMetres', 'DyInMetres'])
    case 'albers':
      return onMap(grid, albers(grid), ['DxInMetres', 'DyInMetres'])
    case 'polar_stereographic':
      return onMap(grid, polarStereographic(grid), ['DxInMetres', 'DyInMetres'])
    case 'lambert_azimuthal_equal_area':
      return onMap(grid, azimuthalEqualArea(grid), ['DxInMetres', 'DyInMetres'])
    case 'space_view':
      return spaceView(grid)
  }
  return undefined
}

/** Grids of models of a part of the globe say more of its edges, and lie as others do. */
export function mapOf({ type }: GridDefinition): string {
  return type.replace(/_lam$/, '')
}

/** A map in metres, both ways; angles in radians. */
interface MapProjection {
  forward(latitude: number, longitude: number): readonly [x: number, y: number]
  inverse(x: number, y: number): readonly [latitude: number, longitude: number]
}

/** Steps from the first point, in the directions in which the grid is scanned. */
function onMap(grid: GridDefinition, map: MapProjection, [dx, dy]: readonly [string, string]): Projection {
  const latitude = numberOf(grid, 'latitudeOfFirstGridPointInDegrees') * RADIANS
  const longitude = numberOf(grid, 'longitudeOfFirstGridPointInDegrees') * RADIANS
  const [x, y] = map.forward(latitude, longitude)
  const { iNegative, jPositive } = grid.scanning
  const stepX = numberOf(grid, dx) * (iNegative ? -1 : 1)
  const stepY = numberOf(grid, dy) * (jPositive ? 1 : -1)
  return (column, row) => {
    const [north, east] = map.inverse(x + column * stepX, y + row * stepY)
    return [north / RADIANS, around(east / RADIANS)]
  }
}

/** Longitudes from 0 to 360, as readers of GRIB give them. */
function around(degrees: number): number {
  const turned = degrees % 360
  return turned < 0 ? turned + 360 : turned
}

/** A difference of longitudes, the short way. */
function shortWay(radians: number): number {
  return radians - 2 * Math.PI * Math.round(radians / (2 * Math.PI))
}

function eccentricityOf({ earth: { major, minor } }: GridDefinition): number {
  return Math.sqrt(Math.max(0, 1 - (minor / major) ** 2))
}

/** Snyder's t, and back by iteration. */
function conformal(latitude: number, e: number): number {
  const sine = e * Math.sin(latitude)
  return Math.tan(Math.PI / 4 - latitude / 2) / ((1 - sine) / (1 + sine)) ** (e / 2)
}

function fromConformal(t: number, e: number): number {
  let latitude = QUARTER - 2 * Math.atan(t)
  for (let turn = 0; turn < 15; turn++) {
    const sine = e * Math.sin(latitude)
    const next = QUARTER - 2 * Math.atan(t * ((1 - sine) / (1 + sine)) ** (e / 2))
    if (Math.abs(next - latitude) < 1e-13) return next
    latitude = next
  }
  return latitude
}

/** Snyder's m: the radius of a parallel. */
function parallelRadius(latitude: number, e: number): number {
  return Math.cos(latitude) / Math.sqrt(1 - (e * Math.sin(latitude)) ** 2)
}

/** How far from the tip of a cone its parallels lie, in radii of the globe, and back. */
interface Cone {
  /** Of the whole turn of the globe, how much the cone's is. */
  readonly n: number
  radiusOf(latitude: number): number
  latitudeAt(radius: number): number
}

/** What a cone goes through: two parallels, which may be one. */
interface Parallels {
  readonly e: number
  readonly first: number
  readonly second: number
  /** Their radii. */
  readonly m1: number
  readonly m2: number
}

/** A map on a cone: the kinds differ only in where the parallels lie on it. */
function conic(grid: GridDefinition, coneOf: (parallels: Parallels) => Cone): MapProjection {
  const e = eccentricityOf(grid)
  const { major } = grid.earth
  const first = numberOf(grid, 'Latin1InDegrees') * RADIANS
  const second = numberOf(grid, 'Latin2InDegrees') * RADIANS
  const centre = numberOf(grid, 'LoVInDegrees') * RADIANS
  const cone = coneOf({ e, first, second, m1: parallelRadius(first, e), m2: parallelRadius(second, e) })
  const sign = Math.sign(cone.n)
  return {
    forward(latitude, longitude) {
      const rho = major * cone.radiusOf(latitude)
      const theta = cone.n * shortWay(longitude - centre)
      return [rho * Math.sin(theta), -rho * Math.cos(theta)]
    },
    inverse(x, y) {
      const rho = sign * Math.hypot(x, y)
      const theta = Math.atan2(sign * x, -sign * y)
      return [cone.latitudeAt(rho / major), theta / cone.n + centre]
    },
  }
}

/** The turn of a cone that touches the globe at one parallel, or what two of them ask for. */
function turnOf({ first, second }: Parallels, ofTwo: () => number): number {
  return Math.abs(first - second) < 1e-9 ? Math.sin(first) : ofTwo()
}

function lambertConformal(grid: GridDefinition): MapProjection {
  return conic(grid, (parallels) => {
    const { e, first, second, m1, m2 } = parallels
    const t1 = conformal(first, e)
    const n = turnOf(parallels, () => Math.log(m1 / m2) / Math.log(t1 / conformal(second, e)))
    const f = m1 / (n * t1 ** n)
    return {
      n,
      radiusOf: (latitude) => f * conformal(latitude, e) ** n,
      latitudeAt: (radius) => fromConformal((radius / f) ** (1 / n), e),
    }
  })
}

function polarStereographic(grid: GridDefinition): MapProjection {
  const e = eccentricityOf(grid)
  const { major } = grid.earth
  // The map of the south is that of the north, upside down.
  const side = (numberOf(grid, 'projectionCentreFlag') & 128) === 0 ? 1 : -1
  const truth = Math.abs(numberOf(grid, 'LaDInDegrees')) * RADIANS
  const centre = numberOf(grid, 'LoVInDegrees') * RADIANS
  const scale =
    Math.abs(truth - QUARTER) < 1e-9
      ? 2 / Math.sqrt((1 + e) ** (1 + e) * (1 - e) ** (1 - e))
      : parallelRadius(truth, e) / conformal(truth, e)
  return {
    forward(latitude, longitude) {
      const rho = major * scale * conformal(side * latitude, e)
      const theta = shortWay(longitude - centre)
      return [rho * Math.sin(theta), -side * rho * Math.cos(theta)]
    },
    inverse(x, y) {
      const t = Math.hypot(x, y) / (major * scale)
      return [side * fromConformal(t, e), Math.atan2(x, -side * y) + centre]
    },
  }
}

/** Snyder's q: the area up to a parallel. */
function authalic(latitude: number, e: number): number {
  const sine = Math.sin(latitude)
  if (e < 1e-9) return 2 * sine
  const es = e * sine
  return (1 - e * e) * (sine / (1 - es * es) - Math.log((1 - es) / (1 + es)) / (2 * e))
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

function albers(grid: GridDefinition): MapProjection {
  return conic(grid, (parallels) => {
    const { e, first, second, m1, m2 } = parallels
    const q1 = authalic(first, e)
    const n = turnOf(parallels, () => (m1 ** 2 - m2 ** 2) / (authalic(second, e) - q1))
    const c = m1 ** 2 + n * q1
    return {
      n,
      radiusOf: (latitude) => Math.sqrt(Math.max(0, c - n * authalic(latitude, e))) / n,
      latitudeAt: (radius) => fromAuthalic((c - (radius * n) ** 2) / n, e),
    }
  })
}

/** On the sphere whose area is that of the earth; an ellipsoid's latitudes are turned into that sphere's. */
function azimuthalEqualArea(grid: GridDefinition): MapProjection {
  const e = eccentricityOf(grid)
  const pole = authalic(QUARTER, e)
  const radius = grid.earth.major * Math.sqrt(pole / 2)
  const beta = (latitude: number) => Math.asin(Math.max(-1, Math.min(1, authalic(latitude, e) / pole)))
  const standard = numberOf(grid, 'standardParallelInDegrees') * RADIANS
  const [centre, b1] = [numberOf(grid, 'centralLongitudeInDegrees') * RADIANS, beta(standard)]
  const d = e < 1e-9 ? 1 : (grid.earth.major * parallelRadius(standard, e)) / (radius * Math.cos(b1))
  return {
    forward(latitude, longitude) {
      const [b, turn] = [beta(latitude), longitude - centre]
      const k = radius * Math.sqrt(2 / (1 + Math.sin(b1) * Math.sin(b) + Math.cos(b1) * Math.cos(b) * Math.cos(turn)))
      const y = Math.cos(b1) * Math.sin(b) - Math.sin(b1) * Math.cos(b) * Math.cos(turn)
      return [k * d * Math.cos(b) * Math.sin(turn), (k / d) * y]
    },
    inverse(x, y) {
      const [u, v] = [x / d, y * d]
      const rho = Math.hypot(u, v)
      if (rho === 0) return [standard, centre]
      const c = 2 * Math.asin(Math.min(1, rho / (2 * radius)))
      const sine = Math.cos(c) * Math.sin(b1) + (v * Math.sin(c) * Math.cos(b1)) / rho
      const turn = Math.atan2(u * Math.sin(c), rho * Math.cos(b1) * Math.cos(c) - v * Math.sin(b1) * Math.sin(c))
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
  const { iNegative, jPositive } = grid.scanning
  const [x0, y0] = [
    numberOf(grid, 'XpInGridLengths') - numberOf(grid, 'Xo'),
    numberOf(grid, 'YpInGridLengths') - numberOf(grid, 'Yo'),
  ]
  return (column, row) => {
    const x = (column - x0) * (apparent / across) * (iNegative ? -1 : 1)
    const y = (row - y0) * (apparent / along) * (jPositive ? 1 : -1)
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
  const [lat, lon] = [latitude * RADIANS, (longitude - numberOf(grid, 'angleOfRotationInDegrees')) * RADIANS]
  const [x, y, z] = [Math.cos(lon) * Math.cos(lat), Math.sin(lon) * Math.cos(lat), Math.sin(lat)]
  const [cosT, sinT, cosP, sinP] = [Math.cos(theta), Math.sin(theta), Math.cos(phi), Math.sin(phi)]
  const x1 = cosT * cosP * x + sinP * y + sinT * cosP * z
  const y1 = -cosT * sinP * x + cosP * y - sinT * sinP * z
  const z1 = -sinT * x + cosT * z
  return [Math.asin(Math.max(-1, Math.min(1, z1))) / RADIANS, Math.atan2(y1, x1) / RADIANS]
}
