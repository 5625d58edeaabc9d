import { overLimit } from '../errors.ts'
import { inParallel, READS_AT_ONCE } from '../in-parallel.ts'
import { gridCoordinates } from '../model/chunk-index.ts'
import type { ChunkRef } from '../model/chunk-ref.ts'
import { elementCount } from '../model/shape.ts'
import type { ComposedArray, StoredArray, VirtualArray } from '../model/virtual-store.ts'
import { insideOf, storedShapeOf } from './coding.ts'
import type { StoredChunkRef } from './found-chunk.ts'
import { MAX_CHUNKS_COMPOSED } from './limits.ts'
import { rulesOf } from './operations.ts'
import { type ComputedRegionChunk, canvasOf, type LayersOf, type Planning, type RegionChunk } from './planning.ts'
import type { ChunkLayer, Layer, Program } from './program.ts'
import { type Region, regionOfChunk, regionWithin } from './region.ts'

/** How a chunk of an array is composed. Reads indexes, and no values. */
export async function planChunk(
  array: VirtualArray,
  coords: readonly number[],
  planning: Planning,
): Promise<Program<RegionChunk>> {
  const region = regionOfChunk(array, coords)
  const program =
    array.operation === undefined ? undefined : rulesOf(array).program?.(array, region, layersOf, planning)
  return await (program ?? canvasOf(array, region, layersOf, planning))
}

/** The layers of a region: chunks that are stored, and chunks of arrays that are computed chunk by chunk. */
const layersOf: LayersOf = async (array, region, planning) => {
  if (array.operation === undefined) return await storedLayers(array, region, planning)
  const layers = rulesOf(array).layers?.(array, region, layersOf, planning)
  return layers === undefined ? computedLayers(array, region, planning) : await layers
}

async function storedLayers(
  array: StoredArray,
  region: Region,
  { codings, signal }: Planning,
): Promise<Layer<RegionChunk>[]> {
  const touched = touchedChunks(array, region)
  // Parts of the index that are not there yet cost one round, and not a round each.
  const refs = await inParallel(
    touched,
    READS_AT_ONCE,
    async (coords): Promise<ChunkRef> => await array.chunks.at(coords, signal),
  )
  return touched.flatMap((coords, place): Layer<RegionChunk>[] => {
    const ref = refs[place]
    if (ref === undefined || ref.kind === 'missing') return []
    return [layerOf(storedChunk(array, coords, ref, codings), region)]
  })
}

/** A chunk that is decoded as it is stored; one whose bytes only point at its content is computed first. */
function storedChunk(
  array: StoredArray,
  coords: readonly number[],
  ref: StoredChunkRef,
  codings: Planning['codings'],
): RegionChunk {
  const coding = codings.stored(array, ref.encoding)
  if (coding.readsSource) return computedChunk(array, coords, codings, { array, ref })
  const shapes = { storedShape: storedShapeOf(array, coords), inside: insideOf(array, coords) }
  return { kind: 'stored', array, coords, ref, coding, ...shapes, file: undefined }
}

function computedLayers(array: ComposedArray, region: Region, { codings }: Planning): Layer<RegionChunk>[] {
  return touchedChunks(array, region).map((coords) => layerOf(computedChunk(array, coords, codings), region))
}

function computedChunk(
  array: VirtualArray,
  coords: readonly number[],
  codings: Planning['codings'],
  stored?: ComputedRegionChunk['stored'],
): RegionChunk {
  const coding = codings.plain(array)
  const own = { array, coords, coding, storedShape: array.chunkShape, file: undefined }
  return { kind: 'computed', ...own, stored }
}

/** The chunks of an array that reach into a region, as far as that lies in the array. */
function touchedChunks({ shape, chunkShape }: VirtualArray, region: Region): readonly (readonly number[])[] {
  const inside = regionWithin(region, origins(shape), shape)
  if (inside === undefined) return []
  const first = inside.origin.map((at, axis) => Math.floor(at / (chunkShape[axis] ?? 1)))
  const count = inside.origin.map((at, axis) => {
    const end = at + (inside.shape[axis] ?? 0)
    return Math.ceil(end / (chunkShape[axis] ?? 1)) - (first[axis] ?? 0)
  })
  const total = elementCount(count)
  if (total > MAX_CHUNKS_COMPOSED) {
    throw overLimit(`a chunk is made of ${total} stored chunks, at most ${MAX_CHUNKS_COMPOSED} are`)
  }
  return Array.from({ length: total }, (_, place) =>
    gridCoordinates(place, count).map((at, axis) => at + (first[axis] ?? 0)),
  )
}

/** The box of a chunk that lies in a region, and where it goes there. */
function layerOf(chunk: RegionChunk, region: Region): ChunkLayer<RegionChunk> {
  const { array, coords, storedShape } = chunk
  const start = coords.map((at, axis) => at * (array.chunkShape[axis] ?? 1))
  const begin = start.map((at, axis) => Math.max(at, region.origin[axis] ?? 0))
  const end = start.map((at, axis) => {
    const endOfRegion = Math.min((region.origin[axis] ?? 0) + (region.shape[axis] ?? 0), array.shape[axis] ?? 0)
    return Math.min(at + (storedShape[axis] ?? 0), endOfRegion)
  })
  return {
    kind: 'chunk',
    chunk,
    from: begin.map((at, axis) => at - (start[axis] ?? 0)),
    to: begin.map((at, axis) => at - (region.origin[axis] ?? 0)),
    extent: end.map((at, axis) => at - (begin[axis] ?? 0)),
  }
}

function origins(shape: readonly number[]): number[] {
  return shape.map(() => 0)
}
