import { useCallback, useRef, useState } from 'preact/hooks'
import type { Place } from '../map/use-place.ts'
import type { ArrayInfo } from '../service/types.ts'
import type { Coordinate } from './coordinates.ts'
import { type Meaning, numberText } from './meaning.ts'
import { readPoint } from './single-values.ts'
import type { ZarrStore } from './zarr-store.ts'

interface ReadoutInput {
  readonly array: ArrayInfo
  readonly path: string
  readonly store: ZarrStore
  readonly axes: readonly [number, number]
  readonly at: readonly number[]
  readonly meaning: Meaning
  readonly coordinates: readonly Coordinate[] | undefined
  readonly place: Place
}

const PAUSE_MILLISECONDS = 40

/** What lies under the pointer, in words: read from the full resolution, whatever is drawn. */
export function useReadout(input: ReadoutInput) {
  const [text, setText] = useState<string>()
  const latest = useRef(input)
  latest.current = input
  const turn = useRef({ timer: 0, leaving: new AbortController() })
  const point = useCallback((index: readonly [number, number] | undefined) => {
    clearTimeout(turn.current.timer)
    turn.current.leaving.abort()
    const { array, axes } = latest.current
    const isInside = index?.every((one, side) => one >= 0 && one < (array.shape[axes[side as 0 | 1]] ?? 0)) === true
    if (index === undefined || !isInside) return setText(undefined)
    const leaving = new AbortController()
    const timer = window.setTimeout(() => void tell(latest.current, index, leaving.signal, setText), PAUSE_MILLISECONDS)
    turn.current = { timer, leaving }
  }, [])
  return [text, point] as const
}

async function tell(
  { array, path, store, axes, at, meaning, coordinates }: ReadoutInput,
  [row, column]: readonly [number, number],
  signal: AbortSignal,
  say: (text: string) => void,
): Promise<void> {
  const index = at.with(axes[0], row).with(axes[1], column)
  const place = axes
    .map((axis) => `${array.dimension_names[axis]} ${coordinates?.[axis]?.label(index[axis] ?? 0) ?? index[axis]}`)
    .join(', ')
  try {
    const stored = await readPoint(store, path, array, index, signal)
    if (signal.aborted || stored === undefined || typeof stored === 'string') return
    const value = meaning.of(stored)
    const name = meaning.flags.get(value)
    const said =
      name === undefined
        ? `${numberText(value)} ${Number.isNaN(value) ? '' : meaning.units}`
        : `${value} ${name.replaceAll('_', ' ')}`
    say(`${said.trim()} at ${place} [${index.join(', ')}]`)
  } catch {
    // The picture itself says what can't be read.
  }
}
