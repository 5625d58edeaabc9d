import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { bytesText } from '../parts/bytes-text.ts'
import { ProblemNote } from '../parts/problem-note.tsx'
import { surveyChunks } from '../service/api.ts'
import type { ArrayInfo, ChunkSurvey } from '../service/types.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { askHosts } from './ask-hosts.ts'
import {
  type Asked,
  type ChunkCell,
  cellsOf,
  coordinatesText,
  countText,
  type GridOfCells,
  gridOfCells,
  layoutText,
} from './chunk-cells.ts'

interface ChunkMapProps {
  readonly segment: string
  readonly path: string
  readonly array: ArrayInfo
}

/** The grid of chunks as a picture: which are stored, how large, which never were written, which are unlike the others. */
export function ChunkMap({ segment, path, array }: ChunkMapProps) {
  const [first, setFirst] = useState(0)
  const survey = useLoaded((signal) => surveyChunks(segment, path, first, signal), [segment, path, first])
  const total = array.chunk_grid.reduce((count, length) => count * length, 1)
  return (
    <section aria-labelledby="chunks">
      <h2 id="chunks">Chunk map</h2>
      {survey.kind === 'failed' && <ProblemNote problem={survey.problem} />}
      {survey.kind === 'loading' && <div class="chunk-map" aria-busy="true" />}
      {survey.kind === 'ready' && (
        <>
          <SurveyMap survey={survey.value} array={array} segment={segment} path={path} />
          {total > survey.value.kinds.length && (
            <Pages first={first} shown={survey.value.kinds.length} total={total} onChoose={setFirst} />
          )}
        </>
      )}
    </section>
  )
}

interface PagesProps {
  readonly first: number
  readonly shown: number
  readonly total: number
  readonly onChoose: (first: number) => void
}

const PAGE = 4096

function Pages({ first, shown, total, onChoose }: PagesProps) {
  return (
    <p class="pages">
      Chunks {(first + 1).toLocaleString()} to {(first + shown).toLocaleString()} of {total.toLocaleString()}
      <button type="button" disabled={first === 0} onClick={() => onChoose(Math.max(0, first - PAGE))}>
        Earlier
      </button>
      <button type="button" disabled={first + shown >= total} onClick={() => onChoose(first + PAGE)}>
        Later
      </button>
    </p>
  )
}

function SurveyMap({ survey, array, segment, path }: ChunkMapProps & { readonly survey: ChunkSurvey }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [asked, setAsked] = useState<Asked>(new Map())
  const cells = useMemo(() => cellsOf(survey, asked), [survey, asked])
  const grid = useMemo(() => gridOfCells(survey), [survey])
  const [at, setAt] = useState<number>()
  useEffect(() => {
    if (canvas.current !== null) paint(canvas.current, cells, grid, at)
  }, [cells, grid, at])
  const onMove = (event: PointerEvent) => {
    const { left, top, width } = (event.currentTarget as HTMLElement).getBoundingClientRect()
    const size = width / grid.columns
    const found = Math.floor((event.clientY - top) / size) * grid.columns + Math.floor((event.clientX - left) / size)
    setAt(cells[found] === undefined ? undefined : found)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: grid.columns, ArrowUp: -grid.columns }[event.key]
    if (step === undefined) return
    event.preventDefault()
    setAt((before) => Math.min(cells.length - 1, Math.max(0, before === undefined ? 0 : before + step)))
  }
  const cell = at === undefined ? undefined : cells[at]
  return (
    <>
      <p>
        {countText(cells)} <span class="quiet">{layoutText(survey, array)}</span>
      </p>
      <div class="chunk-map">
        <canvas
          ref={canvas}
          role="img"
          tabIndex={0}
          aria-label={`The chunks as a grid. ${countText(cells)}`}
          width={grid.columns * grid.size}
          height={grid.rows * grid.size}
          onPointerMove={onMove}
          onPointerLeave={() => setAt(undefined)}
          onKeyDown={onKeyDown}
        />
      </div>
      <p class="readout" aria-live="polite">
        {cell === undefined
          ? 'Point at a chunk, or step through them with the arrow keys.'
          : `${coordinatesText(survey, array, at ?? 0)}: ${cell.words}${cell.bytes === null ? '' : `, ${bytesText(cell.bytes)}`}`}
      </p>
      {cells.some(({ kind }) => kind === 'unknown') && (
        <button type="button" onClick={() => void askHosts(segment, path, survey, setAsked)}>
          Ask the host which are there
        </button>
      )}
      <ul class="legend" aria-label="Colours">
        <li class="stored">stored, darker is larger</li>
        <li class="absent">never written: reads as the fill value</li>
        <li class="odd">in another encoding</li>
        <li class="made">of another source, put together, or not known</li>
      </ul>
    </>
  )
}

function paint(
  canvas: HTMLCanvasElement,
  cells: readonly ChunkCell[],
  grid: GridOfCells,
  at: number | undefined,
): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  const style = getComputedStyle(canvas)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const colours = {
    stored: colour('--accent'),
    odd: colour('--warm'),
    made: colour('--quiet'),
    unknown: colour('--edge'),
    absent: colour('--edge'),
  }
  context.clearRect(0, 0, canvas.width, canvas.height)
  const gap = grid.size >= 6 ? 1 : 0
  for (const [index, { kind, weight }] of cells.entries()) {
    const x = (index % grid.columns) * grid.size
    const y = Math.floor(index / grid.columns) * grid.size
    const side = grid.size - gap
    context.globalAlpha = kind === 'stored' ? 0.3 + 0.7 * weight : 1
    context.fillStyle = context.strokeStyle = colours[kind]
    if (kind === 'absent' && grid.size >= 4) context.strokeRect(x + 0.5, y + 0.5, side - 1, side - 1)
    else context.fillRect(x, y, side, side)
    if (index !== at) continue
    context.globalAlpha = 1
    context.strokeStyle = colour('--ink')
    context.strokeRect(x + 0.5, y + 0.5, side - 1, side - 1)
  }
}
