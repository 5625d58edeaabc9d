import type { ChunkIndex } from '../../../model/chunk-index.ts'
import type { ChunkRef } from '../../../model/chunk-ref.ts'
import { composedArray, storedArray, withArrays } from '../../../model/composed-array.ts'
import type { Encoding } from '../../../model/encoding.ts'
import { after } from '../../../model/recent-parts.ts'
import { recipe } from '../../../model/recipe.ts'
import type { Member, VirtualArray } from '../../../model/virtual-store.ts'

/** An array as its own file gives it, with references that say which file that is. */
export function inSource(array: VirtualArray, reference: number): VirtualArray {
  const { operation, textFields } = array
  const spec = textFields === undefined ? array : { ...array, textFields: fieldsInSource(textFields, reference) }
  if (operation === undefined)
    return storedArray(spec, { ...array, chunks: chunksInSource({ chunks: array.chunks, reference }) })
  const change = { array: (of: VirtualArray) => inSource(of, reference), encoding: (stored: Encoding) => stored }
  return composedArray(spec, withArrays(operation, change))
}

function fieldsInSource(fields: ReadonlyMap<string, VirtualArray>, reference: number) {
  return new Map([...fields].map(([name, field]) => [name, inSource(field, reference)]))
}

interface OtherChunks {
  readonly chunks: ChunkIndex
  readonly reference: number
}

export const chunksInSource = recipe('hdf5.other-file', ({ chunks, reference }: OtherChunks): ChunkIndex => {
  const { gridShape, isComplete } = chunks
  const moved = (ref: ChunkRef): ChunkRef => ('source' in ref ? { ...ref, source: reference } : ref)
  return {
    gridShape,
    at: (coords, signal) => after(chunks.at(coords, signal), moved),
    ...(isComplete === undefined ? {} : { isComplete: (signal) => isComplete.call(chunks, signal) }),
    weight: () => chunks.weight(),
  }
})

/** The same for all that is in a group. */
export function memberInSource(member: Member, reference: number): Member {
  if (member.kind === 'skipped') return member
  if (member.kind === 'array') return inSource(member, reference)
  const members = [...member.members].map(([name, below]) => [name, memberInSource(below, reference)] as const)
  return { ...member, members: new Map(members) }
}
