import type { ArrayInfo, Inspection } from '../service/types.ts'

/** A group, an array, or an array that can't be served, with its place in the tree. */
export interface TreeNode {
  readonly path: string
  readonly name: string
  readonly depth: number
  readonly kind: 'group' | 'array' | 'skipped'
  readonly hasChildren: boolean
}

/** All nodes in the order of a tree: a group, then what is in it. Groups that only paths name are there, too. */
export function treeOf({ groups, arrays, skipped }: Inspection): readonly TreeNode[] {
  const kinds = new Map<string, TreeNode['kind']>()
  for (const path of Object.keys(groups)) kinds.set(path, 'group')
  for (const path of Object.keys(arrays)) kinds.set(path, 'array')
  for (const path of Object.keys(skipped)) kinds.set(path, 'skipped')
  for (const path of [...kinds.keys()]) {
    for (let parent = parentOf(path); parent !== '' && !kinds.has(parent); parent = parentOf(parent))
      kinds.set(parent, 'group')
  }
  const children = new Map<string, string[]>()
  for (const path of kinds.keys()) {
    if (path === '') continue
    const parent = parentOf(path)
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [path])
    else siblings.push(path)
  }
  const nodes: TreeNode[] = []
  const visit = (path: string, depth: number) => {
    const below = children.get(path) ?? []
    const kind = kinds.get(path) ?? 'group'
    nodes.push({ path, name: nameOf(path), depth, kind, hasChildren: below.length > 0 })
    const rank = (child: string) => (kinds.get(child) === 'group' ? 1 : 0)
    for (const child of below.toSorted((a, b) => rank(a) - rank(b))) visit(child, depth + 1)
  }
  visit('', 0)
  return nodes
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Whether an array says where points lie along one of its own dimensions, or is named by others as their coordinate. */
export function isCoordinate(path: string, { dimension_names: names }: ArrayInfo): boolean {
  return names.length === 1 && names[0] === nameOf(path)
}

/** The array to show first: the most dimensions, numbers before texts, the fullest before its overviews. */
export function mainArray({ arrays, groups }: Inspection): string | undefined {
  const named = coordinatesNamed(arrays, groups)
  let best: { path: string; weight: number } | undefined
  for (const [path, array] of Object.entries(arrays)) {
    const isPlaced =
      array.attributes['grid_mapping'] !== undefined ||
      groups[parentOf(path)]?.attributes['spatial:transform'] !== undefined
    const weight = interest(path, array, named) + (isPlaced ? 5 * MUCH : 0)
    if (best === undefined || weight > best.weight) best = { path, weight }
  }
  return best?.path
}

const MUCH = 1e12

function interest(path: string, array: ArrayInfo, named: ReadonlySet<string>): number {
  const size = array.shape.reduce((product, length) => product * length, 1)
  const lengthy = array.shape.filter((length) => length > 1).length
  const isBounds = /_?(bounds|bnds)$/.test(path)
  const isSide = isCoordinate(path, array) || isBounds || named.has(nameOf(path))
  const isNumber = array.data_type !== 'string' && array.data_type !== 'bool'
  const depth = path.split('/').length
  return (
    (isSide ? 0 : 1000 * MUCH) +
    (isNumber ? 100 * MUCH : 0) +
    Math.min(lengthy, 3) * 10 * MUCH +
    Math.min(size, MUCH) -
    depth
  )
}

/** Names that attributes give as coordinates, bounds or grid mappings. */
function coordinatesNamed(arrays: Inspection['arrays'], groups: Inspection['groups']): ReadonlySet<string> {
  const all = [...Object.values(arrays), ...Object.values(groups)]
  const texts = all.flatMap(({ attributes }) => [
    attributes['coordinates'],
    attributes['grid_mapping'],
    attributes['bounds'],
    attributes['ancillary_variables'],
  ])
  return new Set(texts.flatMap((text) => (typeof text === 'string' ? text.split(/[\s:]+/) : [])))
}
