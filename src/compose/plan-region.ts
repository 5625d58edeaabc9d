import { overLimit } from '../errors.ts'
import { inParallel, READS_AT_ONCE } from '../in-parallel.ts'
import { type ChunkIndex, gridCoordinates } from '../model/chunk-index.ts'
import type { ChunkRef } from '../model/chunk-ref.ts'
import { type DataType, type Scalar, zeroOf } from '../model/data-type.ts'
import { scalarToBytes } from '../model/scalar-bytes.ts'
import { elementCount } from '../model/shape.ts'
import type { Overlay, StoredPart, VirtualArray } from '../model/virtual-store.ts'
import { type Coding, type Codings, insideOf, storedShapeOf } from './coding.ts'
import { MAX_CHUNKS_COMPOSED } from './limits.ts'
import { type CanvasProgram, type Layer, layersWithChunks, type Program, type RegionLayer } from './program.ts'
import { finerRegion, lastAxes, movedBy, type Region, regionOfChunk, regionWithin } from './region.ts'

/** A chunk that a region is composed of. */
export interface RegionChunk {
  readonly array: VirtualArray
  readonly coords: readonly number[]
  /** Where it is stored; a chunk that is computed first has no bytes of its own. */
  readonly ref: StoredChunkRef | ComputedRef
  readonly coding: Coding
  readonly storedShape: readonly number[]
  readonly inside?: readonly number[] | undefined
  /** The member of a join that its references count from. */
  readonly file: number | undefined
}

export type StoredChunkRef = Exclude<ChunkRef, { readonly kind: 'missing' | 'assembled' | 'part' }>

/** A chunk whose elements others are made of: of an array that is composed itself, or `stored` by codecs that read their source again. */
export interface ComputedRef {
  readonly kind: 'computed'
  readonly stored: StoredChunkRef | undefined
}

/** What planning needs. */
export interface Planning {
  readonly codings: Codings
  readonly signal: AbortSignal | undefined
}

/** How a chunk of an array is composed. Reads indexes, and no values. */
export async function planChunk(
  array: VirtualArray,
  coords: readonly number[],
  planning: Planning,
): Promise<Program<RegionChunk>> {
  const region = regionOfChunk(array, coords)
  const { fillValue, dataType, masked, reduced } = array
  const layout = { shape: array.chunkShape, dataType }
  if (masked !== undefined) {
    const { values, mask } = masked
    const over = await planRegion(mask, lastAxes(region, mask.shape.length), planning)
    // What nobody wrote of a mask says that nothing is valid.
    const zero = { ...over, fillValue: zeroOf(mask.dataType) }
    return { kind: 'mask', layout, fillValue, values: await planRegion(values, region, planning), mask: zero }
  }
  if (reduced !== undefined) {
    const { values, factors, reduction } = reduced
    const of = await planRegion(values, finerRegion(region, factors, values.shape), planning)
    return { kind: 'coarsen', layout, fillValue, of, factors, reduction }
  }
  return await planRegion(array, region, planning)
}

/** How a region of an array is composed of chunks: stored ones, and those of arrays that are computed chunk by chunk. */
async function planRegion(
  array: VirtualArray,
  region: Region,
  planning: Planning,
): Promise<CanvasProgram<RegionChunk>> {
  const { dataType, fillValue } = array
  const layers = await layersOf(array, region, planning)
  return { kind: 'canvas', layout: { shape: region.shape, dataType }, fillValue, layers }
}

async function layersOf(array: VirtualArray, region: Region, planning: Planning): Promise<Layer<RegionChunk>[]> {
  const members = array.stored ?? (await array.joined?.within(region, planning.signal))
  return members === undefined
    ? await chunkLayers(array, region, planning)
    : await memberLayers(array, members, region, planning)
}

/** Chunks of one array, stored or computed. */
async function chunkLayers(array: VirtualArray, region: Region, planning: Planning): Promise<Layer<RegionChunk>[]> {
  const { chunkShape } = array
  const inside = regionWithin(
    region,
    region.origin.map(() => 0),
    array.shape,
  )
  if (inside === undefined) return []
  const end = inside.origin.map((at, axis) => at + (inside.shape[axis] ?? 0))
  const first = inside.origin.map((at, axis) => Math.floor(at / (chunkShape[axis] ?? 1)))
  const count = end.map((at, axis) => Math.ceil(at / (chunkShape[axis] ?? 1)) - (first[axis] ?? 0))
  const total = elementCount(count)
  if (total > MAX_CHUNKS_COMPOSED) {
    throw overLimit(`a chunk is made of ${total} stored chunks, at most ${MAX_CHUNKS_COMPOSED} are`)
  }
  const all = Array.from({ length: total }, (_, place) =>
    gridCoordinates(place, count).map((at, axis) => at + (first[axis] ?? 0)),
  )
  const refs = await refsAt(array.chunks, all, planning)
  return all.flatMap((coords, place): Layer<RegionChunk>[] => {
    const ref = refs[place]
    if (ref === undefined || ref.kind === 'missing') return []
    const chunk = regionChunk(array, coords, ref, planning)
    const start = coords.map((at, axis) => at * (chunkShape[axis] ?? 1))
    const begin = start.map((at, axis) => Math.max(at, inside.origin[axis] ?? 0))
    const stop = start.map((at, axis) => Math.min(at + (chunk.storedShape[axis] ?? 0), end[axis] ?? 0))
    return [
      {
        kind: 'chunk',
        chunk,
        from: begin.map((at, axis) => at - (start[axis] ?? 0)),
        to: begin.map((at, axis) => at - (region.origin[axis] ?? 0)),
        extent: stop.map((at, axis) => at - (begin[axis] ?? 0)),
      },
    ]
  })
}

