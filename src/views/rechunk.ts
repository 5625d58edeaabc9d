import { VirtualZarrError } from '../errors.ts'
import type { Member, SkippedArray, VirtualArray, VirtualNode } from '../model/virtual-store.ts'
import { dimensionLengths, unknownDimension } from './select.ts'
import { rechunked } from './window.ts'

/** Most chunks of the source that one chunk of a view may be made of. */
export const MOST_SOURCE_CHUNKS = 16_384

/**
 * Another chunk grid along some dimensions: of every array that has them but for the coordinates named after them, which clients
 * read whole anyway. Where the grid is the source's, nothing changes and its chunks pass as they are.
 */
export function withChunks(root: VirtualNode, lengths: ReadonlyMap<string, number>): VirtualNode {
  const known = dimensionLengths(root)
  for (const name of lengths.keys()) if (!known.has(name)) throw unknownDimension('chunks', name, known)
  const changed = changedMember(root, '', lengths)
  if (changed.kind !== 'skipped') return changed
  throw new VirtualZarrError(changed.code, changed.reason, { option: 'chunks' })
}

function changedMember(member: Member, name: string, lengths: ReadonlyMap<string, number>): Member {
  if (member.kind === 'skipped') return member
  if (member.kind === 'array') return changedArray(member, name, lengths)
  const members = new Map<string, Member>()
  for (const [below, inner] of member.members) members.set(below, changedMember(inner, below, lengths))
  return { ...member, members }
}

function changedArray(
  array: VirtualArray,
  name: string,
  lengths: ReadonlyMap<string, number>,
): VirtualArray | SkippedArray {
  const { shape, chunkShape, dimensionNames = [] } = array
  const isCoordinate = shape.length === 1 && dimensionNames[0] === name
  const within = (length: number, axis: number) => Math.min(length, Math.max(1, shape[axis] ?? 1))
  const wanted = chunkShape.map((length, axis) => {
    const asked = lengths.get(dimensionNames[axis] ?? '')
    return asked === undefined ? length : within(asked, axis)
  })
  const isSame = wanted.every((length, axis) => {
    const own = chunkShape[axis] ?? 1
    const asked = lengths.get(dimensionNames[axis] ?? '') ?? own
    // A part of an array may have chunks that are longer than itself: asked for shorter ones, those are cut.
    return asked < own && shape[axis] !== 0 ? length === own : within(length, axis) === within(own, axis)
  })
  if (isCoordinate || isSame) return array
  const needed = wanted.reduce((product, length, axis) => product * mostTouched(length, chunkShape[axis] ?? 1), 1)
  if (needed <= MOST_SOURCE_CHUNKS) return rechunked(array, wanted)
  const asked = `chunks of ${wanted.join(' x ')} would each be made of up to ${needed} chunks of the source`
  return { kind: 'skipped', code: 'limit-exceeded', reason: `${asked}, at most ${MOST_SOURCE_CHUNKS} are` }
}

/** Chunks that a run of so many points reaches into, wherever on their grid it begins. */
function mostTouched(length: number, chunkLength: number): number {
  return length % chunkLength === 0 ? length / chunkLength : Math.ceil((length - 1) / chunkLength) + 1
}
