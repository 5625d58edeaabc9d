import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Place } from '../map/use-place.ts'
import { bytesText } from '../parts/bytes-text.ts'
import type { ArrayInfo } from '../service/types.ts'
import type { Paint } from './colours.ts'
import type { Coordinate } from './coordinates.ts'
import { saveCanvas, saveCsv } from './export.ts'
import type { Meaning } from './meaning.ts'
import { pictureOf } from './picture.ts'
import { PlaneCanvas } from './plane-canvas.ts'
import { rasterRows } from './raster-rows.ts'
import type { Rasters, Wanted } from './use-rasters.ts'
import { useReadout } from './use-readout.ts'
import { applied, inverse } from './viewport.ts'
import type { ZarrStore } from './zarr-store.ts'

interface PictureFrameProps {
  readonly array: ArrayInfo
  readonly path: string
  readonly store: ZarrStore
  readonly axes: readonly [number, number]
  readonly at: readonly number[]
  readonly meaning: Meaning
  readonly rasters: Rasters
  readonly paint: Paint
  readonly opacity: number
  readonly coordinates: readonly Coordinate[] | undefined
  readonly place: Place
  readonly onWanted: (wanted: Wanted) => void
  readonly onAll: () => void
  readonly children: ComponentChildren
}

/** The picture with what is said around it. */
export function PictureFrame(props: PictureFrameProps) {
  const { path, store, rasters, axes, coordinates, place, onAll, children } = props
  const canvas = useRef<HTMLCanvasElement>(null)
  const [readout, point] = useReadout(props)
  const plane = usePlane(canvas, props, point)
  const { base, isLoading, cut, problem } = rasters
  const shown = rasters.detail ?? base
  return (
    <div class="plot">
      <div class="plot-tools">
        {children}
        <span class="grow" />
        <button type="button" class="plain" aria-label="Zoom in" onClick={() => plane.current?.zoom(1.5)}>
          +
        </button>
        <button type="button" class="plain" aria-label="Zoom out" onClick={() => plane.current?.zoom(1 / 1.5)}>
          −
        </button>
        <button type="button" class="plain" onClick={() => plane.current?.reset()}>
          All
        </button>
        <button type="button" class="plain" onClick={() => saveCanvas(canvas.current, path)}>
          <span class="where-wide">Save picture</span>
          <span class="where-narrow">
            <span class="hidden">Save</span> PNG ↓
          </span>
        </button>
        <button
          type="button"
          class="plain"
          disabled={shown === undefined}
          onClick={() => shown !== undefined && saveCsv(path, rasterRows(shown, axes, coordinates))}
        >
          <span class="where-wide">Save values</span>
          <span class="where-narrow">
            <span class="hidden">Save</span> CSV ↓
          </span>
        </button>
      </div>
      <div class="plot-area">
        <canvas
          ref={canvas}
          tabIndex={0}
          role="img"
          aria-label={`${path} as a ${place.kind === 'map' ? 'map' : 'picture'}. Arrow keys move it, plus and minus zoom, zero shows all.`}
          data-loaded={!isLoading}
          class={isLoading ? 'stale' : ''}
        />
        {isLoading && <progress aria-label="Reading values" />}
      </div>
      <p class="readout" aria-live="polite">
        {readout ??
          (isLoading
            ? `Reading… ${bytesText(store.bytes)}`
            : `Point at the picture for its values. ${bytesText(store.bytes)} read.`)}
      </p>
      {problem !== undefined && <p class="quiet">A part could not be read: {problem.message}</p>}
      {cut > 0 && (
        <p class="notice">
          This is the middle of the array: the rest has {cut.toLocaleString()} more chunks and no overviews.{' '}
          <button type="button" onClick={onAll}>
            Read all of it
          </button>
        </p>
      )}
    </div>
  )
}

/** The canvas: made once, told of every change. */
function usePlane(
  canvas: { readonly current: HTMLCanvasElement | null },
  { array, axes, rasters, paint, opacity, coordinates, place, onWanted }: PictureFrameProps,
  point: (index: readonly [number, number] | undefined) => void,
) {
  const plane = useRef<PlaneCanvas>(undefined)
  const latest = useRef({ point, place, onWanted })
  latest.current = { point, place, onWanted }
  useEffect(() => {
    if (canvas.current === null) return
    const made = new PlaneCanvas(canvas.current, {
      onPoint: (index) => latest.current.point(index),
      onRest: (seen, scale) => {
        const { placement } = latest.current.place
        if (placement.kind === 'mesh') {
          const wanted = placement.wantedOf(seen, scale)
          if (wanted !== undefined) latest.current.onWanted(wanted)
          return
        }
        const [left, top] = applied(inverse(placement.matrix), seen.left, seen.top)
        const [right, bottom] = applied(inverse(placement.matrix), seen.right, seen.bottom)
        const [a, b, c, d] = placement.matrix
        // Pixels for each step down and across, whichever way these run.
        const sizes = [Math.hypot(c * scale[0], d * scale[1]), Math.hypot(a * scale[0], b * scale[1])]
        const [down = 1, across = 1] = sizes.map((size) => Math.max(1, 1 / size))
        latest.current.onWanted({
          down: [Math.min(top, bottom), Math.max(top, bottom)],
          across: [Math.min(left, right), Math.max(left, right)],
          points: [down, across],
        })
      },
    })
    plane.current = made
    return () => made.close()
  }, [canvas])
  const { base, detail } = rasters
  const coarse = useMemo(() => base && pictureOf(base, paint), [base, paint])
  const fine = useMemo(() => detail && pictureOf(detail, paint), [detail, paint])
  const labels = useMemo(() => {
    const [down, across] = axes
    if (place.kind === 'map') return undefined
    return {
      rows: array.shape[down] ?? 1,
      columns: array.shape[across] ?? 1,
      down: (row: number) => coordinates?.[down]?.label(row) ?? String(row),
      across: (column: number) => coordinates?.[across]?.label(column) ?? String(column),
      downName: array.dimension_names[down] ?? '',
      acrossName: array.dimension_names[across] ?? '',
    }
  }, [array, axes, coordinates, place])
  useEffect(() => {
    const pictures = [coarse, fine].filter((picture) => picture !== undefined)
    plane.current?.show({ ...place, pictures, opacity, labels })
  }, [coarse, fine, place, opacity, labels])
  return plane
}
