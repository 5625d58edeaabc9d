import { invalidRequest, VirtualZarrError } from '../errors.ts'
import type { AttributeValue, Member, VirtualArray, VirtualGroup, VirtualNode } from '../model/virtual-store.ts'
import { joinedPath } from './paths.ts'

/** The node at a path, as the root of a store of its own; undefined when there is none. */
export function subGroup(root: VirtualNode, path: string): VirtualNode | undefined {
  let node: Member = root
  for (const name of path.split('/').filter((part) => part !== '')) {
    const member: Member | undefined = node.kind === 'group' ? node.members.get(name) : undefined
    if (member === undefined) return undefined
    node = member
  }
  if (node.kind === 'skipped') throw new VirtualZarrError(node.code, node.reason, { path })
  return node
}

/**
 * Only these arrays (by path; a group stands for all that is in it), and what they need to be understood: arrays named as one
 * of their dimensions, or by their attributes `coordinates`, `grid_mapping` and `bounds`, found as CF finds them, in the group
 * or above.
 */
export function onlyVariables(root: VirtualNode, names: readonly string[]): VirtualNode {
  if (root.kind === 'array') throw invalidRequest('the source is one array, without variables', { option: 'variables' })
  const kept = new Set<string>()
  const unknown = names.filter((name) => !keep(root, name.split('/'), '', [], kept))
  if (unknown.length > 0) {
    throw invalidRequest(`the source has no variable ${unknown.slice(0, 10).join(', ')}`, { option: 'variables' })
  }
  return filtered(root, '', kept)
}

/** A group on the way down, and where it is. */
interface Scope {
  readonly group: VirtualGroup
  readonly path: string
}

function keep(
  group: VirtualGroup,
  names: readonly string[],
  path: string,
  scopes: readonly Scope[],
  kept: Set<string>,
): boolean {
  const [name = '', ...rest] = names
  const member = group.members.get(name)
  if (member === undefined) return false
  const inner = [...scopes, { group, path }]
  const memberPath = joinedPath(path, name)
  if (rest.length > 0) return member.kind === 'group' && keep(member, rest, memberPath, inner, kept)
  keepMember(member, memberPath, inner, kept)
  return true
}

function keepMember(member: Member, path: string, scopes: readonly Scope[], kept: Set<string>): void {
  if (kept.has(path)) return
  kept.add(path)
  if (member.kind === 'group') {
    const inner = [...scopes, { group: member, path }]
    for (const [name, below] of member.members) keepMember(below, joinedPath(path, name), inner, kept)
  } else if (member.kind === 'array') {
    for (const name of neededBy(member)) keepNearest(name, scopes, kept)
  }
}

function keepNearest(name: string, scopes: readonly Scope[], kept: Set<string>): void {
  for (let depth = scopes.length - 1; depth >= 0; depth--) {
    const scope = scopes[depth]
    const member = scope?.group.members.get(name)
    if (scope === undefined || member === undefined || member.kind === 'group') continue
    keepMember(member, joinedPath(scope.path, name), scopes.slice(0, depth + 1), kept)
    return
  }
}

function neededBy(array: VirtualArray): readonly string[] {
  const named = ['coordinates', 'grid_mapping', 'bounds'].flatMap((key) => wordsOf(array.attributes.get(key)))
  return [...(array.dimensionNames ?? []).filter((name) => name !== null), ...named]
}

/** Names separated by blanks; the extended `grid_mapping` has a colon after some. */
function wordsOf(value: AttributeValue | undefined): readonly string[] {
  const text = value instanceof Uint8Array ? new TextDecoder().decode(value) : value
  return typeof text === 'string' ? text.split(/[\s:]+/).filter((word) => word !== '') : []
}

function filtered(group: VirtualGroup, path: string, kept: ReadonlySet<string>): VirtualGroup {
  const members = new Map<string, Member>()
  for (const [name, member] of group.members) {
    const memberPath = joinedPath(path, name)
    if (member.kind !== 'group') {
      if (kept.has(memberPath)) members.set(name, member)
      continue
    }
    const below = filtered(member, memberPath, kept)
    if (below.members.size > 0 || kept.has(memberPath)) members.set(name, below)
  }
  return { ...group, members }
}
