import { composedArray } from '../../model/composed-array.ts'
import type { Box, Members, Overlay, VirtualArray } from '../../model/virtual-store.ts'
import type { JoinedSpec } from '../joined-array.ts'
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
  readonly like: JoinedSpec
  /** Which axes are steps (rasters of one step lie in one plane), rows and columns. */
  readonly axes: { readonly step: number | undefined; readonly row: number; readonly column: number }
  readonly boxes: Boxes
  open(place: number, signal?: AbortSignal): Promise<Opened | undefined>
  /** Undefined where the raster has no such variable; the same object for the same raster. */
  laid(part: Opened, place: number): Laid | undefined
}

type Grid = Pick<Laying, 'like' | 'axes' | 'boxes'>

/** An array of rasters that lie where they lie; of those that overlap the later one wins wherever it is valid (JOIN-6). */
export function placedArray<Opened extends OpenRaster>(laying: Laying<Opened>): VirtualArray {
  const { like } = laying
  return composedArray(like, { kind: 'mosaic', members: rastersOf(laying), encodings: like.encodings })
}

function rastersOf<Opened extends OpenRaster>(laying: Laying<Opened>): Members {
  const { boxes } = laying
  return {
    reaching: (box) => boxes.reaching(reachOf(laying, box)),
    boxOf: (place) => boxOf(laying, place),
    async open(place, signal) {
      const part = await laying.open(place, signal)
      const laid = part === undefined ? undefined : laying.laid(part, place)
      if (part === undefined || laid === undefined) return undefined
      const { array, over, isFillAlike, isInvalidAlike } = laid
      return { array, file: part.part, overlay: { ...over, isFillAlike, isInvalidAlike } }
    },
    weight: () => 1000 + boxes.count * 8,
  }
}

function boxOf(laying: Grid, place: number): Box {
  const { axes, boxes, like } = laying
  const { height, width } = boxes.sizeOf(place)
  const shape = like.shape.map((length, axis) => {
    if (axis === axes.row) return height
    if (axis === axes.column) return width
    return axis === axes.step ? 1 : length
  })
  return { origin: originOf(laying, place), shape }
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
