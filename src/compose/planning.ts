import type { StoredArray, VirtualArray } from '../model/virtual-store.ts'
import type { Coding, Codings } from './coding.ts'
import type { StoredChunkRef } from './found-chunk.ts'
import type { CanvasProgram, Layer } from './program.ts'
import type { Region } from './region.ts'

/** A chunk that a region is composed of. */
export type RegionChunk = StoredRegionChunk | ComputedRegionChunk

/** A chunk that is decoded as it is stored. */
export interface StoredRegionChunk extends ChunkInRegion {
  readonly kind: 'stored'
  readonly array: StoredArray
  readonly ref: StoredChunkRef
}

/** A chunk whose elements are computed first: of an array that is composed itself, or `stored` by codecs that read their source again. */
export interface ComputedRegionChunk extends ChunkInRegion {
  readonly kind: 'computed'
  readonly array: VirtualArray
  readonly stored: Pick<StoredRegionChunk, 'array' | 'ref'> | undefined
}

interface ChunkInRegion {
  readonly coords: readonly number[]
  readonly coding: Coding
  readonly storedShape: readonly number[]
  readonly inside?: readonly number[] | undefined
  /** The member of a join that its reference counts from. */
  readonly file: number | undefined
}

/** What planning needs. */
export interface Planning {
  readonly codings: Codings
  readonly signal: AbortSignal | undefined
}

/** The layers that make a region of an array; operations are given it for the arrays that they are made of. */
export type LayersOf = (
  array: VirtualArray,
  region: Region,
  planning: Planning,
) => Promise<readonly Layer<RegionChunk>[]>

/** A region of an array by its layers. */
export async function canvasOf(
  array: VirtualArray,
  region: Region,
  layersOf: LayersOf,
  planning: Planning,
): Promise<CanvasProgram<RegionChunk>> {
  const { dataType, fillValue } = array
  const layers = await layersOf(array, region, planning)
  return { kind: 'canvas', layout: { shape: region.shape, dataType }, fillValue, layers }
}
