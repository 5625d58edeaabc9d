import { parentOf, type TreeNode } from './nodes.ts'

/** Trees of more nodes than this start with their groups closed. */
const MOST_OPEN = 60

/** The groups that are open at first. */
export function firstOpen(nodes: readonly TreeNode[]): ReadonlySet<string> {
  const groups = nodes.filter(({ kind, hasChildren }) => kind === 'group' && hasChildren)
  return new Set(nodes.length <= MOST_OPEN ? groups.map(({ path }) => path) : [''])
}

/** The rows that are seen: below open groups, or around what a search finds. */
export function rowsOf(nodes: readonly TreeNode[], open: ReadonlySet<string>, search: string): readonly TreeNode[] {
  const wanted = search.trim().toLowerCase()
  if (wanted !== '') return found(nodes, wanted)
  const rows: TreeNode[] = []
  let hiddenBelow = Number.POSITIVE_INFINITY
  for (const node of nodes) {
    if (node.depth > hiddenBelow) continue
    hiddenBelow = node.hasChildren && !open.has(node.path) ? node.depth : Number.POSITIVE_INFINITY
    rows.push(node)
  }
  return rows
}

function found(nodes: readonly TreeNode[], wanted: string): readonly TreeNode[] {
  const kept = new Set<string>()
  for (const { path } of nodes) {
    if (!path.toLowerCase().includes(wanted)) continue
    for (let at = path; !kept.has(at); at = parentOf(at)) kept.add(at)
  }
  return nodes.filter(({ path }) => kept.has(path))
}

/** What a key does in the tree: WAI-ARIA's pattern of tree views. */
export function afterKey(
  key: string,
  rows: readonly TreeNode[],
  at: number,
  open: ReadonlySet<string>,
): { readonly at?: number; readonly toggle?: string } | undefined {
  const node = rows[at]
  if (node === undefined) return undefined
  const isOpen = open.has(node.path)
  switch (key) {
    case 'ArrowDown':
      return { at: Math.min(at + 1, rows.length - 1) }
    case 'ArrowUp':
      return { at: Math.max(at - 1, 0) }
    case 'Home':
      return { at: 0 }
    case 'End':
      return { at: rows.length - 1 }
    case 'ArrowRight':
      if (!node.hasChildren) return undefined
      return isOpen ? { at: Math.min(at + 1, rows.length - 1) } : { toggle: node.path }
    case 'ArrowLeft':
      if (node.hasChildren && isOpen) return { toggle: node.path }
      return {
        at: Math.max(
          0,
          rows.findIndex(({ path }) => path === parentOf(node.path)),
        ),
      }
    default:
      return undefined
  }
}
