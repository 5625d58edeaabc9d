import { ORIGINAL_NAME } from '../model/original-name.ts'
import { type Numbers, uniqueName } from '../model/unique-name.ts'
import type { Attributes, Diagnostic, Member, VirtualGroup, VirtualNode } from '../model/virtual-store.ts'

/**
 * Characters that break clients' URLs or paths (TREE-7), and control characters. Blanks at an end are lost by some:
 * zarrs (OpenDAL) drops those in front, zarrita those behind, and either would then ask for another array.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const FORBIDDEN = /[:#?%/\\\u0000-\u001f\u007f]|^[\s\u0085]+|[\s\u0085]+$/g

/**
 * Gives groups and arrays names that clients can use: forbidden characters become `_`, what is no longer unique gets a number,
 * and the original name is kept in the attribute `virtual_zarr:name`. A part of a tree gets the names that it has in the whole one.
 */
export function withClientNames(
  root: VirtualNode,
  warn: (diagnostic: Diagnostic) => void,
  whole: VirtualNode = root,
): VirtualNode {
  return root.kind === 'array' ? root : renamedGroup(root, whole, '', warn)
}

function renamedGroup(
  group: VirtualGroup,
  whole: Member | undefined,
  path: string,
  warn: (diagnostic: Diagnostic) => void,
): VirtualGroup {
  const members = new Map<string, Member>()
  const all = whole?.kind === 'group' ? whole : group
  const served = servedNames(all)
  for (const [original, member] of group.members) {
    const name = served.get(original) ?? original
    const memberPath = joinedPath(path, name)
    const below = member.kind === 'group' ? renamedGroup(member, all.members.get(original), memberPath, warn) : member
    members.set(name, name === original ? below : withOriginalName(below, original))
    if (name !== original) {
      const message = `${JSON.stringify(original)} is served as ${JSON.stringify(name)}: clients can't use the name`
      warn({ code: 'name-changed', message, path: memberPath })
    }
  }
  return { ...group, members }
}

/** What each member of a group is called for clients, by its name in the source. */
export function servedNames(group: VirtualGroup): ReadonlyMap<string, string> {
  const originals = [...group.members.keys()]
  const numbers: Numbers = new Map()
  // A name that needs no change is never taken by one that does.
  const taken = new Set(originals.filter((name) => clientName(name) === name))
  const served = new Map<string, string>()
  for (const original of originals) {
    const name = clientName(original) === original ? original : uniqueName(clientName(original), taken, numbers)
    taken.add(name)
    served.set(original, name)
  }
  return served
}

/** Finds a member by its name in the source or by the served one; undefined when there is none. */
export type FindName = (group: VirtualGroup, name: string) => string | undefined

/** A finder that works out what a group's members are called once, however many names are asked for. */
export function nameFinder(): FindName {
  const known = new Map<VirtualGroup, ReadonlyMap<string, string>>()
  return (group, name) => {
    if (group.members.has(name)) return name
    let originals = known.get(group)
    if (originals === undefined) {
      originals = new Map([...servedNames(group)].map(([original, served]) => [served, original]))
      known.set(group, originals)
    }
    return originals.get(name)
  }
}

function withOriginalName(member: Member, name: string): Member {
  if (member.kind === 'skipped') return member
  const attributes: Attributes = new Map([...member.attributes, [ORIGINAL_NAME, name]])
  return { ...member, attributes }
}

function clientName(name: string): string {
  const plain = name.toWellFormed().replace(FORBIDDEN, '_').replace(/^__+/, '_')
  // Names of nothing but periods are none in Zarr v3.
  if (/^\.*$/.test(plain)) return '_'
  // It would be read as the document of its parent.
  return plain === 'zarr.json' ? 'zarr_json' : plain
}

/** The path of a member: no leading slash, the root is ''. */
export function joinedPath(group: string, name: string): string {
  return group === '' ? name : `${group}/${name}`
}
