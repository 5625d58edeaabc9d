import type { ChunkRef } from '../model/chunk-ref.ts'
import type { StoredArray, VirtualArray } from '../model/virtual-store.ts'

/** What a chunk of an array is. */
export type FoundChunk =
  | { readonly kind: 'missing' }
  /** A stored chunk as it is: one of this array, or of an array that it is composed of. */
  | StoredChunk
  | { readonly kind: 'composed' }

export interface StoredChunk {
  readonly kind: 'stored'
  readonly array: StoredArray
  readonly coords: readonly number[]
  readonly ref: StoredChunkRef
  /** The member of a join that the reference counts from. */
  readonly file: number | undefined
}

/** Where the bytes of a chunk are. */
export type StoredChunkRef = Exclude<ChunkRef, { readonly kind: 'missing' }>

/** Finds a chunk of an array; operations are given it for the arrays that they are made of. */
export type FindChunk = (
  array: VirtualArray,
  coords: readonly number[],
  signal: AbortSignal | undefined,
) => FoundChunk | Promise<FoundChunk>

export const MISSING: FoundChunk = { kind: 'missing' }
export const COMPOSED: FoundChunk = { kind: 'composed' }

/** The same chunk, whose reference counts from a member of a join: the innermost one says which. */
export function withFile(found: FoundChunk, file: number | undefined): FoundChunk {
  return file === undefined || found.kind !== 'stored' ? found : { ...found, file: found.file ?? file }
}
