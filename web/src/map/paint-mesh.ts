import { type Paint, painted } from '../plot/colours.ts'
import type { Raster } from '../plot/raster.ts'
import { applied, type DrawingPlace, planeMatrix } from '../plot/viewport.ts'
import type { Mesh } from './mesh.ts'

/** A cell over this part of the picture is one that runs around the world. */
const WIDEST = 0.5

/** Paints the cells of a mesh, each as its outline is, in one pass over their pixels. */
export function paintMesh(
  context: CanvasRenderingContext2D,
  raster: Raster,
  mesh: Mesh,
  paint: Paint,
  place: DrawingPlace,
): void {
  const { width, height } = context.canvas
  const target = new ImageData(width, height)
  const colours = new Uint32Array(painted(raster.values, paint).buffer)
  const pixels = new Uint32Array(target.data.buffer)
  const matrix = planeMatrix(place)
  const points = Array.from(mesh.x, (x, at) => applied(matrix, x, mesh.y[at] ?? 0))
  for (let row = 0; row < mesh.rows; row++) {
    for (let column = 0; column < mesh.columns; column++) {
      const colour = colours[row * mesh.columns + column] ?? 0
      if (colour === 0) continue
      const upper = row * (mesh.columns + 1) + column
      const lower = upper + mesh.columns + 1
      const corners = [points[upper], points[upper + 1], points[lower + 1], points[lower]]
      if (corners.every((corner) => corner !== undefined && Number.isFinite(corner[0] + corner[1])))
        fillCell(pixels, width, height, corners as readonly (readonly [number, number])[], colour)
    }
  }
  const layer = new OffscreenCanvas(width, height)
  layer.getContext('2d')?.putImageData(target, 0, 0)
  context.save()
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.drawImage(layer, 0, 0)
  context.restore()
}

/** Fills the rows of pixels between the edges of a cell. */
function fillCell(
  pixels: Uint32Array,
  width: number,
  height: number,
  corners: readonly (readonly [number, number])[],
  colour: number,
): void {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  if (Math.max(...xs) - Math.min(...xs) > width * WIDEST) return
  const first = Math.max(0, Math.ceil(Math.min(...ys) - 0.5))
  const last = Math.min(height - 1, Math.floor(Math.max(...ys) - 0.5))
  for (let row = first; row <= last; row++) {
    let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (const [at, [x1, y1]] of corners.entries()) {
      const [x2 = 0, y2 = 0] = corners[(at + 1) % 4] ?? []
      const middle = row + 0.5
      if (y1 > middle === y2 > middle) continue
      const x = x1 + ((x2 - x1) * (middle - y1)) / (y2 - y1)
      left = Math.min(left, x)
      right = Math.max(right, x)
    }
    const from = Math.max(0, Math.ceil(left - 0.5))
    const to = Math.min(width - 1, Math.floor(right - 0.5))
    if (from <= to) pixels.fill(colour, row * width + from, row * width + to + 1)
  }
}
