import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { ProblemNote } from '../parts/problem-note.tsx'
import { useLoaded } from '../state/use-loaded.ts'
import { type Coordinate, coordinatesOf } from './coordinates.ts'
import { saveCanvas, saveCsv } from './export.ts'
import { drawLine } from './line-drawing.ts'
import { meaningOf, numberText } from './meaning.ts'
import type { PlotProps } from './plot.tsx'
import { readAlong } from './single-values.ts'
import { statisticsOf } from './statistics.ts'
import type { ZarrStore } from './zarr-store.ts'

/** Points of a line; of a longer one every n-th is drawn. */
const MOST_POINTS = 20_000

interface Line {
  readonly values: Float64Array
  readonly step: number
  readonly coordinate: Coordinate | undefined
}

/** One dimension as a line; gaps are where points are missing. */
export function LinePlot({ array, path, store, inspection }: PlotProps & { readonly store: ZarrStore }) {
  const axis = Math.max(
    0,
    array.shape.findIndex((length) => length > 1),
  )
  const meaning = useMemo(() => meaningOf(array), [array])
  const line = useLoaded<Line>(
    async (signal) => {
      const length = array.shape[axis] ?? 0
      const step = Math.max(1, Math.ceil(length / MOST_POINTS))
      const [stored, coordinates] = await Promise.all([
        readAlong(store, path, array, axis, { at: array.shape.map(() => 0), step, signal }),
        coordinatesOf(store, inspection, path, array, signal),
      ])
      const values = Float64Array.from(stored, (one) => (typeof one === 'string' ? Number.NaN : meaning.of(one)))
      return { values, step, coordinate: coordinates[axis] }
    },
    [store, path],
  )
  if (line.kind === 'failed') return <ProblemNote problem={line.problem} />
  if (line.kind === 'loading') return <div class="plot" aria-busy="true" />
  return <Drawn line={line.value} name={path} units={meaning.units} />
}

function Drawn({ line, name, units }: { readonly line: Line; readonly name: string; readonly units: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [at, setAt] = useState<number>()
  const statistics = useMemo(() => statisticsOf(line.values), [line])
  const label = (index: number) => line.coordinate?.label(index * line.step) ?? String(index * line.step)
  useEffect(() => {
    const target = canvas.current
    if (target === null) return
    const draw = () => drawLine(target, { values: line.values, statistics, at, label })
    draw()
    const resized = new ResizeObserver(draw)
    resized.observe(target)
    return () => resized.disconnect()
  })
  const last = line.values.length - 1
  const onMove = (event: PointerEvent) => {
    const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect()
    const part = (event.clientX - left - 72) / (width - 84)
    setAt(part < 0 || part > 1 ? undefined : Math.round(part * last))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    setAt((before) => Math.min(last, Math.max(0, (before ?? -step) + step)))
  }
  const value = at === undefined ? undefined : line.values[at]
  return (
    <div class="plot">
      <canvas
        ref={canvas}
        class="line"
        tabIndex={0}
        role="img"
        aria-label={`${name} as a line: from ${numberText(statistics.least)} to ${numberText(statistics.most)} ${units}`}
        onPointerMove={onMove}
        onPointerLeave={() => setAt(undefined)}
        onKeyDown={onKeyDown}
      />
      <p class="readout" aria-live="polite">
        {at === undefined || value === undefined
          ? `${statistics.count.toLocaleString()} values${statistics.missing > 0 ? `, ${statistics.missing.toLocaleString()} missing` : ''}${line.step > 1 ? `, every ${line.step}th of the array` : ''}; mean ${numberText(statistics.mean)} ${units}`
          : `${line.coordinate?.name ?? ''} ${label(at)}: ${numberText(value)} ${Number.isNaN(value) ? '' : units}`}
      </p>
      <p class="actions">
        <button type="button" onClick={() => saveCanvas(canvas.current, name)}>
          Save picture
        </button>
        <button
          type="button"
          onClick={() =>
            saveCsv(name, [
              [line.coordinate?.name ?? 'index', name],
              ...Array.from(line.values, (one, i) => [label(i), one]),
            ])
          }
        >
          Save values
        </button>
      </p>
    </div>
  )
}
