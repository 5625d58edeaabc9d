import type { Diagnostic, Member, VirtualArray, VirtualGroup, VirtualNode } from '../model/virtual-store.ts'
import { type DimensionScope, NO_DIMENSIONS, scopeBelow } from './dimension-scope.ts'
import { GroupNaming } from './group-naming.ts'
import { joinedPath } from './names.ts'

type Warn = (diagnostic: Diagnostic) => void

/**
 * Names every dimension (DM-1): never empty, unique within an array, of one length within a group. Missing names are invented by
 * length (DM-3); invented ones also keep clear of those of other length in the groups above, since xarray's DataTree wants a
 * name to have one length on the whole way from the root. Names of the source are not changed for that: they are its own.
 */
export function withDimensionNames(root: VirtualNode, warn: Warn): VirtualNode {
  if (root.kind === 'group') return namedGroup(root, '', NO_DIMENSIONS, warn)
  const naming = new GroupNaming({
    above: NO_DIMENSIONS,
    arrays: [['', root]],
    sharedLengths: true,
    warn,
  })
  const names = naming.sourceNames(root, '')
  return { ...root, dimensionNames: naming.completed(root, names) }
}

function namedGroup(group: VirtualGroup, path: string, above: DimensionScope, warn: Warn): VirtualGroup {
  const arrays = [...group.members].flatMap(([name, member]) =>
    member.kind === 'array' ? [[name, member] as const] : [],
  )
  const naming = new GroupNaming({ above, arrays, sharedLengths: group.lengthsDiffer !== true, warn })
  const partial = new Map<string, readonly (string | null)[]>()
  // Coordinates first: they say how long the dimension of their name is.
  for (const [name, array] of [...arrays].sort((a, b) => rank(a) - rank(b))) {
    partial.set(name, naming.sourceNames(array, joinedPath(path, name)))
  }
  const completed = new Map<string, VirtualArray>()
  for (const [name, array] of arrays) {
    completed.set(name, { ...array, dimensionNames: naming.completed(array, partial.get(name) ?? []) })
  }
  warnOfUnaligned(naming.lengths, above, path, warn)
  const below = scopeBelow(above, naming.lengths)
  const members = new Map<string, Member>()
  for (const [name, member] of group.members) {
    const isGroup = member.kind === 'group'
    const named = isGroup ? namedGroup(member, joinedPath(path, name), below, warn) : completed.get(name)
    members.set(name, named ?? member)
  }
  return { ...group, members }
}

function rank([name, { shape, dimensionNames }]: readonly [string, VirtualArray]): number {
  return shape.length === 1 && dimensionNames?.[0] === name ? 0 : 1
}

function warnOfUnaligned(lengths: ReadonlyMap<string, number>, above: DimensionScope, path: string, warn: Warn): void {
  const names = [...lengths]
    .filter(([name, length]) => (above.lengthOf(name) ?? length) !== length)
    .map(([name]) => name)
  if (names.length === 0) return
  const message = `dimension ${names.join(', ')} has another length than in a group above: open this group by itself`
  warn({ code: 'dimension-not-aligned', message, path, values: names })
}
