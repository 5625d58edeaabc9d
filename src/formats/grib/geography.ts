import { rowLatitudes, rowLongitudes } from '../../codecs/grib/grids/axes.ts'
import type { GridDefinition } from '../../codecs/grib/grids/grid.ts'
import {
  type GridRows,
  hasAxes,
  listedPlaces,
  orderOf,
  type PlaceAt,
  type PointOrder,
  placesByRow,
  placesInFile,
  rowsOf,
} from '../../codecs/grib/grids/places.ts'
import { malformed } from '../../errors.ts'
import { lazily } from '../../lazily.ts'
import type { ChunkIndex } from '../../model/chunk-index.ts'
import { computedArray } from '../../model/computed-array.ts'
import { recipe } from '../../model/recipe.ts'
import type { AttributeValue, StoredArray } from '../../model/virtual-store.ts'

/** How a grid's points are an array, and where they lie. */
export interface Geography {
  readonly dimensions: readonly string[]
  readonly shape: readonly number[]
  /** Of the points in the file: what the codec calls it. */
  readonly order: PointOrder
  /** `latitude` and `longitude`, where they are known. */
  readonly coordinates: ReadonlyMap<string, StoredArray>
}

const LATITUDE = { units: 'degrees_north', standard_name: 'latitude', long_name: 'latitude' }
const LONGITUDE = { units: 'degrees_east', standard_name: 'longitude', long_name: 'longitude' }

/** Grids that are shown by rows and columns; all others are a list of values, as cfgrib has them. */
const WITH_ROWS: ReadonlySet<string> = new Set([
  'rotated_ll',
  'rotated_gg',
  'lambert',
  'lambert_azimuthal_equal_area',
  'albers',
  'polar_stereographic',
])

/** The dimensions and coordinates of a grid. */
export function geographyOf(grid: GridDefinition): Geography {
  const geography = placed(grid)
  for (const [name, { chunks }] of geography.coordinates) coordinateChunks.mark(chunks, { grid, name })
  return geography
}

interface CoordinateInput {
  readonly grid: GridDefinition
  readonly name: string
}

/** A coordinate is written as the grid it is worked out from. */
export const coordinateChunks = recipe('grib.coordinate', ({ grid, name }: CoordinateInput): ChunkIndex => {
  const coordinate = placed(grid).coordinates.get(name)
  if (coordinate === undefined) throw malformed(`the grid has no ${name}`, { format: 'grib' })
  return coordinate.chunks
})

function placed(grid: GridDefinition): Geography {
  const { points } = grid
  const lines = rowsOf(grid)
  if (lines === undefined) return listed(points, listedPlaces(grid))
  if (hasAxes(grid)) return withAxes(grid, lines)
  const place = placesByRow(grid, lines)
  if (!WITH_ROWS.has(grid.type)) {
    // The file's own order, in which cfgrib has them.
    return listed(points, place === undefined ? undefined : placesInFile(grid, lines, place))
  }
  const [dimensions, shape] = [
    ['y', 'x'],
    [lines.rows, lines.columns],
  ]
  const at: PlaceAt = (index) => place?.(index % lines.columns, Math.floor(index / lines.columns))
  const coordinates = place === undefined ? new Map<string, StoredArray>() : places(dimensions, shape, at)
  return { dimensions, shape, order: orderOf(grid), coordinates }
}

function withAxes(grid: GridDefinition, { columns, rows }: GridRows): Geography {
  const latitudes = lazily(() => rowLatitudes(grid, rows))
  const longitudes = lazily(() => rowLongitudes(grid, columns))
  const isDecreasing = rows > 1 && !grid.scanning.jPositive
  const attributes = attributesOf(isDecreasing ? { ...LATITUDE, stored_direction: 'decreasing' } : LATITUDE)
  const coordinates = new Map([
    ['latitude', computedArray(['latitude'], [rows], (j) => latitudes()[j] ?? 0, attributes)],
    ['longitude', computedArray(['longitude'], [columns], (i) => longitudes()[i] ?? 0, attributesOf(LONGITUDE))],
  ])
  return { dimensions: ['latitude', 'longitude'], shape: [rows, columns], order: orderOf(grid), coordinates }
}

/** A list of values in the order of the file. */
function listed(points: number, at: PlaceAt | undefined): Geography {
  const [dimensions, shape] = [['values'], [points]]
  const coordinates = at === undefined ? new Map<string, StoredArray>() : places(dimensions, shape, at)
  return { dimensions, shape, order: 'rows', coordinates }
}

function places(dimensions: readonly string[], shape: readonly number[], at: PlaceAt): Map<string, StoredArray> {
  return new Map([
    ['latitude', computedArray(dimensions, shape, (index) => at(index)?.[0] ?? Number.NaN, attributesOf(LATITUDE))],
    ['longitude', computedArray(dimensions, shape, (index) => at(index)?.[1] ?? Number.NaN, attributesOf(LONGITUDE))],
  ])
}

function attributesOf(entries: Readonly<Record<string, string>>): Map<string, AttributeValue> {
  return new Map(Object.entries(entries))
}
