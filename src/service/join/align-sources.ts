import { numbersOf } from '../../codecs/numbers.ts'
import type { DeliveryWorld } from '../../delivery/delivery.ts'
import { malformed } from '../../errors.ts'
import { inParallel } from '../../in-parallel.ts'
import { type Alignment, alignedAxes } from '../../joins/align/alignment.ts'
import { alignedCoordinate } from '../../joins/align/coordinate.ts'
import { type Labels, requireOrder, runsOf, unionOf } from '../../joins/align/labels.ts'
import type { Placement } from '../../joins/align/padded.ts'
import { SharedCanvas } from '../../joins/align/shared-canvas.ts'
import { commonMeaning, type Found } from '../../joins/common-meaning.ts'
import { inMeaning } from '../../joins/fit.ts'
import { isShared, type Joinable } from '../../joins/join-trees.ts'
import { sharedArray } from '../../joins/joined-array.ts'
import type { OpenPart } from '../../joins/parts.ts'
import { type PartTree, splitPath } from '../../joins/tree.ts'
import type { VirtualArray } from '../../model/virtual-store.ts'
import { readWhole } from './read-whole.ts'

/** What is to be aligned: sources whose headers all were read. */
export type Alignable = Pick<Joinable, 'dimension' | 'isNew' | 'checked'> & { readonly world: DeliveryWorld }

/** Sources that are read at the same time. */
const READ_AT_ONCE = 16

interface FoundPart extends Found {
  readonly part: OpenPart
}

/** Reads the coordinates of all sources, and puts those together that differ. */
export async function alignSources(from: Alignable): Promise<Alignment> {
  const coordinates = new Map<string, VirtualArray>()
  const same = new Set<string>()
  const places = new Map(from.checked.map(({ tree }) => [tree, new Map<string, Placement>()] as const))
  for (const path of coordinatePaths(from)) {
    const whole = await oneCoordinate(path, from, places)
    if (whole === undefined) same.add(path)
    else coordinates.set(path, whole)
  }
  const shared = new Map<string, VirtualArray>()
  for (const path of new Set(from.checked.flatMap(({ tree }) => [...tree.arrays.keys()]))) {
    const [first, ...others] = foundIn(from, path)
    if (first === undefined || coordinates.has(path) || !isShared(from, path, first.array)) continue
    const axes = alignedAxes({ coordinates }, path, first.array)
    if (axes.every((axis) => axis === undefined)) continue
    shared.set(path, await oneShared(path, [first, ...others], axes, from, { coordinates, places }))
  }
  return { coordinates, shared, same, places }
}

function foundIn({ checked }: Alignable, path: string): FoundPart[] {
  return checked.flatMap((part): FoundPart[] => {
    const array = part.tree.arrays.get(path)
    return array?.kind === 'array' ? [{ part, tree: part.tree, array }] : []
  })
}

/** Coordinates of dimensions that are not joined. */
function coordinatePaths(from: Alignable): ReadonlySet<string> {
  const paths = from.checked.flatMap(({ tree }) =>
    [...tree.arrays].flatMap(([path, array]) => {
      const { name } = splitPath(path)
      const isIndex = array.kind === 'array' && array.shape.length === 1 && array.dimensionNames?.[0] === name
      return isIndex && (from.isNew || name !== from.dimension) ? [path] : []
    }),
  )
  return new Set(paths)
}

/** All values of a coordinate; undefined where every source has the same. */
async function oneCoordinate(
  path: string,
  from: Alignable,
  places: ReadonlyMap<PartTree, Map<string, Placement>>,
): Promise<VirtualArray | undefined> {
  const [first, ...others] = foundIn(from, path)
  if (first === undefined) return undefined
  const found = [first, ...others] as const
  const meaning = commonMeaning(path, found, { hasGaps: false, isWhole: true })
  requireOrder(path, meaning.dataType)
  const pattern = { path, first: first.array, firstUrl: first.tree.url, meaning }
  const labels = await inParallel(found, READ_AT_ONCE, async ({ part, tree, array }): Promise<Labels> => {
    const bytes = await valuesOf(inMeaning(pattern, tree, array), part, from)
    return { url: tree.url, values: Array.from<number | bigint>(numbersOf(bytes, meaning.dataType)) }
  })
  const lacking = from.checked.find(({ tree }) => !found.some((other) => other.tree === tree))
  const [usual] = labels
  if (lacking === undefined && labels.every(({ values }) => isSame(values, usual?.values ?? []))) return undefined
  if (lacking !== undefined) throw malformed(`${lacking.tree.url} has no ${path} to align by`, { path })
  const union = unionOf(path, labels)
  const placeOf = new Map(union.map((value, place) => [value, place] as const))
  for (const [at, { tree }] of found.entries()) {
    const values = labels[at]?.values ?? []
    if (values.length === union.length) continue
    places.get(tree)?.set(path, { length: union.length, runs: runsOf(values, placeOf) })
  }
  return alignedCoordinate(pattern, found, union)
}

function isSame(one: Labels['values'], other: Labels['values']): boolean {
  return one.length === other.length && one.every((value, place) => value === other[place])
}

/** A variable that all sources have alike where they meet. */
async function oneShared(
  path: string,
  found: readonly [FoundPart, ...FoundPart[]],
  axes: readonly (string | undefined)[],
  from: Alignable,
  { coordinates, places }: Pick<Alignment, 'coordinates' | 'places'>,
): Promise<VirtualArray> {
  const [{ array: first, tree }] = found
  const meaning = commonMeaning(path, found, { hasGaps: true, isWhole: true })
  const pattern = { path, first, firstUrl: tree.url, meaning }
  const shape = first.shape.map((length, axis) => coordinates.get(axes[axis] ?? '')?.shape[0] ?? length)
  const canvas = new SharedCanvas(pattern, found, shape)
  const read = await inParallel(found, READ_AT_ONCE, async ({ part, tree: own, array }) => {
    canvas.check(own, array, axes)
    return { own, array, bytes: await valuesOf(inMeaning(pattern, own, array), part, from) }
  })
  for (const { own, array, bytes } of read) {
    const runs = axes.map((axis) => (axis === undefined ? undefined : places.get(own)?.get(axis)?.runs))
    canvas.put(own, array.shape, bytes, runs)
  }
  return canvas.finished()
}

async function valuesOf(array: VirtualArray, { part }: OpenPart, { world }: Alignable): Promise<Uint8Array> {
  return await readWhole(part === undefined ? array : sharedArray(array, part), world)
}
