import { spelledBytes } from '../../bytes/text.ts'
import { withTextMembers } from '../../model/characters.ts'
import { ORIGINAL_NAME } from '../../model/original-name.ts'
import { skippedArray } from '../../model/skipped-array.ts'
import type { Diagnostic, Member, VirtualGroup } from '../../model/virtual-store.ts'
import type { GraphObject, GroupObject, ObjectGraph } from './graph.ts'
import type { Link } from './messages/link.ts'
import { variableName } from './netcdf4.ts'

/** What the members of the tree are made of. */
export interface TreeParts {
  readonly graph: ObjectGraph
  /** The array of a dataset; undefined for what is no array (dimensions without a variable). */
  arrayAt(address: number): Member | undefined
  /** Whether characters may be texts along a dimension. */
  readonly isNetcdf: boolean
  /** What external links lead to. */
  readonly external: ReadonlyMap<Link, Member>
  attributesAt(address: number): VirtualGroup['attributes']
  warn(diagnostic: Diagnostic): void
}

/** Deeper groups are listed, not served: documents of such depth would break clients. */
const MOST_DEPTH = 200
/** Nodes that are served a second time, under another link. */
const MOST_ALIASES = 20_000
/** Soft links that lead to soft links. */
const MOST_HOPS = 32

interface Walk {
  readonly parts: TreeParts
  aliases: number
}

/** A group that is being expanded. */
interface Scope {
  readonly path: string
  readonly depth: number
  readonly ancestors: ReadonlySet<number>
  /** Whether it was reached by another link than its first. */
  readonly isAlias: boolean
}

/** The tree of all that links lead to; a group inside of itself is left out. */
export function expandTree(parts: TreeParts): VirtualGroup {
  const { root } = parts.graph
  const scope: Scope = { path: '', depth: 0, ancestors: new Set([root.address]), isAlias: false }
  return expandGroup({ parts, aliases: 0 }, root, scope)
}

function expandGroup(walk: Walk, group: GroupObject, scope: Scope): VirtualGroup {
  const members = new Map<string, Member>()
  const taken = servedNames(walk, group)
  for (const link of group.links) {
    const member = memberOf(walk, group, link, scope)
    if (member === undefined) continue
    const name = variableName(link.name)
    members.set(taken.has(name) ? link.name : name, link.isGuessed ? withOriginalName(member, link.stored) : member)
  }
  const { parts } = walk
  return {
    kind: 'group',
    attributes: parts.attributesAt(group.address),
    members: parts.isNetcdf ? withTextMembers(members) : members,
  }
}

/** The links by whose own names something is served; asked for only where some are renamed. */
function servedNames({ parts }: Walk, { links }: GroupObject): ReadonlySet<string> {
  if (links.every(({ name }) => variableName(name) === name)) return new Set()
  const served = links.filter(({ target }) => {
    const object = target.kind === 'hard' ? parts.graph.objects.get(target.address) : undefined
    return object?.kind !== 'dataset' || parts.arrayAt(object.address) !== undefined
  })
  return new Set(served.map(({ name }) => name))
}

function memberOf(walk: Walk, group: GroupObject, link: Link, scope: Scope): Member | undefined {
  const { graph } = walk.parts
  const path = scope.path === '' ? link.name : `${scope.path}/${link.name}`
  const { target } = link
  switch (target.kind) {
    case 'hard': {
      const object = graph.objects.get(target.address)
      return object === undefined ? undefined : expandObject(walk, object, path, scope)
    }
    case 'soft': {
      const object = objectAt(graph, group, target.path.stored)
      if (object !== undefined) return expandObject(walk, object, path, { ...scope, isAlias: true })
      walk.parts.warn({
        code: 'link-dangling',
        message: `a soft link to ${target.path.text}, which leads nowhere`,
        path,
      })
      return undefined
    }
    case 'external':
      return walk.parts.external.get(link)
    case 'user-defined':
      return { kind: 'skipped', code: 'unsupported-feature', reason: `a user-defined link of type ${target.type}` }
  }
}

function expandObject(walk: Walk, object: GraphObject, path: string, scope: Scope): Member | undefined {
  const { parts } = walk
  switch (object.kind) {
    case 'dataset':
      return parts.arrayAt(object.address)
    case 'datatype':
      return undefined
    case 'broken':
      return skippedArray(object.error)
    case 'group':
      break
  }
  if (scope.ancestors.has(object.address)) {
    parts.warn({ code: 'link-cycle', message: 'a link to a group that it is in: left out', path })
    return undefined
  }
  const isAlias = scope.isAlias || parts.graph.paths.get(object.address) !== path
  if (isAlias) walk.aliases += object.links.length + 1
  if (isAlias && walk.aliases > MOST_ALIASES) {
    parts.warn({ code: 'link-not-followed', message: 'one of very many links to groups that are served already', path })
    return undefined
  }
  if (scope.depth >= MOST_DEPTH) {
    return { kind: 'skipped', code: 'limit-exceeded', reason: `groups within groups, more than ${MOST_DEPTH} deep` }
  }
  const ancestors = new Set(scope.ancestors).add(object.address)
  return expandGroup(walk, object, { path, depth: scope.depth + 1, ancestors, isAlias })
}

/** What the name is in the file, where it had to be guessed. */
function withOriginalName(member: Member, stored: string): Member {
  if (member.kind === 'skipped') return member
  return { ...member, attributes: new Map([...member.attributes, [ORIGINAL_NAME, spelledBytes(stored)]]) }
}

/** Follows the names of a path (as stored), from a group or from the root. */
export function objectAt(graph: ObjectGraph, from: GroupObject, path: string, hops = 0): GraphObject | undefined {
  if (hops > MOST_HOPS) return undefined
  let object: GraphObject | undefined = path.startsWith('/') ? graph.root : from
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue
    if (object?.kind !== 'group') return undefined
    const group: GroupObject = object
    const target = group.links.find((link) => link.stored === name)?.target
    if (target?.kind === 'hard') object = graph.objects.get(target.address)
    else object = target?.kind === 'soft' ? objectAt(graph, group, target.path.stored, hops + 1) : undefined
  }
  return object
}
