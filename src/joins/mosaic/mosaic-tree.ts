import { malformed } from '../../errors.ts'
import { computedCoordinate } from '../../model/computed-array.ts'
import type { Diagnostic, SkippedArray, VirtualArray, VirtualGroup } from '../../model/virtual-store.ts'
import type { Found } from '../common-meaning.ts'
import { sharedArray } from '../joined-array.ts'
import type { OpenPart } from '../parts.ts'
import { type PartTree, splitPath } from '../tree.ts'
import type { Laying } from './placed-array.ts'
import { type PlacedGroup, placedGroups } from './placed-groups.ts'
import { gridMappingOf } from './placement.ts'
import { groupAttributes, levelNames, type PlacedLevel, rootAttributes } from './placing-attributes.ts'
import { mosaicVariable } from './variable.ts'

/** What is put together. */
export interface Mosaicking {
  /** Rasters that were read, which are all that exist, at their places in the order of the document. */
  readonly read: readonly [ReadRaster, ...ReadRaster[]]
  /** Of all places, those of rasters that don't exist included. */
  readonly count: number
  readonly open: Laying['open']
  readonly rename: ReadonlyMap<string, string>
  /** A dimension that the rasters have not, and at which place of it each lies. */
  readonly steps: { readonly name: string; readonly length: number; readonly places: readonly number[] } | undefined
  /** The dimensions that the document names; undefined: those that the rasters have. */
  readonly dimensions: readonly [string, string] | undefined
  warn(diagnostic: Diagnostic): void
}

export interface ReadRaster {
  readonly part: OpenPart
  readonly place: number
}

export interface MosaicTree {
  readonly tree: PartTree
  /** Variables that all rasters must have alike, by path. */
  readonly shared: readonly string[]
}

/** One tree of many rasters: the variables of each group that lies somewhere are laid on one grid, the others are the first's. */
export function mosaicTree(mosaicking: Mosaicking): MosaicTree {
  const [{ part: first }] = mosaicking.read
  const found = placedGroups(mosaicking)
  const placed = new Map([...found].flatMap(([path, group]) => (group === 'left out' ? [] : [[path, group] as const])))
  if (placed.size === 0)
    throw malformed(`${first.tree.url} does not say where it lies: a mosaic places georeferenced rasters`)
  const levels = levelNames(first.tree).flatMap((name) => placed.get(name) ?? [])
  // A pyramid of one level is none; beside the arrays of the root it would be the same once more.
  const isFlat = placed.has('') && levels.length === 1
  const isLeftOut = (path: string) =>
    found.get(path) === 'left out' || (isFlat && /^(?:mask\/)?0$/.test(path) && levels[0]?.level.name === '0')
  const { arrays, shared } = joinedArrays(mosaicking, placed, (path) => isLeftOut(splitPath(path).parent))
  const groups = new Map<string, VirtualGroup>()
  for (const [path, group] of first.tree.groups) {
    const place = placed.get(path)
    if (isLeftOut(path)) continue
    groups.set(path, place === undefined ? group : { ...group, attributes: groupAttributes(group.attributes, place) })
  }
  const attributes = rootAttributes(first.tree.attributes, placed.get(''), levels)
  return { tree: { ...first.tree, attributes, arrays, groups }, shared }
}

function joinedArrays(
  mosaicking: Mosaicking,
  placed: ReadonlyMap<string, PlacedGroup>,
  isLeftOut: (path: string) => boolean,
) {
  const [{ part: first }] = mosaicking.read
  const arrays = new Map<string, VirtualArray | SkippedArray>()
  const shared: string[] = []
  for (const path of new Set(mosaicking.read.flatMap(({ part }) => [...part.tree.arrays.keys()]))) {
    const group = placed.get(splitPath(path).parent)
    const own = first.tree.arrays.get(path)
    // A group that the first raster has not got is of other rasters alone.
    if (isLeftOut(path) || (group === undefined && own === undefined)) continue
    const made = group === undefined ? undefined : memberOf(mosaicking, group, path, arrays)
    if (made !== undefined) arrays.set(path, made)
    else if (own?.kind !== 'array') {
      if (own !== undefined) arrays.set(path, own)
    } else {
      arrays.set(path, first.part === undefined ? own : sharedArray(own, first.part))
      shared.push(path)
    }
  }
  return { arrays, shared }
}

/** A variable that depends on where it lies; undefined for one that is the same everywhere. */
function memberOf(
  mosaicking: Mosaicking,
  group: PlacedGroup,
  path: string,
  made: ReadonlyMap<string, VirtualArray | SkippedArray>,
): VirtualArray | SkippedArray | undefined {
  const members = mosaicking.read.map(({ part: { tree } }) => ({ tree, member: tree.arrays.get(path) }))
  const skipped = members.find(({ member }) => member?.kind === 'skipped')?.member
  if (skipped !== undefined) return skipped
  const found = members.flatMap(({ tree, member }): Found[] =>
    member?.kind === 'array' ? [{ tree, array: member }] : [],
  )
  const [first, ...others] = found
  if (first === undefined) return undefined
  const [rows, columns] = group.dimensions
  const { parent, name } = splitPath(path)
  const onPlane = [rows, columns].filter((dimension) => first.array.dimensionNames?.includes(dimension))
  if (onPlane.length === 0) return placedMapping(mosaicking, group, path, first.array)
  if (first.array.shape.length === 1 && onPlane[0] === name) return coordinate(name, first.array, group)
  if (onPlane.length === 1) return notOnGrid(name)
  if (group.masksOf !== undefined) {
    const values = made.get(group.masksOf === '' ? name : `${group.masksOf}/${name}`)
    const mask = values?.kind === 'array' ? values.maskedBy : undefined
    return mask ?? notOnGrid(`${parent}/${name}`)
  }
  return mosaicVariable(group.mosaic, path, [first, ...others])
}

function notOnGrid(name: string): SkippedArray {
  return {
    kind: 'skipped',
    code: 'unsupported-feature',
    reason: `${name} does not lie on the grid of the mosaic: it is not put together of its sources'`,
  }
}

/** Centres of pixels, however long. */
function coordinate(name: string, first: VirtualArray, { level, dimensions }: PlacedLevel): VirtualArray {
  const [a, , c, , e, f] = level.transform
  const [length, step, corner] = name === dimensions[0] ? [level.height, e, f] : [level.width, a, c]
  const attributes = new Map([...first.attributes].filter(([key]) => !OF_ITS_NUMBERS.has(key)))
  return computedCoordinate(name, length, (at) => corner + step / 2 + at * step, attributes)
}

/** What is said of stored numbers, or of the range of one file's. */
const OF_ITS_NUMBERS: ReadonlySet<string> = new Set([
  'scale_factor',
  'add_offset',
  'actual_range',
  'valid_range',
  'valid_min',
  'valid_max',
  'bounds',
])

/** The variable that says the reference system also says where the grid begins (GDAL). */
function placedMapping(
  { read: [{ part }] }: Mosaicking,
  group: PlacedGroup,
  path: string,
  array: VirtualArray,
): VirtualArray | undefined {
  if (part.part === undefined || path !== gridMappingOf(part.tree, splitPath(path).parent)) return undefined
  if (!array.attributes.has('GeoTransform')) return undefined
  const [a, b, c, d, e, f] = group.level.transform
  const attributes = new Map(array.attributes).set('GeoTransform', [c, a, b, f, d, e].join(' '))
  return sharedArray({ ...array, attributes }, part.part)
}
