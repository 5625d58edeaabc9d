import { inParallel } from '../../in-parallel.ts'
import { type ChunkIndex, gridShapeOf } from '../../model/chunk-index.ts'
import { type ChunkRef, MISSING } from '../../model/chunk-ref.ts'
import type { Box, Overlay, StoredPart, VirtualArray } from '../../model/virtual-store.ts'
import { isEqual } from '../joined-array.ts'
import type { OpenPart } from '../parts.ts'
import type { Boxes, Reach } from './boxes.ts'

/** The variable of one raster as it lies in a mosaic. */
export interface Laid {
  readonly array: VirtualArray
  readonly over: Overlay
  /** Chunks of it that were never written read as those of the mosaic do. */
  readonly isFillAlike: boolean
  /** Points of it that are not valid read as those that no raster covers: a chunk that lies alone may go out as it is. */
  readonly isInvalidAlike: boolean
}

/** What is opened to read a raster: references count from its source, or, without one, say themselves from which. */
export interface OpenRaster {
  readonly part: number | undefined
}

/** How the variables of many rasters are one array. */
export interface Laying<Opened extends OpenRaster = OpenPart> {
  /** Everything of the array but where its values are. */
  readonly like: VirtualArray
  /** Which axes are steps (rasters of one step lie in one plane), rows and columns. */
  readonly axes: { readonly step: number | undefined; readonly row: number; readonly column: number }
  readonly boxes: Boxes
  open(place: number, signal?: AbortSignal): Promise<Opened | undefined>
  /** Undefined where the raster has no such variable; the same object for the same raster. */
  laid(part: Opened, place: number): Laid | undefined
}

type Grid = Pick<Laying, 'like' | 'axes' | 'boxes'>

const ASSEMBLED: ChunkRef = { kind: 'assembled' }
/** Rasters that are opened at the same time for one chunk. */
const OPENED_AT_ONCE = 16

/** An array of rasters that lie where they lie; of those that overlap the later one wins wherever it is valid (JOIN-6). */
export function placedArray<Opened extends OpenRaster>(laying: Laying<Opened>): VirtualArray {
  const { like, boxes } = laying
  const within = async (box: Box, signal?: AbortSignal) => {
    const found = boxes.reaching(reachOf(laying, box))
    const parts = await inParallel(found, OPENED_AT_ONCE, async (place): Promise<StoredPart | undefined> => {
      const part = await laying.open(place, signal)
      const laid = part === undefined ? undefined : laying.laid(part, place)
      if (part === undefined || laid === undefined) return undefined
      return { array: laid.array, origin: originOf(laying, place), part: part.part, over: laid.over }
    })
    return parts.filter((part) => part !== undefined)
  }
  return { ...like, stored: undefined, joined: { within, isOverlaid: true }, chunks: placedIndex(laying) }
}

function originOf({ like, axes, boxes }: Grid, place: number): number[] {
  const { step, row, column } = boxes.cornerOf(place)
  return like.shape.map((_length, axis) => {
    if (axis === axes.row) return row
    if (axis === axes.column) return column
    return axis === axes.step ? step : 0
  })
}

/** The box of the plane that a box of the array lies over, as far as it lies inside. */
function reachOf({ like, axes }: Grid, { origin, shape }: Box): Reach {
  const along = (axis: number): [number, number] => {
    const from = origin[axis] ?? 0
    return [from, Math.min(from + (shape[axis] ?? 0), like.shape[axis] ?? 0)]
  }
  return {
    steps: axes.step === undefined ? [0, 1] : along(axes.step),
    rows: along(axes.row),
    columns: along(axes.column),
  }
}

/** A chunk that lies in one raster, under no other, and is one of its chunks is that chunk; others are assembled. */
function placedIndex<Opened extends OpenRaster>(laying: Laying<Opened>): ChunkIndex {
  const { like, axes, boxes } = laying
  const { chunkShape } = like
  const at = (coords: readonly number[], signal?: AbortSignal): ChunkRef | Promise<ChunkRef> => {
    const origin = coords.map((at, axis) => at * (chunkShape[axis] ?? 1))
    const reach = reachOf(laying, { origin, shape: chunkShape })
    const found = boxes.reaching(reach)
    const top = found.at(-1)
    if (top === undefined) return MISSING
    const corner = originOf(laying, top)
    const local = coords.map((at, axis) =>
      axis === axes.step ? 0 : at - (corner[axis] ?? 0) / (chunkShape[axis] ?? 1),
    )
    if (!boxes.covers(top, reach) || !local.every(Number.isInteger)) return ASSEMBLED
    return ownChunk(laying, { place: top, isAlone: found.length === 1, local }, signal)
  }
  return { gridShape: gridShapeOf(like.shape, chunkShape), at, weight: () => 1000 + boxes.count * 8 }
}

interface Candidate {
  readonly place: number
  readonly isAlone: boolean
  readonly local: readonly number[]
}

async function ownChunk<Opened extends OpenRaster>(
  laying: Laying<Opened>,
  { place, isAlone, local }: Candidate,
  signal: AbortSignal | undefined,
): Promise<ChunkRef> {
  const part = await laying.open(place, signal)
  const laid = part === undefined ? undefined : laying.laid(part, place)
  if (part === undefined || laid === undefined) return ASSEMBLED
  const { array, over, isFillAlike, isInvalidAlike } = laid
  const isOpaque = over.invalid.length === 0 && over.mask === undefined
  const isAsItIs = (over.reversed ?? []).length === 0 && isEqual(array.chunkShape, laying.like.chunkShape)
  if (!isAsItIs || !((isAlone && isInvalidAlike) || isOpaque) || !isFillAlike) return ASSEMBLED
  if (part.part !== undefined) return { kind: 'part', part: part.part, array, coords: local }
  // A join of its own: what is one of its sources' chunks is that here, too.
  const ref = await array.chunks.at(local, signal)
  return ref.kind === 'part' ? ref : ASSEMBLED
}
