import { overLimit } from '../errors.ts'
import { inParallel } from '../in-parallel.ts'
import { type ChunkIndex, gridCoordinates } from '../model/chunk-index.ts'
import type { ChunkRef } from '../model/chunk-ref.ts'
import { type DataType, type Scalar, zeroOf } from '../model/data-type.ts'
import { scalarToBytes } from '../model/scalar-bytes.ts'
import { elementCount } from '../model/shape.ts'
import type { Box, Overlay, StoredPart, VirtualArray } from '../model/virtual-store.ts'
import { type Codings, insideOf, storedShapeOf } from './coding.ts'
import type { DeliveryPlan, Layer, StoredPiece } from './delivery.ts'
import { readIndexAhead } from './index-ahead.ts'
import { withLeaves } from './layers.ts'
import { MOST_ASSEMBLED_CHUNKS, PARALLEL_READS } from './limits.ts'
import type { GridChunk } from './open-object.ts'

/** A chunk that is made before others can be made of it: it has a mask, is an overview's, or its bytes point at others. */
export interface MadeRef {
  readonly kind: 'made'
  readonly ref: ChunkRef
  readonly plan: DeliveryPlan
}

/** One stored chunk that reaches into the region. */
export interface Placed extends Omit<StoredPiece, 'stored'> {
  readonly ref: Exclude<ChunkRef, { readonly kind: 'missing' | 'assembled' | 'part' }> | MadeRef
  readonly chunk: GridChunk
  /** The source of a join that it lies in. */
  readonly part: number | undefined
}

/** What reaches into a region, in the order in which it is painted. */
export type PlacedPiece = Placed | Layer<Placed>

/** What finding them needs. */
export interface Placing {
  readonly codings: Codings
  /** How chunks that are made go out. */
  planOf(array: VirtualArray): DeliveryPlan
  readonly signal: AbortSignal | undefined
}

/** The stored chunks that reach into a region of an array. */
export async function placedChunks(array: VirtualArray, region: Box, placing: Placing): Promise<PlacedPiece[]> {
  const parts = array.stored ?? (await array.joined?.within(region, placing.signal))
  if (parts === undefined) {
    return await chunksOf({ array, origin: region.origin.map(() => 0) }, region, placing)
  }
  const placed: PlacedPiece[] = []
  for (const part of parts) {
    const chunks =
      part.over === undefined ? await chunksOf(part, region, placing) : await layerOf(part, part.over, region, placing)
    // What nothing shines through hides what was painted before.
    if (part.over !== undefined && isOpaque(part.over) && covers(part, region)) placed.length = 0
    const [only] = chunks
    const isNothing =
      placed.length === 0 && only !== undefined && 'pieces' in only && isUnwritten(only, array) && chunks.length === 1
    if (!isNothing) placed.push(...withLeaves(chunks, (chunk) => ({ ...chunk, part: chunk.part ?? part.part })))
  }
  return placed
}

function isOpaque({ invalid, mask }: Overlay): boolean {
  return invalid.length === 0 && mask === undefined
}

/** Whether a part lies under all of a region. */
function covers({ array, origin }: StoredPart, region: Box): boolean {
  return region.origin.every((at, axis) => {
    const from = origin[axis] ?? 0
    return at >= from && at + (region.shape[axis] ?? 0) <= from + (array.shape[axis] ?? 0)
  })
}

/** Whether a value is one of those that mark points which are not valid. */
function isInvalid(value: Scalar, invalid: readonly Scalar[], type: DataType): boolean {
  return invalid.some((scalar) => isSameValue(value, scalar, type))
}

function isSameValue(one: Scalar, other: Scalar, type: DataType): boolean {
  return Buffer.compare(scalarToBytes(one, type), scalarToBytes(other, type)) === 0
}

/** A layer without stored chunks that reads as what nobody wrote. */
function isUnwritten({ pieces, fillValue }: Layer<Placed>, array: VirtualArray): boolean {
  return pieces.length === 0 && isSameValue(fillValue, array.fillValue, array.dataType)
}

/** A part that lies over others, as far as it reaches into the region: nothing where no point of it can be valid. */
async function layerOf(
  part: StoredPart,
  { invalid, mask, reversed = [] }: Overlay,
  region: Box,
  placing: Placing,
): Promise<Layer<Placed>[]> {
  const { array, origin } = part
  const { low, high } = boundsIn(part, region)
  if (low.some((at, axis) => at >= (high[axis] ?? 0))) return []
  const shape = low.map((at, axis) => (high[axis] ?? 0) - at)
  const stored = low.map((at, axis) => (reversed.includes(axis) ? (array.shape[axis] ?? 0) - (high[axis] ?? 0) : at))
  const pieces = await placedChunks(array, { origin: stored, shape }, placing)
  const { fillValue, dataType } = array
  if (pieces.length === 0 && isInvalid(fillValue, invalid, dataType)) return []
  const to = low.map((at, axis) => at + (origin[axis] ?? 0) - (region.origin[axis] ?? 0))
  const layer = { pieces, layout: { shape, dataType }, fillValue, to, invalid, reversed }
  if (mask === undefined) return [{ ...layer, mask: undefined }]
  const first = shape.length - mask.shape.length
  const over = { origin: stored.slice(first), shape: shape.slice(first) }
  const placed = await placedChunks(mask, over, placing)
  const { fillValue: unwritten, dataType: maskType } = mask
  if (placed.length === 0 && isSameValue(unwritten, zeroOf(maskType), maskType)) return []
  return [
    { ...layer, mask: { pieces: placed, layout: { shape: over.shape, dataType: maskType }, fillValue: unwritten } },
  ]
}

