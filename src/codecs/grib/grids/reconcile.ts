// A grid says more than it needs: its first and last point, its steps, and in which directions it is scanned. Where these contradict
// each other, the reading that leads from the first to the last point is taken, and said.

import { MOST_PARALLELS, nearestParallel } from './gaussian.ts'
import { type GridDefinition, numberOf } from './grid.ts'
import { mapOf, mapProjectionOf, shortWay, stepsOnMap } from './projections.ts'
import { reducedRows } from './reduced.ts'

/** A grid as it is read, and what in its description was not believed. */
export interface ReconciledGrid {
  readonly grid: GridDefinition
  /** Sentences for whoever reads the file. */
  readonly contradictions: readonly string[]
}

const RADIANS = Math.PI / 180
const CIRCLE = 360
const POLE = 90.001
/** Writers of edition 1 round Gaussian latitudes as they like. */
const PARALLEL_TOLERANCE = 2e-3
const METRES_PER_DEGREE = 111_320

const LATITUDES = ['latitudeOfFirstGridPointInDegrees', 'latitudeOfLastGridPointInDegrees'] as const
const LONGITUDES = ['longitudeOfFirstGridPointInDegrees', 'longitudeOfLastGridPointInDegrees'] as const
const ROW_STEP = 'jDirectionIncrementInDegrees'
const COLUMN_STEP = 'iDirectionIncrementInDegrees'

/** Compares a grid with its own last point. */
export function reconcileGrid(grid: GridDefinition): ReconciledGrid {
  const checks: readonly Check[] = CHECKS.get(mapOf(grid)) ?? []
  let current = grid
  const contradictions: string[] = []
  for (const check of checks) {
    const found = check(current)
    if (found === undefined) continue
    current = found.grid ?? current
    contradictions.push(found.contradiction)
  }
  return { grid: current, contradictions }
}

interface Found {
  /** What is read instead; absent where no reading fits. */
  readonly grid?: GridDefinition
  readonly contradiction: string
}

type Check = (grid: GridDefinition) => Found | undefined

const CHECKS: ReadonlyMap<string, readonly Check[]> = new Map([
  ['regular_ll', [rowsOfRegular, columnsOfRegular]],
  ['rotated_ll', [rowsOfRegular, columnsOfRegular]],
  ['regular_gg', [rowsOfGaussian, columnsOfRegular]],
  ['rotated_gg', [rowsOfGaussian, columnsOfRegular]],
  ['reduced_ll', [rowsOfRegular, pointsOfReduced]],
  ['reduced_gg', [rowsOfGaussian, pointsOfReduced]],
  ['reduced_rotated_gg', [rowsOfGaussian, pointsOfReduced]],
  ['mercator', [lastOfMercator]],
  ['lambert', [cornerOfLambert]],
])

function rowsOfRegular(grid: GridDefinition): Found | undefined {
  const rows = grid.rows ?? 0
  if (rows < 2) return undefined
  const [first, last] = LATITUDES.map((name) => numberOf(grid, name)) as [number, number]
  const given = grid.numbers.get(ROW_STEP)
  const spread = Math.abs(last - first)
  if (Math.abs(last) > POLE && given !== undefined) return noLatitude(last)
  const turned = againstScanning(grid, first, last)
  if (turned !== undefined) return turned
  if (given === undefined || Math.abs(given * (rows - 1) - spread) <= toleranceOf(rows, grid.units.degrees)) {
    return undefined
  }
  const contradiction = `${rows} rows ${given} degrees apart do not lead from latitude ${first} to ${last}: they are taken to lie ${spread / (rows - 1)} apart`
  return { grid: without(grid, ROW_STEP), contradiction }
}

function noLatitude(last: number): Found {
  return { contradiction: `the last latitude ${last} is none: the steps are believed` }
}

/** Latitudes that run the other way than the scanning mode says. */
function againstScanning(grid: GridDefinition, first: number, last: number): Found | undefined {
  const { jPositive } = grid.scanning
  if (first === last || last > first === jPositive) return undefined
  const contradiction = `the scanning mode says that rows run ${jPositive ? 'northward' : 'southward'}, but the first latitude is ${first} and the last ${last}: they are read as running from the first to the last`
  return { grid: { ...grid, scanning: { ...grid.scanning, jPositive: !jPositive } }, contradiction }
}

