import type { Mesh } from '../map/mesh.ts'
import { paintMesh } from '../map/paint-mesh.ts'
import { type Paint, painted } from './colours.ts'
import type { Raster } from './raster.ts'
import type { Wanted } from './use-rasters.ts'
import { applied, type Box, type DrawingPlace, inverse, type Matrix, planeMatrix, times, toPlane } from './viewport.ts'

/** Where the points of an array lie on the plane: in equal steps, or wherever the corners of its cells are. */
export type Placement =
  | { readonly kind: 'even'; readonly matrix: Matrix }
  | {
      readonly kind: 'mesh'
      /** Undefined while it is not known. */
      meshOf(raster: Raster): Mesh | undefined
      /** What of the array is seen, where the whole is not as fine. */
      wantedOf(seen: Box, scale: readonly [x: number, y: number]): Wanted | undefined
    }

/** A raster in its colours, ready to be drawn. */
export interface Picture {
  readonly raster: Raster
  readonly paint: Paint
  readonly bitmap: OffscreenCanvas
}

export function pictureOf(raster: Raster, paint: Paint): Picture {
  const bitmap = new OffscreenCanvas(Math.max(1, raster.columns), Math.max(1, raster.rows))
  const pixels = new ImageData(painted(raster.values, paint), Math.max(1, raster.columns), Math.max(1, raster.rows))
  bitmap.getContext('2d')?.putImageData(pixels, 0, 0)
  return { raster, paint, bitmap }
}

/** From points of a raster to those of the full resolution. */
function rasterMatrix({ level, window }: Raster): Matrix {
  const [down, across] = level.factor
  return [window.steps[1] * across, 0, 0, window.steps[0] * down, window.across[0] * across, window.down[0] * down]
}

/** Draws a picture where it lies: each point as a cell of one colour, nothing between them. */
export function drawPicture(
  context: CanvasRenderingContext2D,
  { raster, paint, bitmap }: Picture,
  placement: Placement,
  place: DrawingPlace,
): void {
  if (placement.kind === 'mesh') {
    const mesh = placement.meshOf(raster)
    if (mesh !== undefined) paintMesh(context, raster, mesh, paint, place)
    return
  }
  context.save()
  context.imageSmoothingEnabled = false
  context.setTransform(...times(planeMatrix(place), placement.matrix))
  const [down, across] = raster.level.factor
  const { window } = raster
  // The last points of a coarse step reach over the edge.
  context.beginPath()
  const [left, top] = [window.across[0] * across, window.down[0] * down]
  context.rect(left, top, window.across[1] * across - left, window.down[1] * down - top)
  context.clip()
  context.transform(...rasterMatrix(raster))
  context.drawImage(bitmap, 0, 0)
  context.restore()
}

/** The point of the full resolution under a place of the canvas: row and column, maybe beside the array. */
export function indexAt(
  placement: Placement,
  raster: Raster,
  { view, frame }: Pick<DrawingPlace, 'view' | 'frame'>,
  x: number,
  y: number,
): readonly [row: number, column: number] | undefined {
  const [planeX, planeY] = toPlane(view, frame, x, y)
  if (placement.kind === 'even') {
    const [column, row] = applied(inverse(placement.matrix), planeX, planeY)
    return [Math.floor(row), Math.floor(column)]
  }
  const found = placement.meshOf(raster)?.cellAt(planeX, planeY)
  if (found === undefined) return undefined
  const [column, row] = applied(rasterMatrix(raster), found[1], found[0])
  return [Math.floor(row), Math.floor(column)]
}
