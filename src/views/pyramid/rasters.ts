import type { Member, VirtualArray, VirtualGroup } from '../../model/virtual-store.ts'
import { placeOf, type RasterPlace } from '../place.ts'

/** A raster is large from here on: a viewer would read thousands of points that it doesn't show. */
export const MOST_POINTS_SHOWN = 1024

/** What of a group gets overviews: the arrays that lie on one plane. */
export interface Plane {
  readonly place: RasterPlace
  readonly rasters: ReadonlyMap<string, VirtualArray>
  /** The axes of rows and columns in an array that has both; undefined for others. */
  axesIn(array: VirtualArray): readonly number[] | undefined
}

/** The plane of a group, by what it says of its place or by dimensions called `y` and `x`; undefined where none is large. */
export function planeOf(group: VirtualGroup): Plane | undefined {
  const told = placeOf(group)
  const dimensions = told?.dimensions ?? (['y', 'x'] as const)
  const axesIn = (array: VirtualArray) => axesOf(array, dimensions)
  const all = [...group.members].filter((entry): entry is [string, VirtualArray] => isRaster(entry[1], axesIn))
  const [main] = all
  const [rows = 0, columns = 0] = main === undefined ? [] : (axesIn(main[1]) ?? [])
  const height = main?.[1].shape[rows] ?? 0
  const width = main?.[1].shape[columns] ?? 0
  if (Math.max(height, width) <= MOST_POINTS_SHOWN) return undefined
  const isTold = told !== undefined && told.height === height && told.width === width
  const place = isTold ? told : { dimensions, height, width, transform: undefined, code: undefined }
  return { place, rasters: new Map(all), axesIn }
}

function isRaster(member: Member, axesIn: Plane['axesIn']): member is VirtualArray {
  if (member.kind !== 'array' || axesIn(member) === undefined) return false
  const { kind } = member.dataType
  return kind === 'int' || kind === 'uint' || kind === 'float' || kind === 'complex' || kind === 'bool'
}

function axesOf(
  { dimensionNames = [] }: VirtualArray,
  [rows, columns]: RasterPlace['dimensions'],
): readonly number[] | undefined {
  const found = [dimensionNames.indexOf(rows), dimensionNames.indexOf(columns)]
  return found.includes(-1) ? undefined : found
}
