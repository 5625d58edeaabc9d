import { inParallel } from '../in-parallel.ts'
import { zeroOf } from '../model/data-type.ts'
import { after } from '../model/recent-parts.ts'
import type {
  Box,
  ConcatOperation,
  MemberOperation,
  Members,
  MosaicOperation,
  OpenMember,
  Overlay,
  VirtualArray,
} from '../model/virtual-store.ts'
import { COMPOSED, MISSING, withFile } from './found-chunk.ts'
import type { Composed, OperationRules } from './operation-rules.ts'
import { canvasOf, type LayersOf, type Planning, type RegionChunk } from './planning.ts'
import { isEmpty, type Layer, layersWithChunks, movedLayers, type RegionLayer } from './program.ts'
import { isSame, lastAxes, type Region, regionOfChunk, regionWithin } from './region.ts'
import { isSameValue } from './same-value.ts'
import { layersBehind } from './window.ts'

/** Members that are opened at the same time for one chunk. */
const OPENED_AT_ONCE = 16

/** An array that all members have alike is read from one of them. */
export const memberRules: OperationRules<MemberOperation> = {
  find: ({ operation: { of, file } }, coords, find, signal) =>
    after(find(of, coords, signal), (found) => withFile(found, file)),
  layers: async ({ operation: { of, file } }, region, layersOf, planning) =>
    layersInFile(
      await layersBehind(
        of,
        of.shape.map(() => 0),
        region,
        layersOf,
        planning,
      ),
      file,
    ),
  below: async ({ operation: { of, file } }, region) => [{ array: of, region, file }],
}

/** Members beside each other, or one over the other. */
const membersRules: OperationRules<ConcatOperation | MosaicOperation> = {
  /** A chunk that lies in one member, under no other, and is one of its chunks is that chunk. */
  find(array, coords, find, signal) {
    const { shape, chunkShape, operation } = array
    const { members } = operation
    const region = regionOfChunk(array, coords)
    const inside =
      regionWithin(
        region,
        shape.map(() => 0),
        shape,
      ) ?? region
    const reaching = members.reaching(inside)
    const top = reaching.at(-1)
    if (top === undefined) return MISSING
    const box = members.boxOf(top)
    const local = region.origin.map((at, axis) => (at - (box.origin[axis] ?? 0)) / (chunkShape[axis] ?? 1))
    if (!isCoveredBy(inside, box) || !local.every(Number.isInteger)) return COMPOSED
    return after(members.open(top, signal), (member) => {
      if (member === undefined || !isSame(member.array.chunkShape, chunkShape)) return COMPOSED
      if (!passes(member, reaching.length === 1)) return COMPOSED
      return after(find(member.array, local, signal), (found) => withFile(found, member.file))
    })
  },
  layers: memberLayers,
  async below({ operation: { members } }, region, signal) {
    const found = await membersIn(members, region, signal)
    return found.flatMap(({ array, origin, file }) => {
      const inside = regionWithin(region, origin, array.shape)
      return inside === undefined ? [] : [{ array, region: inside, file }]
    })
  },
}
export const concatRules: OperationRules<ConcatOperation> = membersRules
export const mosaicRules: OperationRules<MosaicOperation> = membersRules

function isCoveredBy(region: Region, box: Box): boolean {
  const inside = regionWithin(region, box.origin, box.shape)
  return inside !== undefined && isSame(inside.shape, region.shape)
}

/** Whether chunks of a member may go out as they are, where it alone, or it above all others, lies under them. */
function passes({ overlay }: OpenMember, isAlone: boolean): boolean {
  if (overlay === undefined) return isAlone
  const { isFillAlike, isInvalidAlike } = overlay
  const isSeenAlone = (isAlone && isInvalidAlike === true) || isOpaque(overlay)
  return isFillAlike === true && isSeenAlone
}

function isOpaque({ invalid, mask }: Overlay): boolean {
  return invalid.length === 0 && mask === undefined
}

/** The members that reach into a region, opened. */
export async function membersIn(
  members: Members,
  region: Region,
  signal: AbortSignal | undefined,
): Promise<readonly (OpenMember & { readonly origin: readonly number[] })[]> {
  const opened = await inParallel(members.reaching(region), OPENED_AT_ONCE, async (number) => {
    const member = await members.open(number, signal)
    return member === undefined ? undefined : { ...member, origin: members.boxOf(number).origin }
  })
  return opened.filter((member) => member !== undefined)
}

/** Members one over the other, as far as they reach into a region. */
async function memberLayers(
  array: Composed<ConcatOperation | MosaicOperation>,
  region: Region,
  layersOf: LayersOf,
  planning: Planning,
): Promise<readonly Layer<RegionChunk>[]> {
  const layers: Layer<RegionChunk>[] = []
  for (const member of await membersIn(array.operation.members, region, planning.signal)) {
    const { origin, overlay } = member
    const inside = regionWithin(region, origin, member.array.shape)
    if (inside === undefined) continue
    const own =
      overlay === undefined
        ? await layersOf(member.array, inside, planning)
        : await overlaidLayer(member.array, overlay, inside, layersOf, planning)
    const placed = movedLayers(own, inside.origin, origin, region.origin)
    // What nothing shines through hides what lies below.
    if (overlay !== undefined && isOpaque(overlay) && isSame(inside.shape, region.shape)) layers.length = 0
    if (layers.length === 0 && placed.length === 1 && isUnwritten(placed[0], array)) continue
    for (const layer of layersInFile(placed, member.file)) layers.push(layer)
  }
  return layers
}

/** Layers whose references count from a member of a join, but for those that lie in a member of their own. */
function layersInFile(layers: readonly Layer<RegionChunk>[], file: number | undefined): readonly Layer<RegionChunk>[] {
  if (file === undefined) return layers
  return layersWithChunks(layers, (layer) => ({ ...layer, chunk: inFile(layer.chunk, file) }))
}

function inFile(chunk: RegionChunk, file: number): RegionChunk {
  return chunk.file === undefined ? { ...chunk, file } : chunk
}

/** A member that lies over others, from the begin of what is seen of it; nothing where no point of it can be valid. */
async function overlaidLayer(
  array: VirtualArray,
  { invalid, mask }: Overlay,
  inside: Region,
  layersOf: LayersOf,
  planning: Planning,
): Promise<RegionLayer<RegionChunk>[]> {
  const of = await canvasOf(array, inside, layersOf, planning)
  const isInvalid = invalid.some((scalar) => isSameValue(array.fillValue, scalar, array.dataType))
  if (of.layers.length === 0 && isInvalid) return []
  const layer = { kind: 'region', of, to: inside.shape.map(() => 0), invalid } as const
  if (mask === undefined) return [{ ...layer, mask: undefined }]
  const over = await canvasOf(mask, lastAxes(inside, mask.shape.length), layersOf, planning)
  if (over.layers.length === 0 && isSameValue(mask.fillValue, zeroOf(mask.dataType), mask.dataType)) return []
  return [{ ...layer, mask: over }]
}

/** Whether a layer has no chunks, and reads as what nobody wrote. */
function isUnwritten(layer: Layer<RegionChunk> | undefined, array: VirtualArray): boolean {
  if (layer?.kind !== 'region' || !isEmpty(layer.of)) return false
  return isSameValue(layer.of.fillValue, array.fillValue, array.dataType)
}