function columnsOfRegular(grid: GridDefinition): Found | undefined {
  const columns = grid.columns ?? 0
  const given = grid.numbers.get(COLUMN_STEP)
  if (columns < 2 || given === undefined || given <= 0) return undefined
  const [first, last] = LONGITUDES.map((name) => numberOf(grid, name)) as [number, number]
  const { iNegative } = grid.scanning
  const length = given * (columns - 1)
  const span = positive(iNegative ? first - last : last - first)
  if (Math.abs(span - length) <= given / 2) return undefined
  // Both ends and the direction of scanning leave nothing for a step to decide.
  const contradiction = `${columns} columns ${given} degrees apart do not lead from longitude ${first} to ${last}: they are taken to lie ${span / (columns - 1)} apart`
  return { contradiction }
}

/** A span of 0 goes once around the earth. */
function positive(span: number): number {
  return span > 0 ? span : span + CIRCLE
}

/** Steps are rounded once each, and so are both ends. */
function toleranceOf(count: number, unit: number): number {
  return (count + 1) * unit * 1.001
}

function rowsOfGaussian(grid: GridDefinition): Found | undefined {
  const parallels = numberOf(grid, 'N')
  const rows = grid.rows ?? 0
  if (rows < 1 || parallels < 1 || parallels > MOST_PARALLELS || rows > 2 * parallels) return undefined
  const [first, last] = LATITUDES.map((name) => numberOf(grid, name)) as [number, number]
  const turned = rows > 1 ? againstScanning(grid, first, last) : undefined
  const tolerance = Math.max(PARALLEL_TOLERANCE, grid.units.degrees)
  const [start, end] = [nearestParallel(parallels, first), nearestParallel(parallels, last)]
  const strays: number[] = []
  if (Math.abs(start.latitude - first) > tolerance) strays.push(first)
  if (Math.abs(end.latitude - last) > tolerance) strays.push(last)
  const between = Math.abs(end.index - start.index) + 1
  if (strays.length === 0 && between === rows) return turned
  const what =
    strays.length > 0
      ? `${strays.join(' and ')} is no latitude of a Gaussian grid of ${parallels} parallels: the nearest ones are taken`
      : `${between} parallels lie between latitudes ${first} and ${last}, but the grid has ${rows} rows: those from the first on are taken`
  return { ...turned, contradiction: turned === undefined ? what : `${turned.contradiction}; ${what}` }
}

function pointsOfReduced(grid: GridDefinition): Found | undefined {
  if (grid.rowLengths === undefined) return undefined
  const { contradiction } = reducedRows(grid, grid.points)
  return contradiction === undefined ? undefined : { contradiction }
}

/** The last point of a Mercator grid, in metres from the first. */
function lastOfMercator(grid: GridDefinition): Found | undefined {
  const map = mapProjectionOf(grid)
  const { columns = 0, rows = 0 } = grid
  if (map === undefined || columns < 2 || rows < 2) return undefined
  const [north, south] = LATITUDES.map((name) => numberOf(grid, name)) as [number, number]
  const [west, east] = LONGITUDES.map((name) => numberOf(grid, name)) as [number, number]
  // Some writers leave it out.
  if (south === 0 && east === 0) return undefined
  if (Math.abs(south) > POLE) return noLatitude(south)
  const [x0, y0] = map.forward(north * RADIANS, west * RADIANS)
  const [x1, y1] = map.forward(south * RADIANS, east * RADIANS)
  const [radian] = map.forward(0, west * RADIANS + 1)
  const circle = 2 * Math.PI * (radian - x0)
  if (![x0, y0, x1, y1, circle].every(Number.isFinite)) return undefined
  const [stepX, stepY] = stepsOnMap(grid)
  const { degrees, metres } = grid.units
  const coded = degrees * METRES_PER_DEGREE * 3
  const [toleranceX, toleranceY] = [columns * metres + coded, rows * metres + coded / Math.cos(south * RADIANS)]
  const apartX = (step: number) => offCircle((columns - 1) * step - (x1 - x0), circle)
  const apartY = (step: number) => Math.abs((rows - 1) * step - (y1 - y0))
  if (apartX(stepX) <= toleranceX && apartY(stepY) <= toleranceY) return undefined
  const flipX = apartX(stepX) > toleranceX && apartX(-stepX) <= toleranceX
  const flipY = apartY(stepY) > toleranceY && apartY(-stepY) <= toleranceY
  const { iNegative, jPositive } = grid.scanning
  const scanning = { ...grid.scanning, iNegative: iNegative !== flipX, jPositive: jPositive !== flipY }
  const fits = (flipX || apartX(stepX) <= toleranceX) && (flipY || apartY(stepY) <= toleranceY)
  const last = `latitude ${south} and longitude ${east}`
  if (fits) {
    const contradiction = `the scanning mode does not lead from the first point to the last one at ${last}: the grid is read as running there`
    return { grid: { ...grid, scanning }, contradiction }
  }
  const misses = Math.max(apartX(stepX) / Math.abs(stepX), apartY(stepY) / Math.abs(stepY))
  if (misses > 0.5) return stepsToLast(grid, { x: x1 - x0, y: y1 - y0, circle, last })
  const contradiction = `the steps miss the last point at ${last} by ${misses.toPrecision(2)} of a step: they are believed, as the radius of the earth or the last point may be rounded`
  return { contradiction }
}

