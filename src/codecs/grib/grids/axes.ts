import { malformed } from '../../../errors.ts'
import { gaussianLatitudes, MOST_PARALLELS } from './gaussian.ts'
import { type GridDefinition, numberOf } from './grid.ts'

/** Increments that differ by less are the same but for their spelling. */
const ROUNDING = 1e-10

/** Longitudes of a row, in the order of the file. */
export function rowLongitudes(grid: GridDefinition, columns: number): Float64Array {
  const first = numberOf(grid, 'longitudeOfFirstGridPointInDegrees')
  const last = numberOf(grid, 'longitudeOfLastGridPointInDegrees')
  const result = new Float64Array(columns)
  if (columns === 1) return result.fill(first)
  const { iNegative } = grid.scanning
  const span = iNegative ? first - last : last - first
  const step = (span > 0 ? span : span + 360) / (columns - 1)
  // A row that would go once around and further starts where the circle does.
  const start = !iNegative && first + (columns - 2) * step > 360 ? first - 360 : first
  // Readers of GRIB add step to step: so the last bits are the same.
  for (let i = 0, longitude = start; i < columns; i++) {
    result[i] = longitude
    longitude += iNegative ? -step : step
  }
  return endingAt(result, last, step)
}

/** Latitudes of the rows of a grid in the order of the file. */
export function rowLatitudes(grid: GridDefinition, rows: number): Float64Array {
  return grid.type.endsWith('gg') ? gaussianRows(grid, rows) : regularRows(grid, rows)
}

function regularRows(grid: GridDefinition, rows: number): Float64Array {
  const first = numberOf(grid, 'latitudeOfFirstGridPointInDegrees')
  const last = numberOf(grid, 'latitudeOfLastGridPointInDegrees')
  const result = new Float64Array(rows).fill(first)
  if (rows === 1) return result
  const spread = Math.abs(last - first) / (rows - 1)
  const given = grid.numbers.get('jDirectionIncrementInDegrees') ?? spread
  const size = Math.abs(given - spread) < ROUNDING ? spread : given
  const step = grid.scanning.jPositive ? size : -size
  for (let j = 0, latitude = first; j < rows; j++, latitude += step) result[j] = latitude
  return endingAt(result, last, size)
}

/** Increments are rounded: what they add up to is not quite the last one. */
function endingAt(values: Float64Array, last: number, step: number): Float64Array {
  const end = values.length - 1
  if (Math.abs((values[end] ?? last) - last) < step / 2) values[end] = last
  return values
}

/** A grid may have some of the parallels only: they are found by its first latitude. */
function gaussianRows(grid: GridDefinition, rows: number): Float64Array {
  const parallels = numberOf(grid, 'N')
  if (parallels < 1 || parallels > MOST_PARALLELS || rows > 2 * parallels) {
    throw malformed(`a Gaussian grid of ${rows} rows and ${parallels} parallels`, { format: 'grib' })
  }
  const all = gaussianLatitudes(parallels)
  if (grid.scanning.jPositive) all.reverse()
  const first = numberOf(grid, 'latitudeOfFirstGridPointInDegrees')
  let start = 0
  all.forEach((latitude, at) => {
    if (Math.abs(latitude - first) < Math.abs((all[start] ?? 0) - first)) start = at
  })
  return all.slice(Math.min(start, all.length - rows), Math.min(start, all.length - rows) + rows)
}
