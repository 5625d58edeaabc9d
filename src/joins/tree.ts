import { malformed } from '../errors.ts'
import type {
  Attributes,
  Member,
  SkippedArray,
  VirtualArray,
  VirtualGroup,
  VirtualNode,
} from '../model/virtual-store.ts'

/** A source of a join once it is read. */
export interface PartTree {
  /** To be shown in errors. */
  readonly url: string
  readonly attributes: Attributes
  /** By path, in the order of the source. */
  readonly arrays: ReadonlyMap<string, VirtualArray | SkippedArray>
  /** Groups below the root, by path. */
  readonly groups: ReadonlyMap<string, VirtualGroup>
  /** What bounds count in (CF, section 7.1): attributes of the variable that each bounds, by the path of the bounds; dropped ones too. */
  readonly bounded: ReadonlyMap<string, Attributes>
}

/** What of a source takes part in a join. */
export interface Selection {
  readonly variables: readonly string[] | undefined
  readonly drop: readonly string[]
  readonly rename: ReadonlyMap<string, string>
}

/** Texts in records of one source are no texts of the join. */
function withoutTexts({ textFields: _texts, ...array }: VirtualArray): VirtualArray {
  return array
}

/**
 * A tree as arrays by their paths; a source that is one array has it under the name `data`. `use` gets each name under `drop` and
 * `rename` that the source has.
 */
export function partTree(
  root: VirtualNode,
  url: string,
  { drop, rename }: Selection,
  use: (name: string) => void = () => undefined,
): PartTree {
  const arrays = new Map<string, VirtualArray | SkippedArray>()
  const groups = new Map<string, VirtualGroup>()
  const bounded = new Map<string, Attributes>()
  const visit = (node: Member, path: string) => {
    if (node.kind === 'array') addBounds(node, path, rename, bounded)
    for (const name of [path, ...(node.kind === 'array' ? (node.dimensionNames ?? []) : [])])
      if (name !== null && rename.has(name)) use(name)
    if (drop.includes(path)) {
      use(path)
      return
    }
    if (node.kind !== 'group') {
      const served = rename.get(path) ?? path
      if (arrays.has(served)) throw malformed(`${url}: two variables would be named ${served} by rename`)
      arrays.set(served, node.kind === 'array' ? withRenamed(withoutTexts(node), rename) : node)
      return
    }
    if (path !== '') groups.set(path, node)
    for (const [name, member] of node.members) visit(member, path === '' ? name : `${path}/${name}`)
  }
  if (root.kind === 'group') visit(root, '')
  else visit(root, 'data')
  return { url, attributes: root.kind === 'group' ? root.attributes : new Map(), arrays, groups, bounded }
}

function addBounds(
  { attributes }: VirtualArray,
  path: string,
  rename: ReadonlyMap<string, string>,
  bounded: Map<string, Attributes>,
): void {
  const { parent } = splitPath(path)
  for (const key of ['bounds', 'climatology']) {
    const name = attributes.get(key)
    const bounds = typeof name === 'string' ? (parent === '' ? name : `${parent}/${name}`) : undefined
    if (bounds !== undefined) bounded.set(rename.get(bounds) ?? bounds, attributes)
  }
}

/** Dimensions go by the names of their coordinates, and attributes name what is served. */
function withRenamed(array: VirtualArray, rename: ReadonlyMap<string, string>): VirtualArray {
  if (rename.size === 0) return array
  const dimensionNames = array.dimensionNames?.map((name) => (name === null ? null : (rename.get(name) ?? name)))
  const attributes = new Map(array.attributes)
  for (const key of NAMING) {
    const value = attributes.get(key)
    if (typeof value === 'string')
      attributes.set(
        key,
        value.replace(/[^\s:]+/g, (word) => rename.get(word) ?? word),
      )
  }
  return { ...array, dimensionNames, attributes }
}

/** Attributes by which variables name others. */
const NAMING = ['coordinates', 'bounds', 'grid_mapping', 'climatology', 'ancillary_variables', 'cell_measures']

/** The tree of arrays by paths again, in the groups of a source. */
export function treeOf(arrays: ReadonlyMap<string, Member>, like: PartTree): VirtualGroup {
  const members = new Map<string, Member>()
  const built = new Map<string, Map<string, Member>>([['', members]])
  const folderOf = (path: string): Map<string, Member> => {
    const known = built.get(path)
    if (known !== undefined) return known
    const folder = new Map<string, Member>()
    built.set(path, folder)
    const { parent, name } = splitPath(path)
    const attributes = like.groups.get(path)?.attributes ?? new Map()
    folderOf(parent).set(name, { kind: 'group', attributes, members: folder })
    return folder
  }
  for (const path of like.groups.keys()) folderOf(path)
  for (const [path, array] of arrays) {
    const { parent, name } = splitPath(path)
    folderOf(parent).set(name, array)
  }
  return { kind: 'group', attributes: like.attributes, members }
}

export function splitPath(path: string): { readonly parent: string; readonly name: string } {
  const slash = path.lastIndexOf('/')
  return { parent: path.slice(0, Math.max(slash, 0)), name: path.slice(slash + 1) }
}
