import type { Coding } from '../compose/coding.ts'
import type { StoredChunkRef } from '../compose/found-chunk.ts'
import type { RegionChunk, StoredRegionChunk } from '../compose/planning.ts'
import type { ChunkLayer, ProgramChunk } from '../compose/program.ts'
import { overLimit } from '../errors.ts'
import { inParallel, READS_AT_ONCE } from '../in-parallel.ts'
import type { ChunkRef } from '../model/chunk-ref.ts'
import type { DeliveryWorld } from './delivery.ts'
import { gather } from './gather.ts'
import { MOST_STORED_BYTES } from './limits.ts'
import { memberWorld } from './member-world.ts'
import { type GridChunk, openObject } from './open-object.ts'
import { prefixed, storedBytes } from './stored.ts'

/** The bytes of a chunk, and how a worker decodes them. */
export type ChunkBytes = ProgramChunk<Coding>

/** Where a region needs a chunk that is read, and not computed first. */
export type StoredLayer = ChunkLayer<StoredRegionChunk>

/** Reads stored chunks, a few at a time; objects that don't exist were never written, and are not among them. */
export async function readChunks(
  layers: readonly StoredLayer[],
  world: DeliveryWorld,
  signal: AbortSignal | undefined,
): Promise<Map<ChunkLayer<RegionChunk>, ChunkBytes>> {
  const together = new Map<StoredLayer, Uint8Array>()
  for (const [file, group] of Map.groupBy(layers, ({ chunk }) => chunk.file)) {
    const found = await readTogether(group, await memberWorld(world, file), signal)
    for (const [layer, bytes] of found) together.set(layer, bytes)
  }
  let total = 0
  const read = new Map<ChunkLayer<RegionChunk>, ChunkBytes>()
  await inParallel(layers, READS_AT_ONCE, async (layer) => {
    const { chunk } = layer
    const { coding, storedShape, inside } = chunk
    const own = await memberWorld(world, chunk.file)
    const stored = together.get(layer) ?? (await bytesOfStored(chunk.ref, chunk, own, signal))
    if (stored === undefined) return
    total += stored.length
    if (total > MOST_STORED_BYTES) throw overLimit(`a chunk is made of more than ${MOST_STORED_BYTES} stored bytes`)
    read.set(layer, { stored, coding, storedShape, inside, file: chunk.file === undefined ? undefined : own.file })
  })
  return read
}

/** The stored bytes of a chunk; undefined for an object that doesn't exist. */
export async function bytesOfStored(
  ref: StoredChunkRef,
  chunk: GridChunk,
  world: DeliveryWorld,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  if (ref.kind !== 'object') return await storedBytes(ref, world, signal)
  const object = await openObject(chunk, ref, world, { signal })
  if (object === undefined) return undefined
  const { encoding, source } = ref
  return await storedBytes({ kind: 'opened', object, encoding, source }, world, signal)
}

type RangeRef = Extract<ChunkRef, { readonly kind: 'range' }>

/**
 * Stored chunks that are one range each, read together: those that lie close to each other cost one read. Others, and those that are
 * alone in their source, are left to be read by themselves.
 */
async function readTogether(
  layers: readonly StoredLayer[],
  world: DeliveryWorld,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<StoredLayer, Uint8Array>> {
  const found = new Map<StoredLayer, Uint8Array>()
  const ranges = layers.flatMap((layer): (readonly [StoredLayer, RangeRef])[] => {
    const { ref } = layer.chunk
    // One of many objects holds no other chunk.
    return ref.kind === 'range' && ref.key === undefined ? [[layer, ref]] : []
  })
  for (const [index, group] of Map.groupBy(ranges, ([, ref]) => ref.source)) {
    if (group.length < 2) continue
    const sorted = group.toSorted(([, one], [, other]) => one.offset - other.offset)
    const total = sorted.reduce((sum, [, { length }]) => sum + length, 0)
    if (total > MOST_STORED_BYTES)
      throw overLimit(`a chunk is made of ${total} stored bytes, at most ${MOST_STORED_BYTES} are`)
    const parts = sorted.map(([, ref]) => ref)
    const bytes = await gather(await world.source(index, signal), parts, total, signal)
    let at = 0
    for (const [layer, ref] of sorted) {
      found.set(layer, prefixed(ref, bytes.subarray(at, at + ref.length)))
      at += ref.length
    }
  }
  return found
}
