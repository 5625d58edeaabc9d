import type { ChunkRef } from '../../../model/chunk-ref.ts'
import { after } from '../../../model/recent-parts.ts'
import type { Member, VirtualArray } from '../../../model/virtual-store.ts'

/** An array as its own file gives it, with references that say which file that is. */
export function inSource(array: VirtualArray, reference: number): VirtualArray {
  const { chunks } = array
  const moved = (ref: ChunkRef): ChunkRef => ('source' in ref ? { ...ref, source: reference } : ref)
  return {
    ...array,
    stored: array.stored?.map((part) => ({ ...part, array: inSource(part.array, reference) })),
    chunks: {
      ...chunks,
      at: (coords, signal) => after(chunks.at(coords, signal), moved),
    },
  }
}

/** The same for all that is in a group. */
export function memberInSource(member: Member, reference: number): Member {
  if (member.kind === 'skipped') return member
  if (member.kind === 'array') return inSource(member, reference)
  const members = [...member.members].map(([name, below]) => [name, memberInSource(below, reference)] as const)
  return { ...member, members: new Map(members) }
}