/** Bounds of the region in the part's own coordinates, counted from where it begins. */
function boundsIn({ array, origin }: StoredPart, region: Box): Bounds {
  const low = region.origin.map((at, axis) => Math.max(at - (origin[axis] ?? 0), 0))
  const high = region.origin.map((at, axis) =>
    Math.min(at + (region.shape[axis] ?? 0) - (origin[axis] ?? 0), array.shape[axis] ?? 0),
  )
  return { low, high }
}

/** The stored chunks of one part that reach into the region. */
async function chunksOf(part: StoredPart, region: Box, placing: Placing): Promise<PlacedPiece[]> {
  const { array } = part
  const { low, high } = boundsIn(part, region)
  if (low.some((at, axis) => at >= (high[axis] ?? 0))) return []
  if ((array.stored ?? array.joined) !== undefined) return await nestedChunks(part, region, { low, high }, placing)
  const first = low.map((at, axis) => Math.floor(at / (array.chunkShape[axis] ?? 1)))
  const count = high.map((at, axis) => Math.ceil(at / (array.chunkShape[axis] ?? 1)) - (first[axis] ?? 0))
  const total = elementCount(count)
  if (total > MOST_ASSEMBLED_CHUNKS) {
    throw overLimit(`a chunk is made of ${total} stored chunks, at most ${MOST_ASSEMBLED_CHUNKS} are`)
  }
  const all = Array.from({ length: total }, (_, place) =>
    gridCoordinates(place, count).map((at, axis) => at + (first[axis] ?? 0)),
  )
  const refs = await refsAt(array.chunks, all, placing.signal)
  return all.flatMap((coords, place) => {
    const ref = refs[place]
    if (ref === undefined || ref.kind === 'missing') return []
    return [placedChunk(part, coords, ref, region, { low, high }, placing)]
  })
}

/** Where chunks are: parts of their index that are not there yet cost one round, and not a round each. */
function refsAt(chunks: ChunkIndex, all: readonly number[][], signal: AbortSignal | undefined): Promise<ChunkRef[]> {
  return inParallel(all, PARALLEL_READS, async (coords) => {
    const found = chunks.at(coords, signal)
    if (found instanceof Promise) readIndexAhead(chunks, coords, found)
    return await found
  })
}

/** A part that is assembled itself: its chunks move along with it. */
async function nestedChunks(
  { array, origin }: StoredPart,
  region: Box,
  { low, high }: Bounds,
  placing: Placing,
): Promise<PlacedPiece[]> {
  const shape = low.map((at, axis) => (high[axis] ?? 0) - at)
  const moved = low.map((at, axis) => at + (origin[axis] ?? 0) - (region.origin[axis] ?? 0))
  const inner = await placedChunks(array, { origin: low, shape }, placing)
  return inner.map((placed) => ({ ...placed, to: placed.to.map((at, axis) => at + (moved[axis] ?? 0)) }))
}

/** Bounds of a region in the coordinates of one part. */
interface Bounds {
  readonly low: readonly number[]
  readonly high: readonly number[]
}

/** One chunk of a part: as it is stored, or as it is made. */
function placedChunk(
  part: StoredPart,
  coords: readonly number[],
  ref: Exclude<ChunkRef, { readonly kind: 'missing' }>,
  region: Box,
  bounds: Bounds,
  { codings, planOf }: Placing,
): Placed {
  const { array } = part
  const own = { chunk: { array, coords }, part: undefined }
  if (ref.kind !== 'assembled' && ref.kind !== 'part') {
    const coding = codings.stored(array, ref.encoding)
    const place = placeOf(part, region, coords, storedShapeOf(array, coords), bounds)
    if (!coding.readsSource) return { ...own, ...place, inside: insideOf(array, coords), ref, coding }
  }
  const plan = planOf(array)
  const place = placeOf(part, region, coords, array.chunkShape, bounds)
  return { ...own, ...place, ref: { kind: 'made', ref, plan }, coding: codings.target(array, plan) }
}

/** Which box of a stored chunk goes where in the region. */
function placeOf(
  { array, origin }: StoredPart,
  region: Box,
  coords: readonly number[],
  storedShape: readonly number[],
  { low, high }: Bounds,
) {
  const starts = coords.map((at, axis) => at * (array.chunkShape[axis] ?? 1))
  const begin = starts.map((start, axis) => Math.max(start, low[axis] ?? 0))
  const end = starts.map((start, axis) => Math.min(start + (storedShape[axis] ?? 0), high[axis] ?? 0))
  return {
    storedShape,
    from: begin.map((at, axis) => at - (starts[axis] ?? 0)),
    to: begin.map((at, axis) => at + (origin[axis] ?? 0) - (region.origin[axis] ?? 0)),
    extent: end.map((at, axis) => at - (begin[axis] ?? 0)),
  }
}
