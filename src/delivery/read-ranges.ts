import { overLimit } from '../errors.ts'
import type { ChunkRef } from '../model/chunk-ref.ts'
import type { DeliveryWorld } from './delivery.ts'
import { gather } from './gather.ts'
import { MOST_STORED_BYTES } from './limits.ts'

type RangeRef = Extract<ChunkRef, { readonly kind: 'range' }>

/**
 * Stored chunks that are one range each, read together: those that lie close to each other cost one read. By their place in
 * the list; others, and those that are alone in their source, are left to be read by themselves.
 */
export async function readRanges(
  refs: readonly ChunkRef[],
  world: DeliveryWorld,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<number, Uint8Array>> {
  const found = new Map<number, Uint8Array>()
  const placed = [...refs.entries()].filter((entry): entry is [number, RangeRef] => entry[1].kind === 'range')
  for (const [index, group] of Map.groupBy(placed, ([, ref]) => ref.source)) {
    if (group.length < 2) continue
    const sorted = group.toSorted(([, one], [, other]) => one.offset - other.offset)
    const total = sorted.reduce((sum, [, { length }]) => sum + length, 0)
    if (total > MOST_STORED_BYTES)
      throw overLimit(`a chunk is made of ${total} stored bytes, at most ${MOST_STORED_BYTES} are`)
    const bytes = new Uint8Array(total)
    await gather(
      await world.source(index, signal),
      sorted.map(([, ref]) => ref),
      bytes,
      signal,
    )
    let at = 0
    for (const [place, { length }] of sorted) {
      found.set(place, bytes.subarray(at, at + length))
      at += length
    }
  }
  return found
}
