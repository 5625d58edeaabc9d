import { isVirtualZarrError, malformed } from '../errors.ts'
import type { Box, VirtualArray } from '../model/virtual-store.ts'
import type { Coding } from './coding.ts'
import type {
  ChunkRequest,
  Delivered,
  DeliveryPlan,
  DeliveryWorld,
  Painting,
  RecodeTask,
  StoredPiece,
} from './delivery.ts'
import { foresee } from './foresee.ts'
import { isLayer, leavesOf, withLeaves } from './layers.ts'
import { finerOf, heldBytes, made } from './made.ts'
import { partWorld } from './part-world.ts'
import { type DeliverChunk, piecesMadeFirst } from './pieces-made-first.ts'
import { type Placed, type PlacedPiece, type Placing, placedChunks } from './placed-chunks.ts'
import { type ReadablePlaced, readPieces } from './read-pieces.ts'

/** Makes a chunk of an array that isn't stored in such chunks, that a mask lies over, or whose points are blocks of others. */
export async function deliverAssembled(
  request: ChunkRequest,
  world: DeliveryWorld,
  deliverChunk: DeliverChunk,
): Promise<Delivered> {
  const { array, plan, signal } = request
  const { own, over } = await placedUnder(request, world)
  // A mask that was never written is zero: the fill value is all there is.
  if (own.length + over.length === 0 || (array.masked !== undefined && over.length === 0)) return { kind: 'missing' }
  const leaves = leavesOf([...own, ...over])
  if (request.headOnly === true)
    for (const { ref, part } of leaves)
      if (ref.kind !== 'made') await foresee(ref, await partWorld(world, part), signal)
  // Objects change without the store knowing: what is made of them isn't kept, and is read again, once, where it does not decode.
  const isKept = leaves.every(({ ref }) => ref.kind !== 'object')
  const make = async (waited?: AbortSignal) => {
    const first = await piecesMadeFirst(leaves, request, world, deliverChunk, waited)
    const rest = leaves.filter((leaf): leaf is ReadablePlaced => leaf.ref.kind !== 'made' && !first.has(leaf))
    const finish = async () => {
      const read = await readPieces(rest, world, waited)
      for (const [leaf, piece] of first) if (piece !== undefined) read.set(leaf, piece)
      // Nothing of it was ever written; a layer without chunks may still read as another fill value than the array's.
      if (read.size === 0 && !own.some(isLayer)) return new Uint8Array(0)
      const target = world.codings.target(array, plan)
      return await world.workers.run(taskOf(request, target, pieceList(own, read), pieceList(over, read)), waited)
    }
    const finishAgain = async (error: unknown) => {
      if (isKept || !isVirtualZarrError(error, 'malformed-source')) throw error
      return await finish()
    }
    return await world.room(heldBytes(request, world.codings), () => finish().catch(finishAgain), waited)
  }
  const key = array.reduced === undefined ? request.cacheKey : keyOf(request, world)
  if (isKept && request.hasObjects !== true) return await made(request, world, () => world.recoded(key, make, signal))
  const period = isKept ? periodOf(world) : undefined
  const read = () => (period === undefined ? make(signal) : world.recoded(`${key} ${period}`, make, signal))
  return await made(request, world, read, 'hash')
}

/** What chunks are made of that are made of objects counts as current for as long as all else that is kept; undefined: not at all. */
function periodOf({ freshSeconds }: DeliveryWorld): number | undefined {
  return freshSeconds > 0 ? Math.floor(performance.now() / 1000 / freshSeconds) : undefined
}

/** A level is asked for by clients and by the level above it, under one name. */
function keyOf({ array, plan, coords, versions = '' }: ChunkRequest, { codings }: DeliveryWorld): string {
  return `${codings.nameOf(codings.target(array, plan))} ${versions} ${coords.join('.')}`
}

/** What lies under a chunk, and under its mask. */
export async function placedUnder(
  request: Pick<ChunkRequest, 'array' | 'plan' | 'coords' | 'signal'>,
  { codings }: Pick<DeliveryWorld, 'codings'>,
) {
  const { array, plan, coords, signal } = request
  const placing: Placing = { codings, planOf: (inner) => madePlan(plan, inner), signal }
  const shape = array.chunkShape
  const box = { origin: shape.map((length, axis) => length * (coords[axis] ?? 0)), shape }
  const { values = array, mask } = array.masked ?? {}
  const reduced = finerOf(request)
  if (reduced !== undefined) {
    const { values: finer, factors } = reduced
    return { own: await placedChunks(finer, boxUnder(finer, factors, box), placing), over: [] }
  }
  const over = mask === undefined ? [] : await placedChunks(mask, lastAxes(box, mask.shape.length), placing)
  return { own: await placedChunks(values, box, placing), over }
}

function madePlan({ forMade }: DeliveryPlan, array: VirtualArray): DeliveryPlan {
  if (forMade === undefined) throw malformed('a chunk is made of chunks that are made, in an array that is stored')
  return forMade(array)
}

/** The box of a finer array under one of an overview. */
function boxUnder({ shape }: VirtualArray, factors: readonly number[], box: Box): Box {
  const origin = box.origin.map((at, axis) => at * (factors[axis] ?? 1))
  const lengths = box.shape.map((length, axis) => length * (factors[axis] ?? 1))
  return { origin, shape: lengths.map((length, axis) => Math.min(length, (shape[axis] ?? 0) - (origin[axis] ?? 0))) }
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

function taskOf(request: ChunkRequest, target: Coding, own: PieceList, over: PieceList): RecodeTask {
  const { array, coords } = request
  const { chunkShape, masked } = array
  const reduced = finerOf(request)
  const pieces = [...own.pieces, ...over.pieces]
  const isPainted = own.hasLayers || over.hasLayers
  if (reduced !== undefined) {
    const { values: finer, factors, reduction } = reduced
    const origin = chunkShape.map((length, axis) => length * (coords[axis] ?? 0))
    const { shape } = boxUnder(finer, factors, { origin, shape: chunkShape })
    const values = { layout: { shape, dataType: finer.dataType }, fillValue: finer.fillValue }
    const painting = isPainted ? own.paintingFrom(0) : undefined
    return { kind: 'reduce', pieces, target, painting, values, factors, reduction }
  }
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
