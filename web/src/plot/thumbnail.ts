import { inspect } from '../service/api.ts'
import type { ArrayInfo, Inspection } from '../service/types.ts'
import { mainArray } from '../store/nodes.ts'
import { pictureAxes } from './axes-of.ts'
import { colourTable, painted } from './colours.ts'
import { coordinatesOf } from './coordinates.ts'
import { levelsOf } from './levels.ts'
import { meaningOf } from './meaning.ts'
import { chunksWithin, readRaster, type Window } from './raster.ts'
import { readAlong } from './single-values.ts'
import { statisticsOf } from './statistics.ts'
import { openZarrStore, type ZarrStore } from './zarr-store.ts'

const [WIDTH, HEIGHT] = [320, 200]
/** A catalog has many cards: none of them reads much. */
const MOST_CHUNKS = 24

/** A picture of a store's main array as a URL: the coarsest level, or a line; empty where there is nothing small to draw. */
export async function thumbnail(segment: string, signal: AbortSignal): Promise<string> {
  const inspection = await inspect(segment, signal)
  const path = mainArray(inspection)
  const array = path === undefined ? undefined : inspection.arrays[path]
  if (path === undefined || array === undefined || array.data_type === 'string') return ''
  const store = openZarrStore(segment)
  const canvas = new OffscreenCanvas(WIDTH, HEIGHT)
  const isLine = array.shape.filter((length) => length > 1).length === 1
  const isDrawn = isLine
    ? await drawLine(canvas, store, path, array, signal)
    : array.shape.length > 1 && (await drawPlane(canvas, { store, inspection, path, array, signal }))
  return isDrawn ? urlOf(await canvas.convertToBlob()) : ''
}

interface PlaneInput {
  readonly store: ZarrStore
  readonly inspection: Inspection
  readonly path: string
  readonly array: ArrayInfo
  readonly signal: AbortSignal
}

async function drawPlane(
  canvas: OffscreenCanvas,
  { store, inspection, path, array, signal }: PlaneInput,
): Promise<boolean> {
  const axes = pictureAxes(array, undefined)
  const levels = levelsOf(inspection, path, axes)
  const level = levels.findLast(({ array: { shape } }) => (shape[axes[1]] ?? 0) >= WIDTH / 4) ?? levels[0]
  if (level === undefined) return false
  const [rows = 1, columns = 1] = axes.map((axis) => level.array.shape[axis])
  const window: Window = {
    down: [0, rows],
    across: [0, columns],
    steps: [stepOf(rows), stepOf(columns)],
  }
  if (chunksWithin(level, axes, window) > MOST_CHUNKS) return false
  const at = array.shape.map(() => 0)
  const meaning = meaningOf(array)
  const [raster, coordinates] = await Promise.all([
    readRaster({ store, level, axes, at, window, meaning, signal }),
    coordinatesOf(store, inspection, path, array, signal).catch(() => []),
  ])
  const { usual, count } = statisticsOf(raster.values)
  if (count === 0) return false
  const classes = meaning.flags.size > 0 ? [...meaning.flags.keys()] : undefined
  const pixels = painted(raster.values, { table: colourTable(undefined), low: usual[0], high: usual[1], classes })
  const bitmap = new OffscreenCanvas(raster.columns, raster.rows)
  bitmap.getContext('2d')?.putImageData(new ImageData(pixels, raster.columns, raster.rows), 0, 0)
  const context = canvas.getContext('2d')
  if (context === null) return false
  const y = coordinates[axes[0]]?.values
  if (y !== undefined && (y.at(-1) ?? 0) > (y[0] ?? 0)) {
    context.translate(0, HEIGHT)
    context.scale(1, -1)
  }
  // As much of the middle as fills the card; all of what is much longer than wide.
  const isLong = Math.max(rows / columns, columns / rows) >= 4
  const scale = Math.max(WIDTH / raster.columns, HEIGHT / raster.rows)
  context.imageSmoothingEnabled = scale < 1
  const [width, height] = isLong ? [WIDTH, HEIGHT] : [raster.columns * scale, raster.rows * scale]
  context.drawImage(bitmap, (WIDTH - width) / 2, (HEIGHT - height) / 2, width, height)
  return true
}

const stepOf = (length: number) => Math.max(1, Math.ceil(length / WIDTH))

async function drawLine(
  canvas: OffscreenCanvas,
  store: ZarrStore,
  path: string,
  array: ArrayInfo,
  signal: AbortSignal,
): Promise<boolean> {
  const axis = array.shape.findIndex((length) => length > 1)
  const length = array.shape[axis] ?? 0
  const step = Math.max(1, Math.floor(length / WIDTH))
  const stored = await readAlong(store, path, array, axis, { at: array.shape.map(() => 0), step, signal })
  const meaning = meaningOf(array)
  const values = Float64Array.from(stored, (one) => (typeof one === 'string' ? Number.NaN : meaning.of(one)))
  const { least, most, count } = statisticsOf(values)
  const context = canvas.getContext('2d')
  if (count === 0 || context === null) return false
  context.strokeStyle = '#2c8a9c'
  context.lineWidth = 2
  context.beginPath()
  let isDown = false
  for (const [index, value] of values.entries()) {
    const x = (index / Math.max(1, values.length - 1)) * WIDTH
    const y = HEIGHT * (0.85 - (0.7 * (value - least)) / (most - least || 1))
    if (Number.isFinite(value) && isDown) context.lineTo(x, y)
    else if (Number.isFinite(value)) context.moveTo(x, y)
    isDown = Number.isFinite(value)
  }
  context.stroke()
  return true
}

async function urlOf(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  return `data:${blob.type};base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`
}
