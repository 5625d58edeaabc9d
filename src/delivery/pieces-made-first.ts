import { bytesOfBody } from '../bytes/feed.ts'
import { copyBox } from '../codecs/elements.ts'
import { inParallel } from '../in-parallel.ts'
import { itemSize } from '../model/data-type.ts'
import { elementCount } from '../model/shape.ts'
import { insideOf } from './coding.ts'
import type { ChunkRequest, Delivered, DeliveryWorld, StoredPiece } from './delivery.ts'
import { HELD_FOR_DECODED } from './limits.ts'
import { partWorld } from './part-world.ts'
import type { MadeRef, Placed } from './placed-chunks.ts'
import { type ReadablePlaced, storedOf } from './read-pieces.ts'

/** Brings any chunk to the wire. */
export type DeliverChunk = (request: ChunkRequest, world: DeliveryWorld) => Promise<Delivered>

/** Each may wait for a level below it, whose chunks do likewise. */
const MADE_AT_ONCE = 2
/** Neighbours in a file become one read when they are asked for together. */
const CUT_AT_ONCE = 16

/**
 * Pieces that are chunks made by themselves, or cut from chunks of which the neighbours need other parts: those are decoded once for
 * all of them. They are made before the chunk takes its own room, and hold room only while they are. Undefined for what was never
 * written.
 */
export async function piecesMadeFirst(
  leaves: readonly Placed[],
  request: ChunkRequest,
  world: DeliveryWorld,
  deliverChunk: DeliverChunk,
  signal: AbortSignal | undefined,
): Promise<Map<Placed, StoredPiece | undefined>> {
  const pieces = new Map<Placed, StoredPiece | undefined>()
  await inParallel(leaves.filter(isMade), MADE_AT_ONCE, async (leaf) => {
    pieces.set(leaf, await madePiece(leaf, request, world, deliverChunk, signal))
  })
  await inParallel(leaves.filter(isCut), CUT_AT_ONCE, async (leaf) => {
    pieces.set(leaf, await cutPiece(leaf, await partWorld(world, leaf.part), signal))
  })
  return pieces
}

type MadeLeaf = Placed & { readonly ref: MadeRef }

function isMade(leaf: Placed): leaf is MadeLeaf {
  return leaf.ref.kind === 'made'
}

async function madePiece(
  { ref, chunk, part, ...piece }: MadeLeaf,
  { versions = '', hasObjects }: ChunkRequest,
  world: DeliveryWorld,
  deliverChunk: DeliverChunk,
  signal: AbortSignal | undefined,
): Promise<StoredPiece | undefined> {
  const inner = await partWorld(world, part)
  const name = inner.codings.nameOf(inner.codings.target(chunk.array, ref.plan))
  const cacheKey = `${name} ${versions} ${chunk.coords.join('.')}`
  const wanted = { ...chunk, plan: ref.plan, ref: ref.ref, cacheKey, versions, hasObjects, signal }
  const delivered = await deliverChunk(wanted, inner)
  if (delivered.kind !== 'chunk' || delivered.body === undefined) return undefined
  return { ...piece, stored: await bytesOfBody(delivered.body, delivered.length) }
}

/** Whether a stored chunk has more in the array than what is taken of it. */
function isCut(leaf: Placed): leaf is ReadablePlaced {
  const { ref, chunk, extent, storedShape } = leaf
  if (ref.kind === 'made' || ref.kind === 'object' || ref.kind === 'inline') return false
  if (itemSize(chunk.array.dataType) === undefined) return false
  const inside = insideOf(chunk.array, chunk.coords) ?? storedShape
  return extent.some((length, axis) => length < (inside[axis] ?? 0))
}

async function cutPiece(
  { ref, chunk, part: _part, ...piece }: ReadablePlaced,
  world: DeliveryWorld,
  signal: AbortSignal | undefined,
): Promise<StoredPiece | undefined> {
  const { array, coords } = chunk
  const { coding, storedShape, extent } = piece
  const target = world.codings.plain(array)
  const make = (waited: AbortSignal) =>
    world.room(
      HELD_FOR_DECODED * target.decodedBytes,
      async () => {
        const stored = await storedOf(ref, chunk, world, waited)
        if (stored === undefined) return new Uint8Array(0)
        const origin = storedShape.map(() => 0)
        const whole = {
          stored,
          coding,
          storedShape,
          inside: piece.inside,
          from: origin,
          to: origin,
          extent: storedShape,
        }
        return await world.workers.run({ kind: 'assemble', pieces: [whole], target }, waited)
      },
      waited,
    )
  const bytes = await world.decoded(`${world.codings.nameOf(target)} ${coords.join('.')}`, make, signal)
  if (bytes.length === 0) return undefined
  const size = itemSize(array.dataType) ?? 1
  const cut = { kind: 'fixed', bytes: new Uint8Array(elementCount(extent) * size) } as const
  const origin = extent.map(() => 0)
  copyBox({ kind: 'fixed', bytes }, array.chunkShape, cut, extent, { from: piece.from, to: origin, extent }, size)
  return { stored: cut.bytes, coding: target, storedShape: extent, from: origin, to: piece.to, extent }
}
