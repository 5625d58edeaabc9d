import { malformed } from '../errors.ts'
import type { ChunkRef } from '../model/chunk-ref.ts'
import type { VirtualArray } from '../model/virtual-store.ts'
import type { DeliveryPlan, Way } from './delivery.ts'

const RECODE: Way = { kind: 'recode' }

/** How this chunk goes out: as its encoding's plan says, but what the source cuts off at the edge is filled up. */
export function wayOf(array: VirtualArray, plan: DeliveryPlan, coords: readonly number[], ref: ChunkRef): Way {
  if (ref.kind === 'missing' || ref.kind === 'assembled') return RECODE
  const way = plan.ways[ref.encoding]
  if (way === undefined) throw malformed(`a chunk names encoding ${ref.encoding} of ${plan.ways.length}`)
  return isCropped(array, coords) ? RECODE : way
}

/**
 * Whether answering for this chunk always reads the source whose version is pinned; otherwise the answer comes from memory,
 * or from an object of its own that may be newer than the documents which say what is in it.
 */
export function readsSource(
  array: VirtualArray,
  plan: DeliveryPlan,
  coords: readonly number[],
  ref: ChunkRef,
): boolean {
  if (ref.kind !== 'range' && ref.kind !== 'ranges' && ref.kind !== 'strided') return false
  const { kind } = wayOf(array, plan, coords, ref)
  return kind === 'pass' || kind === 'envelope'
}

/** Shape of a chunk as it is stored. */
export function storedShapeOf(array: VirtualArray, coords: readonly number[]): number[] {
  return array.chunkShape.map((length, axis) => {
    const start = (coords[axis] ?? 0) * length
    return array.edges === 'cropped' ? Math.min(length, (array.shape[axis] ?? 0) - start) : length
  })
}

/** Shape of the part of a chunk that lies in the array; undefined for all of it. */
export function insideOf({ shape, chunkShape }: VirtualArray, coords: readonly number[]): number[] | undefined {
  const inside = chunkShape.map((length, axis) => Math.min(length, (shape[axis] ?? 0) - (coords[axis] ?? 0) * length))
  return inside.every((length, axis) => length === chunkShape[axis]) ? undefined : inside
}

function isCropped(array: VirtualArray, coords: readonly number[]): boolean {
  return (
    array.edges === 'cropped' && storedShapeOf(array, coords).some((length, axis) => length !== array.chunkShape[axis])
  )
}
