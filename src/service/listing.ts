import { overLimit } from '../errors.ts'
import type { Representation } from './document.ts'
import type { ArrayNode, GroupNode, OpenStore } from './open-store.ts'

/** How far below a path is listed: not at all, its members, or everything. */
export type ListingDepth = 0 | 1 | 'infinity'

export interface ListedEntry {
  /** From the store's root; that of a folder ends in a slash, but for the root's own. */
  readonly path: string
  /** What lies there; undefined for a folder. */
  readonly document: Representation | undefined
}

/** Bytes of documents that one listing may put together: those of nested groups hold each node again. */
const MOST_LISTED_BYTES = 16 * 2 ** 20

/** What the index pages show, as far below a path as asked for; undefined where the store has no such node. */
export function entriesAt(store: OpenStore, path: string, depth: ListingDepth): readonly ListedEntry[] | undefined {
  const folders: { readonly path: string; readonly node: ArrayNode | GroupNode; readonly isOpen: boolean }[] = []
  let bytes = 0
  const addFolder = (nodePath: string, levels: number, groups: number) => {
    const node = store.nodes.get(nodePath)
    if (node === undefined || node.kind === 'skipped') return
    const folder = nodePath === '' ? '' : `${nodePath}/`
    folders.push({ path: folder, node, isOpen: levels > 0 })
    // Each group above it, but for the one that is listed, has a document that holds this node's.
    bytes += groups * (node.kind === 'group' ? node.own : node.document.identity.bytes).length
    if (bytes > MOST_LISTED_BYTES) throw overLimit('the store is too large to be listed at once, expected a depth of 1')
    if (levels === 0 || node.kind === 'array') return
    for (const name of node.folders) addFolder(folder + name, levels - 1, nodePath === path ? 0 : groups + 1)
  }
  addFolder(path, depth === 'infinity' ? Number.POSITIVE_INFINITY : depth, 0)
  if (folders.length === 0) return undefined
  return folders.flatMap(({ path: folder, node, isOpen }) => [
    { path: folder, document: undefined },
    ...(isOpen ? [{ path: `${folder}zarr.json`, document: node.document.identity }] : []),
  ])
}
