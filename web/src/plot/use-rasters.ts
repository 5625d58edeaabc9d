import { useEffect, useRef, useState } from 'preact/hooks'
import { asProblem, type Problem } from '../service/problem.ts'
import { type Level, levelFor } from './levels.ts'
import type { Meaning } from './meaning.ts'
import { chunksWithin, type Raster, readRaster, type Window } from './raster.ts'
import { readShape } from './read-shape.ts'
import type { ZarrStore } from './zarr-store.ts'

/** A part of the array at the full resolution, and how many of its points a pixel stands for, down and across. */
export interface Wanted {
  readonly down: readonly [number, number]
  readonly across: readonly [number, number]
  readonly points: readonly [down: number, across: number]
}

interface RastersInput {
  readonly store: ZarrStore
  readonly levels: readonly Level[]
  readonly axes: readonly [number, number]
  readonly at: readonly number[]
  readonly meaning: Meaning
  /** What is looked at; undefined while all of it is. */
  readonly wanted: Wanted | undefined
  /** Read all of it, however much that is. */
  readonly isAll: boolean
}

export interface Rasters {
  readonly base: Raster | undefined
  readonly detail: Raster | undefined
  readonly isLoading: boolean
  /** Chunks that were not read, since they are too many. */
  readonly cut: number
  readonly problem: Problem | undefined
}

/** Points across the first picture. */
const BASE_POINTS = 480
/** Chunks that are read without being asked to. */
const MOST_CHUNKS = 96

/** The whole array coarsely, then what is looked at as finely as the screen shows it. */
export function useRasters({ store, levels, axes, at, meaning, wanted, isAll }: RastersInput): Rasters {
  const [state, setState] = useState<Rasters>({
    base: undefined,
    detail: undefined,
    isLoading: true,
    cut: 0,
    problem: undefined,
  })
  const place = `${levels.map(({ path }) => path).join()} ${axes.join()} ${at.join()} ${isAll}`
  const painted = useRef(0)
  // `place` says which part of which array is read
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const full = levels[0]
    if (full === undefined) return
    const { window, level, cut } = baseWindow(levels, axes, isAll)
    setState((before) => ({ ...before, isLoading: true, detail: undefined, cut }))
    const onPart = (base: Raster) => {
      // Parts come quicker than they can be drawn.
      if (signal.aborted || performance.now() - painted.current < 150) return
      painted.current = performance.now()
      setState((before) =>
        before.base?.values === base.values || before.base === undefined ? { ...before, base: { ...base } } : before,
      )
    }
    readRaster({ store, level, axes, at, window, meaning, signal, onPart }).then(
      (base) => setState((before) => ({ ...before, base: { ...base }, isLoading: false, problem: undefined })),
      (error: unknown) =>
        !signal.aborted && setState((before) => ({ ...before, isLoading: false, problem: asProblem(error) })),
    )
    return () => leaving.abort()
  }, [store, place, meaning])
  // As above
  useEffect(() => {
    if (wanted === undefined) return
    const window = detailWindow(levels, axes, wanted)
    if (window === undefined || chunksWithin(window.level, axes, window.window) > MOST_CHUNKS) return
    const leaving = new AbortController()
    const { signal } = leaving
    readRaster({ store, ...window, axes, at, meaning, signal }).then(
      (detail) => setState((before) => ({ ...before, detail, problem: undefined })),
      (error: unknown) => !signal.aborted && setState((before) => ({ ...before, problem: asProblem(error) })),
    )
    return () => leaving.abort()
  }, [store, place, meaning, wanted])
  return state
}

/** All of the array where that is not too much to read, else its middle. */
export function baseWindow(levels: readonly Level[], axes: readonly [number, number], isAll: boolean) {
  const shape = axes.map((axis) => levels[0]?.array.shape[axis] ?? 1)
  const level = levelFor(levels, Math.max(...shape) / BASE_POINTS) as Level
  const [rows = 1, columns = 1] = axes.map((axis) => level.array.shape[axis] ?? 1)
  const whole: Window = { down: [0, rows], across: [0, columns], steps: [stepOf(rows), stepOf(columns)] }
  const count = chunksWithin(level, axes, whole)
  if (isAll || count <= MOST_CHUNKS) return { level, window: whole, cut: 0 }
  const [chunkRows = 1, chunkColumns = 1] = axes.map((axis) => readShape(level.array)[axis] ?? 1)
  const part = Math.sqrt(MOST_CHUNKS / 4)
  const middle = (length: number, size: number): readonly [number, number] => {
    const start = Math.max(0, Math.floor((length / 2 - (part * size) / 2) / size) * size)
    return [start, Math.min(length, start + Math.ceil(part) * size)]
  }
  const [down, across] = [middle(rows, chunkRows), middle(columns, chunkColumns)]
  const window: Window = { down, across, steps: [stepOf(down[1] - down[0]), stepOf(across[1] - across[0])] }
  return { level, window, cut: count - chunksWithin(level, axes, window) }
}

/** Every which point of so many is drawn at first. */
const stepOf = (length: number) => Math.max(1, Math.ceil(length / (2 * BASE_POINTS)))

/** What of which level is looked at; undefined where the first picture has it as fine already. */
function detailWindow(levels: readonly Level[], axes: readonly [number, number], { down, across, points }: Wanted) {
  const level = levelFor(levels, Math.min(...points))
  if (level === undefined) return undefined
  const steps = [0, 1].map((side) => Math.max(1, Math.floor((points[side] ?? 1) / (level.factor[side] ?? 1)))) as [
    number,
    number,
  ]
  const within = ([start, stop]: readonly [number, number], side: 0 | 1): readonly [number, number] => [
    Math.max(0, Math.floor(start / level.factor[side] / steps[side]) * steps[side]),
    Math.min(level.array.shape[axes[side]] ?? 0, Math.ceil(stop / level.factor[side])),
  ]
  const window = { down: within(down, 0), across: within(across, 1), steps }
  return window.down[1] <= window.down[0] || window.across[1] <= window.across[0] ? undefined : { level, window }
}
