import { anyText } from '../bytes/text.ts'
import { invalidRequest, VirtualZarrError } from '../errors.ts'
import type { AttributeValue, Member, VirtualArray, VirtualGroup, VirtualNode } from '../model/virtual-store.ts'
import { type FindName, joinedPath, nameFinder, servedNames } from './names.ts'

/** The node at a path, of names as the source or as the store has them, as the root of a store of its own. */
export function subGroup(root: VirtualNode, path: string): VirtualNode {
  const find = nameFinder()
  let node: Member = root
  for (const name of path.split('/').filter((part) => part !== '')) {
    const member: Member | undefined = node.kind === 'group' ? memberOf(node, name, find) : undefined
    if (member === undefined) {
      const there = listed(groupPaths(root, ''), 'groups')
      throw invalidRequest(`the source has no group ${path}; ${there}`, { option: 'group' })
    }
    node = member
  }
  if (node.kind === 'skipped') throw new VirtualZarrError(node.code, node.reason, { path })
  return node
}

function memberOf(group: VirtualGroup, name: string, find: FindName): Member | undefined {
  const original = find(group, name)
  return original === undefined ? undefined : group.members.get(original)
}

function* groupPaths(node: Member, path: string): Generator<string> {
  if (node.kind !== 'group') return
  const served = servedNames(node)
  for (const [name, member] of node.members) {
    if (member.kind !== 'group') continue
    const memberPath = joinedPath(path, served.get(name) ?? name)
    yield memberPath
    yield* groupPaths(member, memberPath)
  }
}

/** Names that a message lists. */
const MOST_LISTED = 20

/** What there is instead, so that nobody must ask again. */
export function listed(paths: Iterable<string>, what: string): string {
  const shown: string[] = []
  for (const path of paths) {
    if (shown.push(path.slice(0, 100)) > MOST_LISTED) break
  }
  if (shown.length === 0) return `it has no ${what}`
  const more = shown.length > MOST_LISTED ? ', …' : ''
  return `its ${what} are ${shown.slice(0, MOST_LISTED).join(', ')}${more}`
}

/**
 * Only these arrays (by path; a group stands for all that is in it), and what they need to be understood: arrays named as one
 * of their dimensions, or by their attributes `coordinates`, `grid_mapping` and `bounds`, found as CF finds them, in the group
 * or above.
 */
export function onlyVariables(root: VirtualNode, names: readonly string[]): VirtualNode {
  if (root.kind === 'array') throw invalidRequest('the source is one array, without variables', { option: 'variables' })
  const kept = new Set<string>()
  const top: Scope = { group: root, path: '' }
  const find = nameFinder()
  const unknown = names.filter((name) => !keep(name.split('/'), [top], find, kept))
  if (unknown.length > 0) {
    const missing = unknown.slice(0, 10).join(', ')
    const there = listed(arrayPaths(root, ''), 'variables')
    throw invalidRequest(`the source has no variable ${missing}; ${there}`, { option: 'variables' })
  }
  return filtered(root, '', kept)
}

/** The paths of all arrays, as they are served. */
export function* arrayPaths(node: VirtualGroup, path: string): Generator<string> {
  const served = servedNames(node)
  for (const [name, member] of node.members) {
    const memberPath = joinedPath(path, served.get(name) ?? name)
    if (member.kind === 'group') yield* arrayPaths(member, memberPath)
    else yield memberPath
  }
}

/** A group on the way down, and where it is. */
interface Scope {
  readonly group: VirtualGroup
  readonly path: string
}

/** Keeps what the names lead to from the innermost scope; false when that is nothing. */
function keep(names: readonly string[], scopes: readonly Scope[], find: FindName, kept: Set<string>): boolean {
  const [asked = '', ...rest] = names
  const inner = scopes.at(-1)
  const name = inner === undefined ? undefined : find(inner.group, asked)
  const member = name === undefined ? undefined : inner?.group.members.get(name)
  if (inner === undefined || name === undefined || member === undefined) return false
  const path = joinedPath(inner.path, name)
  if (rest.length === 0) keepMember(member, path, scopes, kept)
  else return member.kind === 'group' && keep(rest, [...scopes, { group: member, path }], find, kept)
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
  const text = value instanceof Uint8Array ? anyText(value) : value
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
