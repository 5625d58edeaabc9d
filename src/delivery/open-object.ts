import { VirtualZarrError } from '../errors.ts'
import type { ChunkRef } from '../model/chunk-ref.ts'
import type { StoredArray } from '../model/virtual-store.ts'
import type { ObjectOptions, Source } from '../source/source.ts'
import type { DeliveryWorld } from './delivery.ts'
import { objectCheck } from './object-check.ts'

export type ObjectRef = Extract<ChunkRef, { readonly kind: 'object' }>

/** A chunk of an array by its place in the grid. */
export interface GridChunk {
  readonly array: StoredArray
  readonly coords: readonly number[]
}

/** The object of a chunk, which looks like one; undefined for a chunk that was never written. */
export async function openObject(
  { array, coords }: GridChunk,
  ref: ObjectRef,
  world: Pick<DeliveryWorld, 'object'>,
  options: Omit<ObjectOptions, 'check'>,
): Promise<Source | undefined> {
  const check = objectCheck(array, coords, ref.encoding)
  const object = await world.object(ref.source, ref.key, { ...options, check })
  if (object !== undefined || ref.isRequired !== true) return object
  throw new VirtualZarrError('source-not-found', 'the object that a reference names does not exist')
}
