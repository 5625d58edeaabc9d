import { malformed, overLimit } from '../../errors.ts'
import type { Affine } from '../../formats/georeference/conventions.ts'
import type { Placement } from './placement.ts'

/** A raster of a mosaic, named for errors. */
export interface NamedPlacement {
  readonly url: string
  readonly placement: Placement
}

/** The grid of all rasters: it begins at their outermost corner, and runs as the first of them does. */
export interface MosaicGrid {
  readonly transform: Affine
  readonly height: number
  readonly width: number
  /** By the order of the rasters. */
  readonly boxes: readonly GridBox[]
}

/** Where a raster lies in the grid, in pixels. */
export interface GridBox {
  readonly row: number
  readonly column: number
  readonly height: number
  readonly width: number
  /** Whether its rows and its columns run the other way. */
  readonly reversed: readonly [rows: boolean, columns: boolean]
}

/** Part of a pixel that a corner may lie beside the grid: transforms are written with some digits only. */
const TOLERANCE = 0.05
/** What readers count pixels with. */
const MOST_PIXELS = 2 ** 31 - 1

/** Places rasters by their transforms; one of another reference system, pixel size or pixel grid is refused by name. */
export function mosaicGrid(rasters: readonly [NamedPlacement, ...NamedPlacement[]]): MosaicGrid {
  const [first] = rasters
  requireUpright(first)
  const spans = rasters.map((raster) => {
    requireUpright(raster)
    requireSystem(first, raster)
    return { rows: spanOf(first, raster, ROWS), columns: spanOf(first, raster, COLUMNS) }
  })
  const [rows, columns] = [extentOf(spans.map(({ rows: span }) => span)), extentOf(spans.map((span) => span.columns))]
  const [a, , , , e] = first.placement.transform
  for (const length of [rows.length, columns.length])
    if (length > MOST_PIXELS) throw overLimit(`a mosaic of ${length} pixels in one direction, at most ${MOST_PIXELS}`)
  return {
    transform: [a, 0, columns.corner, 0, e, rows.corner],
    height: rows.length,
    width: columns.length,
    boxes: spans.map((span) => ({
      row: span.rows.start - rows.start,
      column: span.columns.start - columns.start,
      height: span.rows.length,
      width: span.columns.length,
      reversed: [span.rows.isReversed, span.columns.isReversed],
    })),
  }
}

function requireUpright({ url, placement: { transform } }: NamedPlacement): void {
  const [a, b, , d, e] = transform
  if (b === 0 && d === 0 && a !== 0 && e !== 0 && transform.every(Number.isFinite)) return
  throw malformed(`${url} is rotated or sheared: no mosaic places it without resampling`)
}

function requireSystem(first: NamedPlacement, other: NamedPlacement): void {
  const [one, two] = [first.placement.system, other.placement.system]
  if (one.code !== undefined && one.code === two.code) return
  if (one.wkt === two.wkt && (one.code === undefined || two.code === undefined || one.code === two.code)) return
  const [left, right] = [one, two].map(({ code, wkt }) => code ?? wkt?.slice(0, 60) ?? 'absent')
  throw malformed(`the reference system is ${left} in ${first.url} and ${right} in ${other.url}`)
}

/** Along one axis: in pixels of the first raster, from its corner. */
interface Span {
  readonly start: number
  readonly length: number
  readonly isReversed: boolean
  /** Where its lower end lies on Earth. */
  readonly corner: number
}

interface Axis {
  readonly name: string
  step(placement: Placement): number
  corner(placement: Placement): number
  length(placement: Placement): number
}

const ROWS: Axis = {
  name: 'y',
  step: ({ transform }) => transform[4],
  corner: ({ transform }) => transform[5],
  length: ({ height }) => height,
}
const COLUMNS: Axis = {
  name: 'x',
  step: ({ transform }) => transform[0],
  corner: ({ transform }) => transform[2],
  length: ({ width }) => width,
}

function spanOf(first: NamedPlacement, raster: NamedPlacement, axis: Axis): Span {
  const [step, origin] = [axis.step(first.placement), axis.corner(first.placement)]
  const [own, corner, length] = [
    axis.step(raster.placement),
    axis.corner(raster.placement),
    axis.length(raster.placement),
  ]
  const ends = [corner, corner + own * length] as const
  const [one = 0, other = 0] = ends.map((end) => (end - origin) / step)
  const [low, high] = one <= other ? [one, other] : [other, one]
  const start = Math.round(low)
  if (Math.abs(high - low - length) > TOLERANCE) {
    throw malformed(
      `the pixel size in ${axis.name} is ${Math.abs(step)} in ${first.url} and ${Math.abs(own)} in ${raster.url}`,
    )
  }
  if (Math.abs(low - start) > TOLERANCE || Math.abs(high - start - length) > TOLERANCE) {
    const off = Math.abs(low - start).toPrecision(2)
    throw malformed(`${raster.url} lies ${off} pixels in ${axis.name} beside the pixel grid of ${first.url}`)
  }
  return { start, length, isReversed: own / step < 0, corner: one <= other ? ends[0] : ends[1] }
}

function extentOf(spans: readonly Span[]): Pick<Span, 'start' | 'length' | 'corner'> {
  const lowest = spans.reduce((least, span) => (span.start < least.start ? span : least))
  const end = spans.reduce((most, span) => Math.max(most, span.start + span.length), Number.NEGATIVE_INFINITY)
  return { start: lowest.start, length: end - lowest.start, corner: lowest.corner }
}

/** Those of two axes, of rows and of columns, that run the other way. */
export function reversedAxes({ reversed }: GridBox, axes: readonly number[]): readonly number[] {
  return axes.filter((_axis, at) => reversed[at])
}
