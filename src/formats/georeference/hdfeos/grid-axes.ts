import { computedCoordinate, evenly } from '../../../model/computed-array.ts'
import { rawEncoding } from '../../../model/encoding.ts'
import { inlineIndex } from '../../../model/plain-indexes.ts'
import { type AttributeValue, type Member, NO_SENTINELS } from '../../../model/virtual-store.ts'
import { cornersOf, GEOGRAPHIC } from './corners.ts'
import { gridMapping } from './reference-system.ts'
import type { EosGrid } from './structure.ts'

/** The dimensions of every grid have these names. */
export const COLUMNS = 'XDim'
export const ROWS = 'YDim'

/** Where points lie along an axis: those of the first one, and from one to the next. */
interface Axis {
  readonly first: number
  readonly step: number
  readonly length: number
}

/** Coordinates along both axes, and the variable that says in which reference system; none where the grid does not say where it lies. */
export function gridCoordinates(grid: EosGrid, mappingName: string): Map<string, Member> {
  const members = new Map<string, Member>()
  const axes = axesOf(grid)
  if (axes === undefined) return members
  const isGeographic = grid.projection === GEOGRAPHIC
  members.set(ROWS, coordinate(ROWS, axes.rows, isGeographic ? LATITUDE : NORTHING))
  members.set(COLUMNS, coordinate(COLUMNS, axes.columns, isGeographic ? LONGITUDE : EASTING))
  const mapping = gridMapping(grid)
  const transform = geoTransform(grid, axes)
  if (mapping !== undefined && transform !== undefined) mapping.set('GeoTransform', transform)
  if (mapping !== undefined) members.set(mappingName, scalar(mapping))
  return members
}

const LATITUDE = attributes('Y', 'latitude', 'degrees_north')
const LONGITUDE = attributes('X', 'longitude', 'degrees_east')
const NORTHING = attributes('Y', 'projection_y_coordinate', 'm')
const EASTING = attributes('X', 'projection_x_coordinate', 'm')

function attributes(axis: string, standardName: string, units: string): ReadonlyMap<string, AttributeValue> {
  return new Map([
    ['axis', axis],
    ['standard_name', standardName],
    ['units', units],
  ])
}

function coordinate(name: string, { first, step, length }: Axis, about: ReadonlyMap<string, AttributeValue>): Member {
  return computedCoordinate(name, length, evenly({ first, step }), about)
}

function scalar(about: ReadonlyMap<string, AttributeValue>): Member {
  return {
    kind: 'array',
    shape: [],
    chunkShape: [],
    dataType: { kind: 'int', bits: 32 },
    fillValue: { kind: 'number', value: 0 },
    fillOrigin: 'zero of the type',
    sentinels: NO_SENTINELS,
    attributes: about,
    dimensionNames: [],
    encodings: [rawEncoding('little')],
    edges: 'padded',
    chunks: inlineIndex([], [], new Uint8Array(4)),
  }
}

interface Axes {
  readonly columns: Axis
  readonly rows: Axis
}

/** Corners are those of the outermost pixels, wherever in a pixel its point is. */
function axesOf(grid: EosGrid): Axes | undefined {
  const { columns, rows, projection, origin, registration } = grid
  const corners = cornersOf(grid)
  if (columns < 1 || rows < 1 || projection === '' || corners === undefined) return undefined
  const [left, top] = corners.upperLeft
  const [right, bottom] = corners.lowerRight
  // Some who begin at the bottom give its corners first.
  const [lowest, highest] = [Math.min(top, bottom), Math.max(top, bottom)]
  const middle = registration === 'HDFE_CORNER' ? 0 : 0.5
  const isFromRight = origin === 'HDFE_GD_UR' || origin === 'HDFE_GD_LR'
  const isFromBottom = origin === 'HDFE_GD_LL' || origin === 'HDFE_GD_LR'
  return {
    columns: isFromRight ? axis(right, left, columns, middle) : axis(left, right, columns, middle),
    rows: isFromBottom ? axis(lowest, highest, rows, middle) : axis(top, bottom, rows, middle),
  }
}

function axis(from: number, to: number, length: number, middle: number): Axis {
  const step = (to - from) / length
  return { first: from + middle * step, step, length }
}

/** Where pixels lie, in the words of GDAL; rows and columns as they are stored. */
function geoTransform({ registration }: EosGrid, { columns, rows }: Axes): string | undefined {
  if (registration === 'HDFE_CORNER') return undefined
  const numbers = [columns.first - columns.step / 2, columns.step, 0, rows.first - rows.step / 2, 0, rows.step]
  return numbers.join(' ')
}
