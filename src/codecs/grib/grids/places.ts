// Where the points of a grid lie: by row and column, and by their place in the file.

import { overLimit } from '../../../errors.ts'
import { lazily } from '../../../lazily.ts'
import { rowLatitudes, rowLongitudes } from './axes.ts'
import type { GridDefinition } from './grid.ts'
import { healpixPlaces } from './healpix.ts'
import { type LatLon, type Projection, projectionOf, unrotated } from './projections.ts'
import { reducedLongitudes, reducedRows } from './reduced.ts'

/** Most rows or columns whose places are worked out one by one. */
const MOST_ON_AXIS = 1_000_000

/** Grids with two axes of their own. */
const WITH_AXES: ReadonlySet<string> = new Set(['regular_ll', 'regular_gg'])

/** Reduced grids whose points are known: others are stretched. */
const PLACED_REDUCED: ReadonlySet<string> = new Set([
  'reduced_ll',
  'reduced_gg',
  'reduced_rotated_ll',
  'reduced_rotated_gg',
])

/** How the points of a field follow each other: by rows or columns, all the same way or every second one the other way. */
export type PointOrder = 'rows' | 'alternate' | 'columns' | 'alternate-columns'

/** The place of a point by its place in the file. */
export type PlaceAt = (index: number) => LatLon | undefined

/** Rows and columns of a grid. */
export interface GridRows {
  readonly columns: number
  readonly rows: number
}

/** The order that a grid's scanning mode says. */
export function orderOf({ scanning }: GridDefinition): PointOrder {
  if (scanning.byColumns) return scanning.alternate ? 'alternate-columns' : 'columns'
  return scanning.alternate ? 'alternate' : 'rows'
}

/** Undefined for grids that are no rows of one length. */
export function rowsOf({ columns, rows, points }: GridDefinition): GridRows | undefined {
  if (columns === undefined || rows === undefined) return undefined
  if (Math.max(columns, rows) > MOST_ON_AXIS)
    throw overLimit(`a grid of ${rows} rows of ${columns}`, { format: 'grib' })
  return columns * rows === points ? { columns, rows } : undefined
}

/** Whether rows and columns are parallels and meridians. */
export function hasAxes({ type }: GridDefinition): boolean {
  return WITH_AXES.has(type)
}

/** Places of points of a grid with rows; undefined where its map is not known. */
export function placesByRow(grid: GridDefinition, { columns, rows }: GridRows): Projection | undefined {
  const isRotated = grid.type.startsWith('rotated')
  if (!isRotated && !hasAxes(grid)) return projectionOf(grid)
  const latitudes = lazily(() => rowLatitudes(grid, rows))
  const longitudes = lazily(() => rowLongitudes(grid, columns))
  if (!isRotated) return (column, row) => [latitudes()[row] ?? 0, longitudes()[column] ?? 0]
  return (column, row) => unrotated(grid, latitudes()[row] ?? 0, longitudes()[column] ?? 0)
}

/** Places of points in the order of the file, whose rows (or columns) may run to and fro. */
export function placesInFile(grid: GridDefinition, lines: GridRows, place: Projection): PlaceAt {
  const order = orderOf(grid)
  const isByColumns = order.endsWith('columns')
  const length = isByColumns ? lines.rows : lines.columns
  return (index) => {
    const line = Math.floor(index / length)
    const within = index % length
    const turned = order.startsWith('alternate') && line % 2 === 1 ? length - 1 - within : within
    return isByColumns ? place(line, turned) : place(turned, line)
  }
}

/** Places of points of a grid without rows of one length. */
export function listedPlaces(grid: GridDefinition): PlaceAt | undefined {
  if (grid.type === 'healpix') return healpixPlaces(grid)
  return grid.rowLengths === undefined ? undefined : reducedPlaces(grid)
}

/** Places of points of a grid whose rows differ in length; undefined where its numbers contradict each other. */
function reducedPlaces(grid: GridDefinition): PlaceAt | undefined {
  if (!PLACED_REDUCED.has(grid.type)) return undefined
  const { rows } = reducedRows(grid, grid.points)
  if (rows === undefined) return undefined
  const latitudes = lazily(() => rowLatitudes(grid, rows.length))
  const longitudeAt = reducedLongitudes(rows)
  const isRotated = grid.type.includes('rotated')
  return (index) => {
    const { row, longitude } = longitudeAt(index)
    const latitude = latitudes()[row] ?? 0
    if (isRotated) return unrotated(grid, latitude, longitude)
    // As ecCodes gives them: a row that begins behind Greenwich ends before it.
    return [latitude, longitude > 360 ? longitude - 360 : longitude]
  }
}

/** Places of all points of a message; undefined for grids without known places. */
export function pointPlaces(grid: GridDefinition): PlaceAt | undefined {
  const lines = rowsOf(grid)
  if (lines === undefined) return listedPlaces(grid)
  const place = placesByRow(grid, lines)
  return place === undefined ? undefined : placesInFile(grid, lines, place)
}
