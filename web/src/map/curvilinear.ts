import { meaningOf } from '../plot/meaning.ts'
import type { Placement } from '../plot/picture.ts'
import { type Raster, readRaster, type Window } from '../plot/raster.ts'
import type { Wanted } from '../plot/use-rasters.ts'
import type { Box } from '../plot/viewport.ts'
import type { ZarrStore } from '../plot/zarr-store.ts'
import type { Inspection } from '../service/types.ts'
import { type Mesh, meshOf } from './mesh.ts'

/** Where the points of a window lie, as cells on a plane of degrees. */
export interface Cells {
  readonly window: Window
  readonly mesh: Mesh
}

/** The arrays that say it. */
export interface CurvilinearArrays {
  readonly latitude: string
  readonly longitude: string
}

/** Points along a side of whose cells a map is made. */
const MOST_POINTS = 480

/** The cells of all of the grid: of the same points as the first picture of the values (use-rasters.ts). */
export async function readBaseCells(
  store: ZarrStore,
  inspection: Inspection,
  arrays: CurvilinearArrays,
  signal: AbortSignal,
): Promise<Cells> {
  const [rows = 1, columns = 1] = inspection.arrays[arrays.latitude]?.shape ?? []
  const stepOf = (length: number) => Math.max(1, Math.ceil(length / (2 * MOST_POINTS)))
  const window: Window = { down: [0, rows], across: [0, columns], steps: [stepOf(rows), stepOf(columns)] }
  return await readCells(store, inspection, arrays, window, signal)
}

/** The cells of a part that is looked at, laid where those of the base are: longitudes may be counted by another turn. */
export async function readDetailCells(
  store: ZarrStore,
  inspection: Inspection,
  arrays: CurvilinearArrays,
  { base, window }: { readonly base: Cells; readonly window: Window },
  signal: AbortSignal,
): Promise<Cells> {
  const { mesh } = await readCells(store, inspection, arrays, window, signal)
  const [row, column] = [window.down[0], window.across[0]].map((at, side) =>
    Math.floor(at / (base.window.steps[side] ?? 1)),
  )
  const there = base.mesh.x[(row ?? 0) * (base.mesh.columns + 1) + (column ?? 0)] ?? 0
  const turn = Math.round((there - (mesh.x[0] ?? 0)) / 360) * 360
  return { window, mesh: Number.isFinite(turn) && turn !== 0 ? mesh.turned(turn) : mesh }
}

async function readCells(
  store: ZarrStore,
  inspection: Inspection,
  { latitude, longitude }: CurvilinearArrays,
  window: Window,
  signal: AbortSignal,
): Promise<Cells> {
  const read = async (path: string) => {
    const array = inspection.arrays[path]
    if (array === undefined) throw new Error(`there is no array ${path}`)
    const level = { path, array, factor: [1, 1] } as const
    return await readRaster({ store, level, axes: [0, 1], at: [0, 0], window, meaning: meaningOf(array), signal })
  }
  const [lat, lon] = await Promise.all([read(latitude), read(longitude)])
  const down = lat.values.map((value) => -value)
  return { window, mesh: meshOf(lat.rows, lat.columns, lon.values, down) }
}

/** A placement by cells: those of the whole, and of the part that is looked at once they are there. */
export function meshPlacement(base: Cells, detail: Cells | undefined): Placement {
  const all = [base, ...(detail === undefined ? [] : [detail])]
  return {
    kind: 'mesh',
    meshOf: (raster) => all.find(({ window }) => isSame(raster, window))?.mesh,
    wantedOf: (seen, scale) => wantedOf(base, seen, scale),
  }
}

function isSame({ level, window }: Raster, own: Window): boolean {
  const [down, across] = level.factor
  const all = [...own.down, ...own.across, ...own.steps]
  const isThere = [...window.down, ...window.across, ...window.steps].every((one, at) => one === all[at])
  return down === 1 && across === 1 && isThere
}

/** The rows and columns of which something is seen, and how many points a pixel stands for; undefined where the whole is as fine. */
function wantedOf({ mesh, window }: Cells, seen: Box, [scaleX, scaleY]: readonly [number, number]): Wanted | undefined {
  let [top, bottom, left, right, count, area] = [mesh.rows, -1, mesh.columns, -1, 0, 0]
  for (let row = 0; row < mesh.rows; row++) {
    for (let column = 0; column < mesh.columns; column++) {
      const size = sizeWithin(mesh, row, column, seen)
      if (size === undefined) continue
      top = Math.min(top, row)
      bottom = row
      left = Math.min(left, column)
      right = Math.max(right, column)
      count++
      area += size
    }
  }
  const pixels = Math.sqrt((area * scaleX * scaleY) / Math.max(1, count))
  if (count === 0 || !(pixels > 1)) return undefined
  const [stepDown, stepAcross] = window.steps
  const part = (first: number, last: number, step: number, length: number) =>
    [Math.max(0, first - 1) * step, Math.min(length, (last + 2) * step)] as const
  return {
    down: part(top, bottom, stepDown, window.down[1]),
    across: part(left, right, stepAcross, window.across[1]),
    points: [Math.max(1, stepDown / pixels), Math.max(1, stepAcross / pixels)],
  }
}

/** The area of a cell of which something is seen. */
function sizeWithin({ columns, x, y }: Mesh, row: number, column: number, seen: Box): number | undefined {
  const upper = row * (columns + 1) + column
  const corners = [upper, upper + 1, upper + columns + 2, upper + columns + 1]
  const [xs, ys] = [corners.map((at) => x[at] ?? Number.NaN), corners.map((at) => y[at] ?? Number.NaN)]
  const isSeen =
    Math.max(...xs) >= seen.left &&
    Math.min(...xs) <= seen.right &&
    Math.max(...ys) >= seen.top &&
    Math.min(...ys) <= seen.bottom
  if (!isSeen) return undefined
  const [x0 = 0, x1 = 0, x2 = 0, x3 = 0] = xs
  const [y0 = 0, y1 = 0, y2 = 0, y3 = 0] = ys
  return Math.abs((x2 - x0) * (y3 - y1) - (x3 - x1) * (y2 - y0)) / 2
}

export function boxOfMesh({ x, y }: Mesh): Box {
  const ends = (values: Float64Array) => {
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (const value of values) {
      if (value < least) least = value
      if (value > most) most = value
    }
    return [least, most] as const
  }
  const [[left, right], [top, bottom]] = [ends(x), ends(y)]
  return { left, right, top, bottom }
}
