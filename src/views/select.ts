import { invalidRequest } from '../errors.ts'
import type { Diagnostic, Member, VirtualArray, VirtualGroup, VirtualNode } from '../model/virtual-store.ts'
import { joinedPath } from './names.ts'
import { movedPlace, withMovedTransform } from './select-place.ts'
import { windowOf } from './window.ts'

type Warn = (diagnostic: Diagnostic) => void

/** A part of a dimension: its end is excluded, and is the dimension's own where none is given. */
export interface DimensionRange {
  readonly from: number
  readonly to: number | undefined
}

/** A range with its end, and how long the dimension is that it is a part of. */
interface Selected {
  readonly from: number
  readonly to: number
  readonly length: number
}

/** The ranges that hold in a group, by dimension. */
export type Selection = ReadonlyMap<string, Selected>

/**
 * Only a part of the arrays along some dimensions: of every array that has them, coordinates as well, with what says where they lie.
 * A dimension is as long as it is where it is met first, from the root on; where it has another length nothing is cut.
 */
export function selected(root: VirtualNode, ranges: ReadonlyMap<string, DimensionRange>, warn: Warn): VirtualNode {
  const lengths = dimensionLengths(root)
  const selection = new Map([...ranges].map(([name, range]) => [name, checked(name, range, lengths)] as const))
  return root.kind === 'array' ? selectedArray(root, selection, '', warn) : selectedGroup(root, selection, '', warn)
}

/** The length of every dimension where it is met first, groups before those below them. */
export function dimensionLengths(root: VirtualNode): ReadonlyMap<string, number> {
  const lengths = new Map<string, number>()
  const queue: Member[] = [root]
  for (const node of queue) {
    if (node.kind === 'group') queue.push(...[...node.members.values()].sort((one, other) => rank(one) - rank(other)))
    if (node.kind !== 'array') continue
    for (const [axis, length] of node.shape.entries()) {
      const name = node.dimensionNames?.[axis] ?? ''
      if (!lengths.has(name)) lengths.set(name, length)
    }
  }
  return lengths
}

function rank({ kind }: Member): number {
  return kind === 'array' ? 0 : 1
}

/** Names that an error lists. */
const MOST_LISTED = 20

/** What is told of a dimension that does not exist. */
export function unknownDimension(option: string, name: string, lengths: ReadonlyMap<string, number>): Error {
  const there = [...lengths].slice(0, MOST_LISTED).map(([known, length]) => `${known.slice(0, 100)} (${length})`)
  const listed = there.length === 0 ? 'it has none' : `its dimensions are ${there.join(', ')}`
  const asked = JSON.stringify(name.slice(0, 100))
  return invalidRequest(`option ${option}: the source has no dimension ${asked}; ${listed}`, { option })
}

function checked(name: string, { from, to }: DimensionRange, lengths: ReadonlyMap<string, number>): Selected {
  const length = lengths.get(name)
  if (length === undefined) throw unknownDimension('select', name, lengths)
  const end = to ?? length
  if (from < end && end <= length) return { from, to: end, length }
  const message = `option select: ${name}:${from}..${to ?? ''} is no part of ${name}, allowed: a..b with 0 <= a < b <= ${length}`
  throw invalidRequest(message, { option: 'select' })
}

function selectedGroup(group: VirtualGroup, selection: Selection, path: string, warn: Warn): VirtualGroup {
  const moved = movedPlace(group, selection)
  if (moved.overviews.length > 0) {
    const message = 'overviews are of the whole and not of what is selected: pyramid=auto makes new ones'
    warn({ code: 'overviews-dropped', message, path, values: moved.overviews })
  }
  const members = new Map<string, Member>()
  for (const [name, member] of group.members) {
    if (moved.overviews.includes(name)) continue
    const place = joinedPath(path, name)
    if (member.kind === 'skipped') members.set(name, member)
    else if (member.kind === 'group') members.set(name, selectedGroup(member, selection, place, warn))
    else members.set(name, withMovedTransform(selectedArray(member, selection, place, warn), moved))
  }
  return { ...group, attributes: moved.attributes, members }
}

function selectedArray(array: VirtualArray, selection: Selection, path: string, warn: Warn): VirtualArray {
  const { shape, dimensionNames = [] } = array
  const parts = shape.map((length, axis) => {
    const part = selection.get(dimensionNames[axis] ?? '')
    if (part === undefined || part.length === length) return part
    const name = dimensionNames[axis]
    const message = `select=${name} is of ${part.length}, and not applied where ${name} has the length ${length}`
    warn({ code: 'select-not-applied', message, path })
    return undefined
  })
  if (parts.every((part) => part === undefined)) return array
  const origin = parts.map((part) => part?.from ?? 0)
  return windowOf(array, {
    origin,
    shape: parts.map((part, axis) => (part ? part.to - part.from : (shape[axis] ?? 0))),
  })
}
