import type { RechunkOperation, VirtualArray, WindowOperation } from '../model/virtual-store.ts'
import { COMPOSED, MISSING } from './found-chunk.ts'
import type { OperationRules } from './operation-rules.ts'
import type { LayersOf, Planning, RegionChunk } from './planning.ts'
import { type Layer, movedLayers } from './program.ts'
import { isSame, type Region, regionWithin } from './region.ts'

export const windowRules: OperationRules<WindowOperation> = {
  /** Where the two grids lie on each other. */
  find({ shape, chunkShape, operation: { of, origin } }, coords, find, signal) {
    const isOnGrid = isSame(chunkShape, of.chunkShape) && origin.every((at, axis) => at % (chunkShape[axis] ?? 1) === 0)
    if (!isOnGrid) return COMPOSED
    const start = coords.map((at, axis) => at * (chunkShape[axis] ?? 1) + (origin[axis] ?? 0))
    if (start.some((at, axis) => at < 0 || at >= (of.shape[axis] ?? 0))) return MISSING
    // What lies in the window must lie in the array behind it, too: the rest of the chunk would read as the fill value.
    const isInside = start.every((at, axis) => {
      const length = Math.min(chunkShape[axis] ?? 1, (shape[axis] ?? 0) + (origin[axis] ?? 0) - at)
      return at + length <= (of.shape[axis] ?? 0)
    })
    if (!isInside) return COMPOSED
    const inner = start.map((at, axis) => at / (chunkShape[axis] ?? 1))
    return find(of, inner, signal)
  },
  layers: async ({ operation: { of, origin } }, region, layersOf, planning) =>
    await layersBehind(of, origin, region, layersOf, planning),
  async below({ operation: { of, origin } }, region) {
    const inside = regionWithin(region, negative(origin), of.shape)
    return inside === undefined ? [] : [{ array: of, region: inside }]
  },
}

export const rechunkRules: OperationRules<RechunkOperation> = {
  layers: async ({ operation: { of } }, region, layersOf, planning) =>
    await layersBehind(of, zeros(of), region, layersOf, planning),
  async below({ operation: { of } }, region) {
    const inside = regionWithin(region, zeros(of), of.shape)
    return inside === undefined ? [] : [{ array: of, region: inside }]
  },
}

/** The layers of an array behind a window that begins at `origin` in it. What lies beyond the array reads as the fill value. */
export async function layersBehind(
  of: VirtualArray,
  origin: readonly number[],
  region: Region,
  layersOf: LayersOf,
  planning: Planning,
): Promise<readonly Layer<RegionChunk>[]> {
  const start = negative(origin)
  const inside = regionWithin(region, start, of.shape)
  if (inside === undefined) return []
  return movedLayers(await layersOf(of, inside, planning), inside.origin, start, region.origin)
}

function negative(origin: readonly number[]): number[] {
  return origin.map((at) => 0 - at)
}

function zeros({ shape }: VirtualArray): number[] {
  return shape.map(() => 0)
}
