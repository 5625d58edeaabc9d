// Zarr conventions (CONV-7, CONV-8): spatial:, proj: and multiscales.
import { floatJson, type Json, type JsonObject } from '../../json/json.ts'
import type { AttributeValue } from '../../model/virtual-store.ts'

/** x = a*column + b*row + c and y = d*column + e*row + f, of the corner of a pixel. */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

/** Where the arrays of a group lie. */
export interface Placing {
  /** The grid itself, then its overviews. */
  readonly levels: readonly Level[]
  /** Names of the dimensions of rows and of columns. */
  readonly dimensions: readonly [rows: string, columns: string]
  /** `EPSG:32633`; undefined where no register has the reference system. */
  readonly code: string | undefined
}

/** One level of a pyramid. */
export interface Level {
  readonly name: string
  readonly width: number
  readonly height: number
  readonly transform: Affine | undefined
  /** Points of the finer level along each axis that one of this stands for, where that isn't the quotient of their sizes. */
  readonly step?: number | undefined
}

const REGISTERED = {
  spatial: convention(
    'spatial:',
    '689b58e2-cf7b-45e0-9fff-9cfc0883d6b4',
    'zarr-conventions/spatial',
    'Spatial coordinate information',
  ),
  proj: convention(
    'proj:',
    'f17cb550-5864-4468-aeb7-f3180cfb622f',
    'zarr-conventions/geo-proj',
    'Coordinate reference system information for geospatial data',
  ),
  multiscales: convention(
    'multiscales',
    'd35379db-88df-4056-af3a-620245f8e347',
    'zarr-conventions/multiscales',
    'Multiscale layout of zarr datasets',
  ),
}

function convention(name: string, uuid: string, repository: string, description: string): JsonObject {
  return {
    uuid,
    schema_url: `https://raw.githubusercontent.com/${repository}/refs/tags/v1/schema.json`,
    spec_url: `https://github.com/${repository}/blob/v1/README.md`,
    name,
    description,
  }
}

/** What a group without arrays of its own says of the levels of a pyramid in it, registered as the conventions ask for. */
export function multiscaleAttributes({ levels, dimensions, code }: Placing): [string, AttributeValue][] {
  const [full] = levels
  if (full === undefined) return []
  const used = [REGISTERED.spatial, ...(code === undefined ? [] : [REGISTERED.proj]), REGISTERED.multiscales]
  const layout = levels.map((level, i) => levelEntry(level, levels[i - 1]))
  return [['zarr_conventions', used], ...placeOf(full, dimensions, code), ['multiscales', { layout }]]
}

/**
 * Where the grid of a group lies, in plain values only: every writer of NetCDF can keep those, and viewers read them without
 * their registration (decision 13). OpenLayers takes a `spatial:bbox` for rows from the north in square pixels; other grids
 * have none rather than be shown in a wrong place.
 */
export function flatAttributes({ levels, dimensions, code }: Placing): [string, AttributeValue][] {
  const [full] = levels
  if (full?.transform === undefined) return []
  const isShown = isNorthUp(full.transform, full.height)
  return placeOf(full, dimensions, code).filter(([name]) => isShown || name !== 'spatial:bbox')
}

/** What is not registered is WKT 1 here, for which the convention has no place: `crs_wkt` has it. */
function placeOf(
  level: Level,
  dimensions: Placing['dimensions'],
  code: string | undefined,
): [string, AttributeValue][] {
  const named: [string, AttributeValue][] = [['spatial:dimensions', dimensions], ...Object.entries(spatialOf(level))]
  if (level.transform !== undefined) {
    named.push(['spatial:bbox', boundsOf(level, level.transform)], ['spatial:registration', 'pixel'])
  }
  if (code !== undefined) named.push(['proj:code', code])
  return named
}

/** Whether rows placed by the width of a pixel stay within a part of a pixel. */
function isNorthUp([a, , , , e]: Affine, height: number): boolean {
  return a > 0 && Math.abs(a + e) * height < a / 4
}

function spatialOf({ width, height, transform }: Level): Record<string, Json> {
  const shape = { 'spatial:shape': [height, width] }
  return transform === undefined ? shape : { ...shape, 'spatial:transform': transform.map(floatJson) }
}

/** Overviews of GDAL cover the whole image: the last pixels of a row may be cut narrower than the rest. */
function levelEntry(level: Level, finer: Level | undefined): Json {
  const { step } = level
  const sizes = finer === undefined ? [1, 1] : [finer.height / level.height, finer.width / level.width]
  const factors = finer === undefined || step === undefined ? sizes : [step, step]
  const transform = { scale: factors.map(floatJson), translation: [0, 0].map(floatJson) }
  if (finer === undefined) return { asset: level.name, transform, ...spatialOf(level) }
  return { asset: level.name, derived_from: finer.name, transform, ...spatialOf(level) }
}

/** Smallest and largest x and y of the four corners. */
function boundsOf({ width, height }: Level, [a, b, c, d, e, f]: Affine): Json {
  const corners = [
    [0, 0],
    [width, 0],
    [0, height],
    [width, height],
  ] as const
  const xs = corners.map(([column, row]) => a * column + b * row + c)
  const ys = corners.map(([column, row]) => d * column + e * row + f)
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)].map(floatJson)
}
