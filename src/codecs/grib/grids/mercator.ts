import { type GridDefinition, numberOf } from './grid.ts'
import type { LatLon } from './projections.ts'

const RADIANS = Math.PI / 180

/** Places on a Mercator map between its first and last point: by isometric latitudes, on the grid's own earth. */
export function mercatorPlaces(grid: GridDefinition): (column: number, row: number) => LatLon {
  const { major, minor } = grid.earth
  const e = Math.sqrt(Math.max(0, 1 - (minor / major) ** 2))
  const truth = numberOf(grid, 'LaDInDegrees') * RADIANS
  const scale = (major * Math.cos(truth)) / Math.sqrt(1 - (e * Math.sin(truth)) ** 2)
  const first = numberOf(grid, 'latitudeOfFirstGridPointInDegrees') * RADIANS
  const start = isometric(first, e) * scale
  const { iNegative, jPositive } = grid.scanning
  const stepX = numberOf(grid, 'DiInMetres') * (iNegative ? -1 : 1)
  const stepY = numberOf(grid, 'DjInMetres') * (jPositive ? 1 : -1)
  const west = numberOf(grid, 'longitudeOfFirstGridPointInDegrees')
  return (column, row) => {
    const longitude = (west + (column * stepX) / scale / RADIANS) % 360
    return [fromIsometric((start + row * stepY) / scale, e) / RADIANS, longitude < 0 ? longitude + 360 : longitude]
  }
}

function isometric(latitude: number, e: number): number {
  const sine = e * Math.sin(latitude)
  return Math.log(Math.tan(Math.PI / 4 + latitude / 2) * ((1 - sine) / (1 + sine)) ** (e / 2))
}

function fromIsometric(value: number, e: number): number {
  let latitude = 2 * Math.atan(Math.exp(value)) - Math.PI / 2
  for (let turn = 0; turn < 15; turn++) {
    const sine = e * Math.sin(latitude)
    const next = 2 * Math.atan(Math.exp(value) * ((1 + sine) / (1 - sine)) ** (e / 2)) - Math.PI / 2
    if (Math.abs(next - latitude) < 1e-13) return next
    latitude = next
  }
  return latitude
}
