import type { PointOrder } from '../../../codecs/grib/codec.ts'
import { malformed, overLimit } from '../../../errors.ts'
import { lazily } from '../../../lazily.ts'
import { computedArray } from '../../../model/computed-array.ts'
import type { AttributeValue, VirtualArray } from '../../../model/virtual-store.ts'
import { reducedLongitudes, rowLatitudes, rowLongitudes } from './axes.ts'
import type { GridDefinition } from './grid.ts'
import { mercatorPlaces } from './mercator.ts'
import { type LatLon, projectionOf, unrotated } from './projections.ts'

/** How a grid's points are an array, and where they lie. */
export interface Geography {
  readonly dimensions: readonly string[]
  readonly shape: readonly number[]
  /** Of the points in the file: what the codec calls it. */
  readonly order: PointOrder
  /** `latitude` and `longitude`, where they are known. */
  readonly coordinates: ReadonlyMap<string, VirtualArray>
}

/** Most rows or columns whose places are worked out one by one. */
const MOST_ON_AXIS = 1_000_000
const LATITUDE = { units: 'degrees_north', standard_name: 'latitude', long_name: 'latitude' }
const LONGITUDE = { units: 'degrees_east', standard_name: 'longitude', long_name: 'longitude' }

/** Grids with two axes of their own. */
const WITH_AXES: ReadonlySet<string> = new Set(['regular_ll', 'regular_gg'])
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
  const { columns, rows, points } = grid
  if (columns !== undefined && rows !== undefined) {
    if (Math.max(columns, rows) > MOST_ON_AXIS)
      throw overLimit(`a grid of ${rows} rows of ${columns}`, { format: 'grib' })
    if (columns * rows === points) {
      if (WITH_AXES.has(grid.type)) return withAxes(grid, columns, rows)
      const order = orderOf(grid)
      const place = placeByRow(grid, columns, rows)
      if (WITH_ROWS.has(grid.type)) return listed(['y', 'x'], [rows, columns], order, columns, place)
      // The file's own order, in which cfgrib has them, needs rows that all run the same way.
      return order === 'rows'
        ? listed(['values'], [points], order, columns, place)
        : flat(grid, order, columns, rows, place)
    }
  }
  return grid.rowLengths === undefined ? bare(points) : reduced(grid, grid.rowLengths)
}

function orderOf({ scanning }: GridDefinition): Geography['order'] {
  if (scanning.byColumns) return scanning.alternate ? 'alternate-columns' : 'columns'
  return scanning.alternate ? 'alternate' : 'rows'
}

function withAxes(grid: GridDefinition, columns: number, rows: number): Geography {
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

/** Places of points of a grid with rows; undefined where its map is not known. */
function placeByRow(grid: GridDefinition, columns: number, rows: number): LatLonOf | undefined {
  if (grid.type === 'mercator') return mercatorPlaces(grid)
  if (!grid.type.startsWith('rotated')) return projectionOf(grid)
  const latitudes = lazily(() => rowLatitudes(grid, rows))
  const longitudes = lazily(() => rowLongitudes(grid, columns))
  return (column, row) => unrotated(grid, latitudes()[row] ?? 0, longitudes()[column] ?? 0)
}

type LatLonOf = (column: number, row: number) => LatLon | undefined

function listed(
  dimensions: readonly string[],
  shape: readonly number[],
  order: Geography['order'],
  columns: number,
  place: LatLonOf | undefined,
): Geography {
  const at = (index: number) => place?.(index % columns, Math.floor(index / columns))
  return { dimensions, shape, order, coordinates: place === undefined ? new Map() : places(dimensions, shape, at) }
}

/** A list in the order of the file, whose rows (or columns) run to and fro. */
function flat(
  { points }: GridDefinition,
  order: Geography['order'],
  columns: number,
  rows: number,
  place: LatLonOf | undefined,
): Geography {
  const isByColumns = order.endsWith('columns')
  const length = isByColumns ? rows : columns
  const at = (index: number) => {
    const line = Math.floor(index / length)
    const within = index % length
    const turned = order.startsWith('alternate') && line % 2 === 1 ? length - 1 - within : within
    return isByColumns ? place?.(line, turned) : place?.(turned, line)
  }
  const coordinates = place === undefined ? new Map<string, VirtualArray>() : places(['values'], [points], at)
  return { dimensions: ['values'], shape: [points], order: 'rows', coordinates }
}

function reduced(grid: GridDefinition, rowLengths: readonly number[]): Geography {
  const total = rowLengths.reduce((sum, length) => sum + length, 0)
  if (total !== grid.points) {
    throw malformed(`the rows of a grid have ${total} points, ${grid.points} are expected`, { format: 'grib' })
  }
  const latitudes = lazily(() => rowLatitudes(grid, rowLengths.length))
  const longitudeAt = reducedLongitudes(grid)
  const starts = new Float64Array(rowLengths.length + 1)
  rowLengths.forEach((length, row) => {
    starts[row + 1] = (starts[row] ?? 0) + length
  })
  const rowAt = (index: number) => {
    let [low, high] = [0, rowLengths.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((starts[middle] ?? 0) <= index) low = middle
      else high = middle - 1
    }
    return low
  }
  const at = (index: number): LatLon => {
    const row = rowAt(index)
    return [latitudes()[row] ?? 0, longitudeAt(rowLengths[row] ?? 1, index - (starts[row] ?? 0))]
  }
  return { ...bare(grid.points), coordinates: places(['values'], [grid.points], at) }
}

function bare(points: number): Geography {
  return { dimensions: ['values'], shape: [points], order: 'rows', coordinates: new Map() }
}

function places(
  dimensions: readonly string[],
  shape: readonly number[],
  at: (index: number) => LatLon | undefined,
): Map<string, VirtualArray> {
  return new Map([
    ['latitude', computedArray(dimensions, shape, (index) => at(index)?.[0] ?? Number.NaN, attributesOf(LATITUDE))],
    ['longitude', computedArray(dimensions, shape, (index) => at(index)?.[1] ?? Number.NaN, attributesOf(LONGITUDE))],
  ])
}

function attributesOf(entries: Readonly<Record<string, string>>): Map<string, AttributeValue> {
  return new Map(Object.entries(entries))
}
