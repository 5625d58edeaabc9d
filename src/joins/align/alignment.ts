import type { VirtualArray } from '../../model/virtual-store.ts'
import { type PartTree, splitPath } from '../tree.ts'
import { type Placement, padded } from './padded.ts'

/** Coordinates that differ from source to source, put together, and where those of each source stand among them. */
export interface Alignment {
  /** All values of each, by path. */
  readonly coordinates: ReadonlyMap<string, VirtualArray>
  /** Variables without the joined dimension that have such coordinates, put together too. */
  readonly shared: ReadonlyMap<string, VirtualArray>
  /** Coordinates that were found to be the same in all sources. */
  readonly same: ReadonlySet<string>
  /** By source and by the path of the coordinate. */
  readonly places: ReadonlyMap<PartTree, ReadonlyMap<string, Placement>>
}

export const NOT_ALIGNED: Alignment = {
  coordinates: new Map(),
  shared: new Map(),
  same: new Set(),
  places: new Map(),
}

/** The path of the coordinate along an axis of an array, if that is one that was put together. */
export function alignedAxes(
  { coordinates }: Pick<Alignment, 'coordinates'>,
  path: string,
  { shape, dimensionNames }: VirtualArray,
): readonly (string | undefined)[] {
  if (coordinates.size === 0) return shape.map(() => undefined)
  return shape.map((_length, axis) => coordinatePath(coordinates, path, dimensionNames?.[axis] ?? null))
}

/** In its own group, or the nearest around it. */
function coordinatePath(
  coordinates: Alignment['coordinates'],
  path: string,
  dimension: string | null,
): string | undefined {
  if (dimension === null) return undefined
  for (let { parent } = splitPath(path); ; { parent } = splitPath(parent)) {
    const candidate = parent === '' ? dimension : `${parent}/${dimension}`
    if (coordinates.has(candidate)) return candidate
    if (parent === '') return undefined
  }
}

/** An array of a source among the coordinates of all of them; a new axis may stand before those that are told of. */
export function aligned(
  alignment: Pick<Alignment, 'places'>,
  tree: PartTree,
  array: VirtualArray,
  axes: readonly (string | undefined)[],
): VirtualArray {
  const places = alignment.places.get(tree)
  const own = axes.map((coordinate) => (coordinate === undefined ? undefined : places?.get(coordinate)))
  const before = array.shape.length - axes.length
  return padded(array, [...Array.from({ length: before }, () => undefined), ...own])
}