interface ToLast {
  readonly x: number
  readonly y: number
  readonly circle: number
  readonly last: string
}

/** Steps that lead to the last point. */
function stepsToLast(grid: GridDefinition, { x, y, circle, last }: ToLast): Found {
  const { columns = 0, rows = 0, scanning } = grid
  const [dx, dy] = [numberOf(grid, 'DiInMetres'), numberOf(grid, 'DjInMetres')]
  const eastward = scanning.iNegative ? -x : x
  const width = eastward > 0 ? eastward : eastward + circle
  const jPositive = y === 0 ? scanning.jPositive : y > 0
  const [stepX, stepY] = [width / (columns - 1), Math.abs(y) / (rows - 1)]
  const contradiction = `steps of ${dx} and ${dy} metres do not lead from the first point to the last one at ${last}: steps of ${stepX} and ${stepY} metres are taken`
  const numbers = new Map([...grid.numbers, ['DiInMetres', stepX], ['DjInMetres', stepY]])
  return { grid: { ...grid, numbers, scanning: { ...scanning, jPositive } }, contradiction }
}

/** How far from a whole number of turns. */
function offCircle(metres: number, circle: number): number {
  return Math.abs(shortWay((metres / circle) * 2 * Math.PI)) * (circle / (2 * Math.PI))
}

/**
 * A Lambert grid has no last point. Its reference point, where its meridian meets its parallel, lies within it; of grids that are
 * scanned southward and have it beyond their rows, some writers give the corner in the south as the first point.
 */
function cornerOfLambert(grid: GridDefinition): Found | undefined {
  const map = mapProjectionOf(grid)
  const { columns = 0, rows = 0 } = grid
  if (map === undefined || columns < 2 || rows < 2) return undefined
  const [latitude, longitude] = [numberOf(grid, LATITUDES[0]), numberOf(grid, LONGITUDES[0])]
  const [x, y] = map.forward(latitude * RADIANS, longitude * RADIANS)
  const centre = map.forward(numberOf(grid, 'LaDInDegrees') * RADIANS, numberOf(grid, 'LoVInDegrees') * RADIANS)
  const [stepX, stepY] = stepsOnMap(grid)
  if (![x, y, ...centre].every(Number.isFinite)) return undefined
  const [spanX, spanY] = [(columns - 1) * stepX, (rows - 1) * stepY]
  const isWithin = (from: number, span: number, step: number, at: number) => {
    const slack = Math.abs(step)
    return at >= Math.min(from, from + span) - slack && at <= Math.max(from, from + span) + slack
  }
  if (grid.scanning.jPositive || !isWithin(x, spanX, stepX, centre[0])) return undefined
  if (isWithin(y, spanY, stepY, centre[1]) || !isWithin(y, -spanY, stepY, centre[1])) return undefined
  const [top, side] = map.inverse(x, y - spanY)
  const numbers = new Map([...grid.numbers, [LATITUDES[0], top / RADIANS], [LONGITUDES[0], side / RADIANS]])
  const contradiction = `the scanning mode says that rows run southward from latitude ${latitude}, away from the grid's reference point at latitude ${numberOf(grid, 'LaDInDegrees')}: the first point is read as the southern corner of rows that run southward to it`
  return { grid: { ...grid, numbers }, contradiction }
}

function without(grid: GridDefinition, name: string): GridDefinition {
  return { ...grid, numbers: new Map([...grid.numbers].filter(([key]) => key !== name)) }
}
