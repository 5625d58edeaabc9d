import { useEffect, useState } from 'preact/hooks'
import type { ArrayInfo } from '../service/types.ts'
import type { Coordinate } from './coordinates.ts'

interface DimensionsProps {
  readonly array: ArrayInfo
  readonly axes: readonly [number, number]
  readonly at: readonly number[]
  readonly coordinates: readonly Coordinate[] | undefined
  readonly isBusy: boolean
  readonly onIndex: (name: string, index: number) => void
  readonly onAxes: (names: readonly [string, string]) => void
}

/** A slider for each dimension that is not drawn, and which two are. */
export function Dimensions({ array, axes, at, coordinates, isBusy, onIndex, onAxes }: DimensionsProps) {
  const names = array.dimension_names
  const others = names.flatMap((name, axis) =>
    axes.includes(axis) || (array.shape[axis] ?? 1) < 2 ? [] : [{ name, axis }],
  )
  if (names.length < 3) return null
  return (
    <div class="sliders">
      {others.map(({ name, axis }) => (
        <Slider
          key={name}
          name={name}
          length={array.shape[axis] ?? 1}
          index={at[axis] ?? 0}
          label={coordinates?.[axis]?.label(at[axis] ?? 0) ?? String(at[axis] ?? 0)}
          isBusy={isBusy}
          onIndex={(index) => onIndex(name, index)}
        />
      ))}
      <AxesChoice names={names} axes={axes} onAxes={onAxes} />
    </div>
  )
}

interface SliderProps {
  readonly name: string
  readonly length: number
  readonly index: number
  readonly label: string
  readonly isBusy: boolean
  readonly onIndex: (index: number) => void
}

const FRAME_MILLISECONDS = 250

function Slider({ name, length, index, label, isBusy, onIndex }: SliderProps) {
  const [isPlaying, setPlaying] = useState(false)
  useEffect(() => {
    // The next picture is asked for when this one is there: slow hosts make a slow film, and not a wrong one.
    if (!isPlaying || isBusy) return
    const timer = setTimeout(() => onIndex((index + 1) % length), FRAME_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [isPlaying, isBusy, index, length, onIndex])
  return (
    <div class="slider">
      <label for={`slider-${name}`}>{name}</label>
      <button
        type="button"
        class="plain"
        aria-label={isPlaying ? `Stop ${name}` : `Play ${name}`}
        onClick={() => setPlaying((before) => !before)}
      >
        {isPlaying ? '❚❚' : '▶'}
      </button>
      <input
        id={`slider-${name}`}
        type="range"
        min={0}
        max={length - 1}
        value={index}
        aria-valuetext={label}
        onInput={(event) => onIndex(Number(event.currentTarget.value))}
      />
      <output>{label}</output>
    </div>
  )
}

interface AxesChoiceProps {
  readonly names: readonly string[]
  readonly axes: readonly [number, number]
  readonly onAxes: (names: readonly [string, string]) => void
}

function AxesChoice({ names, axes, onAxes }: AxesChoiceProps) {
  const [down, across] = [names[axes[0]] ?? '', names[axes[1]] ?? '']
  const options = names.map((name) => (
    <option key={name} value={name}>
      {name}
    </option>
  ))
  // The same dimension twice is meant as an exchange.
  const choose = (side: 0 | 1, name: string) => {
    if (side === 0) onAxes(name === across ? [across, down] : [name, across])
    else onAxes(name === down ? [across, down] : [down, name])
  }
  return (
    <div class="axes">
      <label>
        down{' '}
        <select value={down} onChange={(event) => choose(0, event.currentTarget.value)}>
          {options}
        </select>
      </label>
      <label>
        across{' '}
        <select value={across} onChange={(event) => choose(1, event.currentTarget.value)}>
          {options}
        </select>
      </label>
    </div>
  )
}
