import { overLimit } from '../errors.ts'
import type { ChunkRef } from '../model/chunk-ref.ts'
import type { DeliveryWorld } from './delivery.ts'
import { gather } from './gather.ts'
import { MOST_STORED_BYTES } from './limits.ts'
import { type RangedRef, rangesOf, storedLength } from './stored-bytes.ts'

/** A chunk whose length is known before it is read. */
export type PlacedRef = RangedRef | Extract<ChunkRef, { readonly kind: 'inline' }>

/** All stored bytes of a chunk in memory. */
export async function storedBytes(ref: PlacedRef, world: DeliveryWorld, signal?: AbortSignal): Promise<Uint8Array> {
  if (ref.kind === 'inline') return ref.bytes
  const length = storedLength(ref)
  if (length > MOST_STORED_BYTES) {
    throw overLimit(`a stored chunk is ${length} bytes long, at most ${MOST_STORED_BYTES} are recoded`)
  }
  const source = await world.source(ref.source, signal)
  if (ref.kind === 'range') {
    const stored = await source.read(ref, { signal })
    return ref.prefix === undefined ? stored : joined(ref.prefix, stored)
  }
  const bytes = new Uint8Array(length)
  await gather(source, rangesOf(ref, { offset: 0, length }), bytes, signal)
  return bytes
}

function joined(prefix: Uint8Array, stored: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(prefix.length + stored.length)
  bytes.set(prefix)
  bytes.set(stored, prefix.length)
  return bytes
}
