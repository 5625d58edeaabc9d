import { overLimit } from '../errors.ts'
import { inParallel } from '../in-parallel.ts'
import type { ChunkRef } from '../model/chunk-ref.ts'
import type { Box, VirtualArray } from '../model/virtual-store.ts'
import type { Coding } from './coding.ts'
import type { ChunkRequest, Delivered, DeliveryWorld, Painting, RecodeTask, StoredPiece } from './delivery.ts'
import { foresee } from './foresee.ts'
import { gather } from './gather.ts'
import { isLayer, leavesOf, withLeaves } from './layers.ts'
import { MOST_STORED_BYTES, PARALLEL_READS } from './limits.ts'
import { heldBytes, made } from './made.ts'
import { type GridChunk, openObject } from './open-object.ts'
import { partWorld } from './part-world.ts'
import { type Placed, type PlacedPiece, placedChunks } from './placed-chunks.ts'
import { prefixed, storedBytes } from './stored.ts'

/** Makes a chunk of an array that isn't stored in such chunks, or that a mask lies over. */
export async function deliverAssembled(request: ChunkRequest, world: DeliveryWorld): Promise<Delivered> {
  const { array, plan, coords, cacheKey, signal } = request
  const { values = array, mask } = array.masked ?? {}
  const { chunkShape: shape } = array
  const origin = shape.map((length, axis) => length * (coords[axis] ?? 0))
  const placedOf = (part: VirtualArray, region: Box) => placedChunks(part, region, world.codings, signal)
  const over = mask === undefined ? [] : await placedOf(mask, lastAxes({ origin, shape }, mask.shape.length))
  // A mask that was never written is zero: the fill value is all there is.
  if (mask !== undefined && over.length === 0) return { kind: 'missing' }
  const placed = await placedOf(values, { origin, shape })
  const all = [...placed, ...over]
  if (all.length === 0) return { kind: 'missing' }
  if (request.headOnly === true)
    for (const { ref, part } of leavesOf(all)) await foresee(ref, await partWorld(world, part), signal)
  const make = async () =>
    await world.room(heldBytes(request, world.codings), async () => {
      const read = await readPieces(leavesOf(all), world)
      const target = world.codings.target(array, plan)
      return await world.workers.run(taskOf(array, target, pieceList(placed, read), pieceList(over, read)))
    })
  // Objects change without the store knowing: what is made of them isn't kept.
  const isKept = leavesOf(all).every(({ ref }) => ref.kind !== 'object')
  return await made(request, world, () => (isKept ? world.recoded(cacheKey, make) : make()))
}

function lastAxes({ origin, shape }: Box, count: number): Box {
  const first = shape.length - count
  return { origin: origin.slice(first), shape: shape.slice(first) }
}

/** What was read of some pieces, and how it is painted where there are layers. */
interface PieceList {
  readonly pieces: readonly StoredPiece[]
  paintingFrom(start: number): Painting
  readonly hasLayers: boolean
}

function pieceList(placed: readonly PlacedPiece[], read: ReadonlyMap<Placed, StoredPiece>): PieceList {
  const leaves = leavesOf(placed).filter((leaf) => read.has(leaf))
  const places = new Map(leaves.map((leaf, place) => [leaf, place]))
  return {
    pieces: leaves.flatMap((leaf) => read.get(leaf) ?? []),
    hasLayers: placed.some(isLayer),
    paintingFrom: (start) =>
      withLeaves<Placed, number>(placed, (leaf) => {
        const place = places.get(leaf)
        return place === undefined ? undefined : start + place
      }),
  }
}

function taskOf({ chunkShape, masked }: VirtualArray, target: Coding, own: PieceList, over: PieceList): RecodeTask {
  const pieces = [...own.pieces, ...over.pieces]
  const isPainted = own.hasLayers || over.hasLayers
  if (masked === undefined)
    return { kind: 'assemble', pieces, target, painting: isPainted ? own.paintingFrom(0) : undefined }
  const { values, mask } = masked
  const painting = { values: own.paintingFrom(0), mask: over.paintingFrom(own.pieces.length) }
  return {
    kind: 'mask',
    pieces,
    target,
    painting: isPainted ? painting : undefined,
    values: { count: own.pieces.length, dataType: values.dataType, fillValue: values.fillValue },
    mask: { shape: chunkShape.slice(chunkShape.length - mask.shape.length), dataType: mask.dataType },
  }
}

/** Reads the stored chunks, a few at a time; objects that don't exist were never written, and are not among them. */
async function readPieces(
  placed: readonly Placed[],
  world: DeliveryWorld,
  signal?: AbortSignal,
): Promise<ReadonlyMap<Placed, StoredPiece>> {
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
    const stored = ranges.get(place) ?? (await storedOf(ref, chunk, await partWorld(world, part), signal))
    if (stored === undefined) return
    held += stored.length
    if (held > MOST_STORED_BYTES) throw overLimit(`a chunk is made of more than ${MOST_STORED_BYTES} stored bytes`)
    read.set(leaf, { ...piece, stored })
  })
  return read
}

async function storedOf(
  ref: Placed['ref'],
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
  const placed = [...refs.entries()].filter((entry): entry is [number, RangeRef] => entry[1].kind === 'range')
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
