import { overLimit } from '../errors.ts'
import { inParallel } from '../in-parallel.ts'
import type { ChunkRef } from '../model/chunk-ref.ts'
import type { DeliveryWorld, StoredPiece } from './delivery.ts'
import { gather } from './gather.ts'
import { MOST_STORED_BYTES, PARALLEL_READS } from './limits.ts'
import { type GridChunk, openObject } from './open-object.ts'
import { partWorld } from './part-world.ts'
import type { MadeRef, Placed } from './placed-chunks.ts'
import { prefixed, storedBytes } from './stored.ts'

/** One that is read, and not made first. */
export type ReadablePlaced = Placed & { readonly ref: Exclude<Placed['ref'], MadeRef> }

/** Reads the stored chunks, a few at a time; objects that don't exist were never written, and are not among them. */
export async function readPieces(
  placed: readonly ReadablePlaced[],
  world: DeliveryWorld,
  signal?: AbortSignal,
): Promise<Map<Placed, StoredPiece>> {
  const ranges = new Map<number, Uint8Array>()
  for (const [part, group] of Map.groupBy(placed.entries(), ([, piece]) => piece.part)) {
    const refs = group.map(([, { ref }]) => ref)
    const found = await readRanges(refs, await partWorld(world, part), signal)
    for (const [at, bytes] of found) ranges.set(group[at]?.[0] ?? -1, bytes)
  }
  let held = 0
  const read = new Map<Placed, StoredPiece>()
  await inParallel(placed, PARALLEL_READS, async (leaf, place) => {
    const { ref, chunk, part, ...piece } = leaf
    const own = await partWorld(world, part)
    const stored = ranges.get(place) ?? (await storedOf(ref, chunk, own, signal))
    if (stored === undefined) return
    held += stored.length
    if (held > MOST_STORED_BYTES) throw overLimit(`a chunk is made of more than ${MOST_STORED_BYTES} stored bytes`)
    read.set(leaf, { ...piece, stored, file: part === undefined ? undefined : own.file })
  })
  return read
}

/** The stored bytes of a chunk; undefined for an object that doesn't exist. */
export async function storedOf(
  ref: ReadablePlaced['ref'],
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
 * Stored chunks that are one range each, read together: those that lie close to each other cost one read. By their place in
 * the list; others, and those that are alone in their source, are left to be read by themselves.
 */
async function readRanges(
  refs: readonly ChunkRef[],
  world: DeliveryWorld,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<number, Uint8Array>> {
  const found = new Map<number, Uint8Array>()
  // One of many objects holds no other chunk.
  const isShared = (ref: ChunkRef) => ref.kind === 'range' && ref.key === undefined
  const placed = [...refs.entries()].filter((entry): entry is [number, RangeRef] => isShared(entry[1]))
  for (const [index, group] of Map.groupBy(placed, ([, ref]) => ref.source)) {
    if (group.length < 2) continue
    const sorted = group.toSorted(([, one], [, other]) => one.offset - other.offset)
    const total = sorted.reduce((sum, [, { length }]) => sum + length, 0)
    if (total > MOST_STORED_BYTES)
      throw overLimit(`a chunk is made of ${total} stored bytes, at most ${MOST_STORED_BYTES} are`)
    const parts = sorted.map(([, ref]) => ref)
    const bytes = await gather(await world.source(index, signal), parts, total, signal)
    let at = 0
    for (const [place, ref] of sorted) {
      found.set(place, prefixed(ref, bytes.subarray(at, at + ref.length)))
      at += ref.length
    }
  }
  return found
}