/** Where chunks are: parts of their index that are not there yet cost one round, and not a round each. */
function refsAt(chunks: ChunkIndex, all: readonly number[][], { signal }: Planning): Promise<ChunkRef[]> {
  return inParallel(all, READS_AT_ONCE, async (coords) => await chunks.at(coords, signal))
}

/** A chunk that is decoded as it is stored, or computed first. */
function regionChunk(
  array: VirtualArray,
  coords: readonly number[],
  ref: Exclude<ChunkRef, { readonly kind: 'missing' }>,
  { codings }: Planning,
): RegionChunk {
  const own = { array, coords, file: undefined }
  const isStored = ref.kind !== 'assembled' && ref.kind !== 'part'
  if (isStored) {
    const coding = codings.stored(array, ref.encoding)
    const storedShape = storedShapeOf(array, coords)
    if (!coding.readsSource) return { ...own, ref, coding, storedShape, inside: insideOf(array, coords) }
  }
  const stored = isStored ? ref : undefined
  return { ...own, ref: { kind: 'computed', stored }, coding: codings.plain(array), storedShape: array.chunkShape }
}

/** Members one over the other, as far as they reach into the region. */
async function memberLayers(
  array: VirtualArray,
  members: readonly StoredPart[],
  region: Region,
  planning: Planning,
): Promise<Layer<RegionChunk>[]> {
  const layers: Layer<RegionChunk>[] = []
  for (const member of members) {
    const inside = regionWithin(region, member.origin, member.array.shape)
    if (inside === undefined) continue
    const { over, part } = member
    const own =
      over === undefined
        ? await copiedLayers(member, inside, region, planning)
        : await overlaidLayer(member, over, inside, region, planning)
    // What nothing shines through hides what lies below.
    if (over !== undefined && isOpaque(over) && isSameShape(inside.shape, region.shape)) layers.length = 0
    if (layers.length === 0 && own.length === 1 && isUnwritten(own[0], array)) continue
    layers.push(...withFile(own, part))
  }
  return layers
}

/** Layers whose references count from a member of a join, but for those that lie in a member of their own. */
function withFile(layers: readonly Layer<RegionChunk>[], file: number | undefined): readonly Layer<RegionChunk>[] {
  if (file === undefined) return layers
  return layersWithChunks(layers, (layer) => ({ ...layer, chunk: { ...layer.chunk, file: layer.chunk.file ?? file } }))
}

/** The chunks of a member, at their places in the region. */
async function copiedLayers(
  { array, origin }: StoredPart,
  inside: Region,
  region: Region,
  planning: Planning,
): Promise<Layer<RegionChunk>[]> {
  const by = movedBy(inside.origin, origin, region.origin)
  const layers = await layersOf(array, inside, planning)
  return layers.map((layer) => ({ ...layer, to: layer.to.map((at, axis) => at + (by[axis] ?? 0)) }))
}

/** A member that lies over others; nothing where no point of it can be valid. */
async function overlaidLayer(
  { array, origin }: StoredPart,
  { invalid, mask, reversed = [] }: Overlay,
  inside: Region,
  region: Region,
  planning: Planning,
): Promise<RegionLayer<RegionChunk>[]> {
  const { shape } = inside
  const to = movedBy(inside.origin, origin, region.origin)
  const stored = inside.origin.map((at, axis) =>
    reversed.includes(axis) ? (array.shape[axis] ?? 0) - at - (shape[axis] ?? 0) : at,
  )
  const of = await planRegion(array, { origin: stored, shape }, planning)
  if (of.layers.length === 0 && isInvalid(array.fillValue, invalid, array.dataType)) return []
  const layer = { kind: 'region', of, to, invalid, reversed } as const
  if (mask === undefined) return [{ ...layer, mask: undefined }]
  const over = await planRegion(mask, lastAxes({ origin: stored, shape }, mask.shape.length), planning)
  if (over.layers.length === 0 && isSameValue(mask.fillValue, zeroOf(mask.dataType), mask.dataType)) return []
  return [{ ...layer, mask: over }]
}

function isOpaque({ invalid, mask }: Overlay): boolean {
  return invalid.length === 0 && mask === undefined
}

function isSameShape(one: readonly number[], other: readonly number[]): boolean {
  return one.every((length, axis) => length === other[axis])
}

/** Whether a layer has no chunks, and reads as what nobody wrote. */
function isUnwritten(layer: Layer<RegionChunk> | undefined, array: VirtualArray): boolean {
  if (layer?.kind !== 'region' || layer.of.layers.length > 0) return false
  return isSameValue(layer.of.fillValue, array.fillValue, array.dataType)
}

/** Whether a value is one of those that mark points which are not valid. */
function isInvalid(value: Scalar, invalid: readonly Scalar[], type: DataType): boolean {
  return invalid.some((scalar) => isSameValue(value, scalar, type))
}

function isSameValue(one: Scalar, other: Scalar, type: DataType): boolean {
  const [bytes, others] = [scalarToBytes(one, type), scalarToBytes(other, type)]
  return bytes.length === others.length && bytes.every((byte, at) => byte === others[at])
}
