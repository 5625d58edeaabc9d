import type { Level } from './levels.ts'
import type { Meaning } from './meaning.ts'
import { readShape } from './read-shape.ts'
import type { DecodedChunk, ZarrStore } from './zarr-store.ts'

/** Part of one level, of which every n-th point is taken, down and across. */
export interface Window {
  readonly down: readonly [start: number, stop: number]
  readonly across: readonly [start: number, stop: number]
  readonly steps: readonly [down: number, across: number]
}

/** Values of a window, row after row; NaN where a point is missing or not there yet. */
export interface Raster {
  readonly level: Level
  readonly window: Window
  readonly rows: number
  readonly columns: number
  readonly values: Float64Array
}

export interface RasterInput {
  readonly store: ZarrStore
  readonly level: Level
  /** Which axes run down and across. */
  readonly axes: readonly [number, number]
  /** Index along each axis; those of the picture's own axes don't matter. */
  readonly at: readonly number[]
  readonly window: Window
  readonly meaning: Meaning
  readonly signal: AbortSignal
  /** Told each time when more of it is there. */
  onPart?(raster: Raster): void
}

/** Chunks that are read side by side. */
const SIDE_BY_SIDE = 8

/** How many chunks a window reaches into. */
export function chunksWithin(
  { array }: Level,
  axes: readonly [number, number],
  { down, across, steps }: Window,
): number {
  const count = (axis: number, [start, stop]: readonly [number, number], step: number) => {
    const length = readShape(array)[axis] ?? 1
    if (stop <= start) return 0
    return Math.min(Math.ceil((stop - start) / step), Math.floor((stop - 1) / length) - Math.floor(start / length) + 1)
  }
  return count(axes[0], down, steps[0]) * count(axes[1], across, steps[1])
}

/** Reads a window, chunk by chunk. */
export async function readRaster(input: RasterInput): Promise<Raster> {
  const { level, axes, window, signal } = input
  const rows = Math.ceil((window.down[1] - window.down[0]) / window.steps[0])
  const columns = Math.ceil((window.across[1] - window.across[0]) / window.steps[1])
  const raster = { level, window, rows, columns, values: new Float64Array(rows * columns).fill(Number.NaN) }
  const places = placesOf(level, axes, window)
  let next = 0
  const work = async () => {
    for (let place = places[next++]; place !== undefined; place = places[next++]) {
      signal.throwIfAborted()
      const coords = readShape(level.array).map((length, axis) => Math.floor((input.at[axis] ?? 0) / length))
      coords[axes[0]] = place.down
      coords[axes[1]] = place.across
      fillFrom(raster, await input.store.chunk(level.path, coords, signal), coords, input)
      signal.throwIfAborted()
      input.onPart?.(raster)
    }
  }
  await Promise.all(Array.from({ length: Math.min(SIDE_BY_SIDE, places.length) }, work))
  return raster
}

/** The chunks that hold points of a window, the middle first: people look there. */
function placesOf({ array }: Level, axes: readonly [number, number], { down, across, steps }: Window) {
  const along = (axis: number, [start, stop]: readonly [number, number], step: number) => {
    const found = new Set<number>()
    const length = readShape(array)[axis] ?? 1
    for (let at = start; at < stop; at += step) found.add(Math.floor(at / length))
    return [...found]
  }
  const [rows, columns] = [along(axes[0], down, steps[0]), along(axes[1], across, steps[1])]
  const places = rows.flatMap((row) => columns.map((column) => ({ down: row, across: column })))
  const [middleRow = 0, middleColumn = 0] = [rows[rows.length >> 1], columns[columns.length >> 1]]
  const distance = (place: { down: number; across: number }) =>
    Math.hypot(place.down - middleRow, place.across - middleColumn)
  return places.toSorted((a, b) => distance(a) - distance(b))
}

/** Copies what of a chunk is in the window. */
function fillFrom(raster: Raster, chunk: DecodedChunk, coords: readonly number[], input: RasterInput): void {
  const { window, columns, values, level } = raster
  const { axes, at, meaning } = input
  const shape = readShape(level.array)
  let base = 0
  for (const [axis, stride] of chunk.stride.entries())
    if (!axes.includes(axis)) base += ((at[axis] ?? 0) % (shape[axis] ?? 1)) * stride
  const [down, across] = axes
  const firstRow = (coords[down] ?? 0) * (shape[down] ?? 1)
  const firstColumn = (coords[across] ?? 0) * (shape[across] ?? 1)
  const [rowStride, columnStride] = [chunk.stride[down] ?? 0, chunk.stride[across] ?? 0]
  const rows = samples(window.down, window.steps[0], firstRow, shape[down] ?? 1)
  const spread = samples(window.across, window.steps[1], firstColumn, shape[across] ?? 1)
  for (let i = rows.first; i < rows.end; i++) {
    const row = base + (window.down[0] + i * window.steps[0] - firstRow) * rowStride
    for (let j = spread.first; j < spread.end; j++) {
      const stored = chunk.data[row + (window.across[0] + j * window.steps[1] - firstColumn) * columnStride]
      values[i * columns + j] = typeof stored === 'string' || stored === undefined ? Number.NaN : meaning.of(stored)
    }
  }
}

/** The samples of a window that lie in a chunk. */
function samples([start, stop]: readonly [number, number], step: number, origin: number, length: number) {
  const first = Math.max(0, Math.ceil((origin - start) / step))
  const end = Math.ceil((Math.min(stop, origin + length) - start) / step)
  return { first, end }
}
