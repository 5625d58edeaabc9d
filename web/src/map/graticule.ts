import type { Box } from '../plot/viewport.ts'
import type { Line } from './overlay.ts'

/** A meridian or a parallel with its name. */
export interface GraticuleLine {
  readonly points: Line
  readonly name: string
  readonly isMeridian: boolean
}

const STEPS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 45]
/** About as many lines each way. */
const LINES = 6
const POINTS = 48

/** Meridians and parallels in round steps over a part of the Earth; `top` is its least latitude. */
export function graticule({ left, right, top, bottom }: Box): readonly GraticuleLine[] {
  const [south, north] = [Math.max(-90, top), Math.min(90, bottom)]
  const step = stepFor(Math.min(right - left, 360), north - south)
  const along = (from: number, to: number) =>
    Array.from({ length: POINTS + 1 }, (_, at) => from + ((to - from) * at) / POINTS)
  const [west, east] = [left, Math.min(right, left + 720)]
  const meridians = multiples(west, east, step).map((longitude) => ({
    points: along(south, north).map((latitude) => [longitude, latitude] as const),
    name: nameOf(((((longitude + 180) % 360) + 360) % 360) - 180, 'E', 'W', step),
    isMeridian: true,
  }))
  const parallels = multiples(south, north, step).map((latitude) => ({
    points: along(west, east).map((longitude) => [longitude, latitude] as const),
    name: nameOf(latitude, 'N', 'S', step),
    isMeridian: false,
  }))
  return [...meridians, ...parallels]
}

function stepFor(width: number, height: number): number {
  const wanted = Math.max(width, height) / LINES
  return STEPS.find((step) => step >= wanted) ?? 45
}

function multiples(from: number, to: number, step: number): readonly number[] {
  const found: number[] = []
  for (let at = Math.ceil(from / step); at * step <= to && found.length < 64; at++) found.push(at * step)
  return found
}

function nameOf(degrees: number, positive: string, negative: string, step: number): string {
  const digits = Math.max(0, -Math.floor(Math.log10(step)))
  const size = Math.abs(degrees).toFixed(digits)
  if (Number(size) === 0) return '0°'
  return `${size}°${degrees > 0 ? positive : negative}`
}
