import { overLimit, unsupported } from '../errors.ts'
import { gridCoordinates } from '../model/chunk-index.ts'
import type { ChunkRef } from '../model/chunk-ref.ts'
import { elementCount } from '../model/shape.ts'
import type { Box, StoredPart, VirtualArray } from '../model/virtual-store.ts'
import { type Coding, type Codings, storedShapeOf } from './coding.ts'
import type { StoredPiece } from './delivery.ts'
import { MOST_ASSEMBLED_CHUNKS } from './limits.ts'
import type { GridChunk } from './open-object.ts'

/** One stored chunk that reaches into the region. */
export interface Placed extends Omit<StoredPiece, 'stored'> {
  readonly ref: Exclude<ChunkRef, { readonly kind: 'missing' | 'assembled' | 'part' }>
  readonly chunk: GridChunk
  /** The source of a join that it lies in. */
  readonly part: number | undefined
}

/** The stored chunks that reach into a region of an array. */
export async function placedChunks(
  array: VirtualArray,
  region: Box,
  codings: Codings,
  signal: AbortSignal | undefined,
): Promise<Placed[]> {
  const parts = array.stored ?? (await array.joined?.within(region, signal))
  if (parts === undefined) {
    return await chunksOf({ array, origin: region.origin.map(() => 0) }, region, codings, signal)
  }
  const placed: Placed[] = []
  for (const part of parts) {
    const chunks = await chunksOf(part, region, codings, signal)
    placed.push(...chunks.map((chunk) => ({ ...chunk, part: chunk.part ?? part.part })))
  }
  return placed
}

/** The stored chunks of one part that reach into the region. */
async function chunksOf(
  part: StoredPart,
  region: Box,
  codings: Codings,
  signal: AbortSignal | undefined,
): Promise<Placed[]> {
  const { array } = part
  // Bounds of the region in the part's own coordinates.
  const low = region.origin.map((at, axis) => Math.max(at - (part.origin[axis] ?? 0), 0))
  const high = region.origin.map((at, axis) =>
    Math.min(at + (region.shape[axis] ?? 0) - (part.origin[axis] ?? 0), array.shape[axis] ?? 0),
  )
  if (low.some((at, axis) => at >= (high[axis] ?? 0))) return []
  if ((array.stored ?? array.joined) !== undefined)
    return await nestedChunks(part, region, { low, high }, codings, signal)
  const first = low.map((at, axis) => Math.floor(at / (array.chunkShape[axis] ?? 1)))
  const count = high.map((at, axis) => Math.ceil(at / (array.chunkShape[axis] ?? 1)) - (first[axis] ?? 0))
  const total = elementCount(count)
  if (total > MOST_ASSEMBLED_CHUNKS) {
    throw overLimit(`a chunk is made of ${total} stored chunks, at most ${MOST_ASSEMBLED_CHUNKS} are`)
  }
  const placed: Placed[] = []
  for (let place = 0; place < total; place++) {
    const coords = gridCoordinates(place, count).map((at, axis) => at + (first[axis] ?? 0))
    const ref = await array.chunks.at(coords, signal)
    if (ref.kind === 'missing') continue
    if (ref.kind === 'assembled' || ref.kind === 'part')
      throw unsupported('assembled chunks', 'an array of assembled chunks names no parts')
    placed.push({
      ref,
      chunk: { array, coords },
      part: undefined,
      ...placeOf(part, region, coords, { low, high }),
      coding: codingOf(array, ref.encoding, codings),
    })
  }
  return placed
}

/** A part that is assembled itself: its chunks move along with it. */
async function nestedChunks(
  { array, origin }: StoredPart,
  region: Box,
  { low, high }: Bounds,
  codings: Codings,
  signal: AbortSignal | undefined,
): Promise<Placed[]> {
  const shape = low.map((at, axis) => (high[axis] ?? 0) - at)
  const moved = low.map((at, axis) => at + (origin[axis] ?? 0) - (region.origin[axis] ?? 0))
  const inner = await placedChunks(array, { origin: low, shape }, codings, signal)
  return inner.map((placed) => ({ ...placed, to: placed.to.map((at, axis) => at + (moved[axis] ?? 0)) }))
}

/** Bounds of a region in the coordinates of one part. */
interface Bounds {
  readonly low: readonly number[]
  readonly high: readonly number[]
}

function codingOf(array: VirtualArray, encoding: number, codings: Codings): Coding {
  const coding = codings.stored(array, encoding)
  if (!coding.readsSource) return coding
  throw unsupported('assembled references', 'chunks whose bytes point elsewhere are not served on another grid')
}

/** Which box of a stored chunk goes where in the region. */
function placeOf({ array, origin }: StoredPart, region: Box, coords: readonly number[], { low, high }: Bounds) {
  const starts = coords.map((at, axis) => at * (array.chunkShape[axis] ?? 1))
  const storedShape = storedShapeOf(array, coords)
  const begin = starts.map((start, axis) => Math.max(start, low[axis] ?? 0))
  const end = starts.map((start, axis) => Math.min(start + (storedShape[axis] ?? 0), high[axis] ?? 0))
  return {
    storedShape,
    from: begin.map((at, axis) => at - (starts[axis] ?? 0)),
    to: begin.map((at, axis) => at + (origin[axis] ?? 0) - (region.origin[axis] ?? 0)),
    extent: end.map((at, axis) => at - (begin[axis] ?? 0)),
  }
}
