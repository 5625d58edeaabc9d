import { multiscaleAttributes } from '../../formats/georeference/conventions.ts'
import type { Diagnostic, Member, VirtualGroup, VirtualNode } from '../../model/virtual-store.ts'
import { joinedPath } from '../names.ts'
import { levelNames, levelOf } from '../place.ts'
import { levelGroups } from './level-groups.ts'
import { planeOf } from './rasters.ts'
import type { Wish } from './reduction.ts'

type Warn = (diagnostic: Diagnostic) => void

/** Overviews of large rasters that lack them, as groups beside what is there (VIEW-3): made when they are asked for. */
export function withPyramid(root: VirtualNode, wish: Wish, warn: Warn): VirtualNode {
  const view = root.kind === 'group' ? pyramidGroup(root, '', wish, warn) : root
  if (view === root) {
    const message = 'no overviews are made: no group has a raster of more than 1024 rows or columns that lacks them'
    warn({ code: 'pyramid-not-needed', message })
  }
  return view
}

function pyramidGroup(group: VirtualGroup, path: string, wish: Wish, warn: Warn): VirtualGroup {
  const known = levelNames(group.attributes)
  const below = new Map<string, Member>()
  for (const [name, member] of group.members) {
    const isLevel = known.includes(name) || member.kind !== 'group'
    below.set(name, isLevel ? member : pyramidGroup(member, joinedPath(path, name), wish, warn))
  }
  const isSame = [...below].every(([name, member]) => group.members.get(name) === member)
  const inner = isSame ? group : { ...group, members: below }
  if (known.length > 1) {
    warn({ code: 'pyramid-stored', message: 'the source has overviews of its own, which are served', path })
    return inner
  }
  return withLevels(inner, known[0], path, wish, warn)
}

/** A root without arrays has its one level in a group (`layout=levels`), others have the image themselves. */
function withLevels(group: VirtualGroup, only: string | undefined, path: string, wish: Wish, warn: Warn): VirtualGroup {
  const member = only === undefined ? undefined : group.members.get(only)
  const full = member?.kind === 'group' ? member : group
  const plane = planeOf(full)
  if (plane === undefined) return group
  const levels = levelGroups(full, plane, only ?? '0', wish, (code, message) => warn({ code, message, path }))
  const taken = levels.map(({ name }) => name).filter((name) => name !== only && group.members.has(name))
  if (taken.length > 0) {
    const message = `overviews would be groups named ${taken.join(', ')}, which are there already`
    warn({ code: 'pyramid-not-made', message, path })
    return group
  }
  const { dimensions, code } = plane.place
  const told = levels.map(({ name, place }) => ({ ...levelOf(name, place), step: 2 }))
  const conventions = multiscaleAttributes({ levels: told, dimensions, code })
  const replaced = new Set(conventions.map(([name]) => name))
  const own = [...group.attributes].filter(([name]) => !replaced.has(name))
  const groups = levels.map((level): [string, Member] => [level.name, level.group])
  return { ...group, attributes: new Map([...conventions, ...own]), members: new Map([...group.members, ...groups]) }
}
