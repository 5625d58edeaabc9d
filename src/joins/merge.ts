import { malformed } from '../errors.ts'
import type { SkippedArray, VirtualArray, VirtualGroup } from '../model/virtual-store.ts'
import type { PartTree } from './tree.ts'

/** A variable that two joins have: their values must be equal. Joins by their places. */
export interface SharedPath {
  readonly path: string
  readonly owner: number
  readonly other: number
}

/** Variables of several joins beside each other. */
export function mergedTrees(trees: readonly PartTree[]): {
  readonly tree: PartTree
  readonly shared: readonly SharedPath[]
} {
  const arrays = new Map<string, VirtualArray | SkippedArray>()
  const groups = new Map<string, VirtualGroup>()
  const owners = new Map<string, number>()
  const lengths = new Map<string, { readonly length: number; readonly path: string }>()
  const shared: SharedPath[] = []
  for (const [place, tree] of trees.entries()) {
    for (const [path, group] of tree.groups) if (!groups.has(path)) groups.set(path, group)
    for (const [path, array] of tree.arrays) {
      requireLengths(array, path, lengths)
      const owner = owners.get(path)
      if (owner === undefined) {
        owners.set(path, place)
        arrays.set(path, array)
      } else if (isCoordinate(array, path)) shared.push({ path, owner, other: place })
      else throw malformed(`two of the merged joins have a variable ${path}; rename or drop makes them distinct`)
    }
  }
  const [first] = trees
  if (first === undefined) throw malformed('nothing is merged')
  return { tree: { ...first, arrays, groups }, shared }
}

/** Merged joins share dimensions, so that these have one length. */
function requireLengths(
  array: VirtualArray | SkippedArray,
  path: string,
  lengths: Map<string, { readonly length: number; readonly path: string }>,
): void {
  if (array.kind !== 'array') return
  for (const [axis, name] of (array.dimensionNames ?? []).entries()) {
    const length = array.shape[axis] ?? 0
    const known = name === null ? undefined : lengths.get(name)
    if (known === undefined) {
      if (name !== null) lengths.set(name, { length, path })
    } else if (known.length !== length) {
      throw malformed(
        `the length of ${name} is ${known.length} for ${known.path} and ${length} for ${path}, which are merged`,
      )
    }
  }
}

/** Coordinates and single values (`crs`), which say the same in all of them or contradict each other. */
function isCoordinate(array: VirtualArray | SkippedArray, path: string): boolean {
  if (array.kind !== 'array') return true
  const name = path.slice(path.lastIndexOf('/') + 1)
  return array.shape.length === 0 || array.dimensionNames?.includes(name) === true
}
