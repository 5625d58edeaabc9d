// Rows of reduced grids: `pl` says how many points a parallel has around the earth; an area has those between its first and last
// longitude. How they are counted and where they lie is ecCodes' reading, which MARS and its writers follow.

import { lazily } from '../../../lazily.ts'
import { MOST_PARALLELS, polarLatitudes } from './gaussian.ts'
import type { GridDefinition } from './grid.ts'

/** The points of each row. */
export interface ReducedRows {
  readonly points: number
  /** Undefined where nothing says which points the values belong to. */
  readonly rows: readonly ReducedRow[] | undefined
  /** Why the rows are not simply what their list says, for whoever reads the file. */
  readonly contradiction: string | undefined
}

export interface ReducedRow {
  readonly count: number
  /** In degrees. */
  readonly first: number
  readonly step: number
}

type Grid = Omit<GridDefinition, 'points'>
type RowOf = (length: number) => ReducedRow

const CIRCLE = 360

/** The rows of a grid that has so many points: if it isn't known, of the usual reading. */
export function reducedRows(grid: Grid, points?: number): ReducedRows {
  const lengths = grid.rowLengths ?? []
  const isGaussian = grid.type.endsWith('gg')
  const readings: RowOf[] = isGaussian ? gaussianReadings(grid, lengths) : [latLonRow(grid, lengths)]
  for (const rowOf of readings) {
    const counted = counts(lengths, rowOf)
    if (points === undefined || counted.points === points) return { ...counted, contradiction: undefined }
  }
  const listed = lengths.reduce((sum, length) => sum + length, 0)
  if (isGaussian && listed === points) {
    // Not ecCodes' reading of an area, but each point has its value.
    const contradiction = `the list of rows has the ${listed} points that lie in the area, where the points of whole parallels are expected: those of a row lie at equal distances between its first and last longitude`
    return { ...counts(lengths, partOf(grid)), contradiction }
  }
  const contradiction = `the rows of the grid have ${counts(lengths, readings[0] ?? partOf(grid)).points} points between its first and last longitude, and ${points} are expected: where they lie is not known`
  return { points: points ?? listed, rows: undefined, contradiction }
}

function counts(lengths: readonly number[], rowOf: RowOf): { readonly points: number; readonly rows: ReducedRow[] } {
  const rows = lengths.map(rowOf)
  return { rows, points: rows.reduce((sum, { count }) => sum + count, 0) }
}

function gaussianReadings(grid: Grid, lengths: readonly number[]): RowOf[] {
  const area = [areaRow(grid), legacyAreaRow(grid)]
  return isGlobal(grid, lengths) ? [wholeParallel, ...area] : area
}

const wholeParallel: RowOf = (length) => ({ count: length, first: 0, step: CIRCLE / Math.max(1, length) })

/** From pole to pole and around the earth from Greenwich. */
function isGlobal(grid: Grid, lengths: readonly number[]): boolean {
  const parallels = grid.numbers.get('N') ?? 0
  if (parallels < 1 || parallels > MOST_PARALLELS) return false
  const [north, second] = polarLatitudes(parallels)
  const spacing = Math.abs(north - second)
  const { south, top, first, last } = extentOf(grid)
  const step = CIRCLE / lengths.reduce((most, length) => Math.max(most, length), 1)
  const reachesPoles = Math.abs(top - north) < spacing && Math.abs(south + north) < spacing
  return reachesPoles && first === 0 && Math.abs(last - (CIRCLE - step)) - step <= grid.units.degrees
}

function extentOf(grid: Grid) {
  const { numbers } = grid
  const longitude = (name: string) => {
    const degrees = numbers.get(name) ?? 0
    return degrees < 0 ? (degrees % CIRCLE) + CIRCLE : degrees
  }
  return {
    top: numbers.get('latitudeOfFirstGridPointInDegrees') ?? 0,
    south: numbers.get('latitudeOfLastGridPointInDegrees') ?? 0,
    first: longitude('longitudeOfFirstGridPointInDegrees'),
    last: longitude('longitudeOfLastGridPointInDegrees'),
  }
}

/** Points at multiples of the row's step from Greenwich that lie in the area; counted in coded units, so that none is lost by rounding. */
function areaRow(grid: Grid): RowOf {
  const { first, last } = extentOf(grid)
  const perDegree = 1 / grid.units.degrees
  const circle = Math.round(CIRCLE * perDegree)
  const west = Math.round(first * perDegree)
  let east = Math.round(last * perDegree)
  while (east < west) east += circle
  return (length) => {
    if (length < 1) return { count: 0, first: 0, step: 0 }
    const [start, end] = [Math.ceil((west * length) / circle), Math.floor((east * length) / circle)]
    const step = CIRCLE / length
    return { count: Math.max(0, Math.min(length, end - start + 1)), first: start * step, step }
  }
}

/** As older software of ECMWF (PRODGEN, EMOSLIB) counted them. */
function legacyAreaRow(grid: Grid): RowOf {
  const { first, last } = extentOf(grid)
  const west = last < first ? first - CIRCLE : first
  return (length) => {
    if (length < 1) return { count: 0, first: 0, step: 0 }
    const at = (index: number) => (index * CIRCLE) / length
    let count = Math.trunc(((last - west) * length) / CIRCLE + 1)
    let start = Math.trunc((west * length) / CIRCLE)
    const end = Math.trunc((last * length) / CIRCLE)
    const between = end - start + 1
    if (between > count) {
      if (at(start) < west) start++
    } else if (between < count) {
      const isEarlier = at(start - 1) > west
      if (isEarlier) start--
      else if (at(end + 1) >= last) count--
    } else if (at(start) < west) start++
    return { count, first: at(start), step: CIRCLE / length }
  }
}

/** Rows of a latitude and longitude grid share the grid's span. */
function latLonRow(grid: Grid, lengths: readonly number[]): RowOf {
  const { numbers } = grid
  const first = numbers.get('longitudeOfFirstGridPointInDegrees') ?? 0
  const last = numbers.get('longitudeOfLastGridPointInDegrees') ?? 0
  const longest = lengths.reduce((most, length) => Math.max(most, length), 1)
  if (CIRCLE - Math.abs(last - first) >= 2 * (CIRCLE / longest)) return partOf(grid)
  return (length) => ({ count: length, first, step: CIRCLE / Math.max(1, length) })
}

/** Equal parts from the first to the last longitude. */
function partOf(grid: Grid): RowOf {
  const { numbers } = grid
  const first = numbers.get('longitudeOfFirstGridPointInDegrees') ?? 0
  const last = numbers.get('longitudeOfLastGridPointInDegrees') ?? 0
  const span = last < first ? last + CIRCLE - first : last - first
  return (length) => ({ count: length, first, step: span / Math.max(1, length - 1) })
}

/** Where the points of a reduced grid lie, by their place in the file. */
export function reducedLongitudes(rows: readonly ReducedRow[]): (index: number) => { row: number; longitude: number } {
  const starts = lazily(() => {
    const result = new Float64Array(rows.length + 1)
    rows.forEach(({ count }, row) => {
      result[row + 1] = (result[row] ?? 0) + count
    })
    return result
  })
  return (index) => {
    const start = starts()
    let [low, high] = [0, rows.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((start[middle] ?? 0) <= index) low = middle
      else high = middle - 1
    }
    const { first, step } = rows[low] ?? { first: 0, step: 0 }
    return { row: low, longitude: first + (index - (start[low] ?? 0)) * step }
  }
}
