import { COLOUR_MAPS } from './colour-maps.ts'

export const COLOUR_NAMES = Object.keys(COLOUR_MAPS)
export const DEFAULT_COLOURS = 'viridis'

const STEPS = 256

/** Red, green and blue of 256 steps, one after the other. */
export function colourTable(name: string | undefined): Uint8Array {
  const stops = (COLOUR_MAPS[name ?? ''] ?? COLOUR_MAPS[DEFAULT_COLOURS] ?? '').split(' ').map(channelsOf)
  const table = new Uint8Array(STEPS * 3)
  for (let step = 0; step < STEPS; step++) {
    const at = (step / (STEPS - 1)) * (stops.length - 1)
    const low = Math.min(Math.floor(at), stops.length - 2)
    for (let channel = 0; channel < 3; channel++) {
      const [from, to] = [stops[low]?.[channel] ?? 0, stops[low + 1]?.[channel] ?? 0]
      table[step * 3 + channel] = Math.round(from + (to - from) * (at - low))
    }
  }
  return table
}

function channelsOf(colour: string): readonly number[] {
  return [0, 2, 4].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
}

/** Colours of flags and classes: apart from each other in hue, of one lightness. */
const CLASS_COLOURS = ['4b7bb5', 'd08b3e', '5a9e63', 'b75d69', '8573b8', '3c9aa0', 'a68a2e', '7d8790'].map(channelsOf)

/** What values are painted in. */
export interface Paint {
  readonly table: Uint8Array
  readonly low: number
  readonly high: number
  /** Where numbers are names: their places among these decide the colour. */
  readonly classes?: readonly number[] | undefined
}

/** Red, green, blue and alpha of values; those that are missing stay transparent. */
export function painted(values: Float64Array, { table, low, high, classes }: Paint): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(values.length * 4)
  const scale = high > low ? (STEPS - 1) / (high - low) : 0
  const places = new Map(classes?.map((value, at) => [value, at]))
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN
    if (Number.isNaN(value)) continue
    if (classes !== undefined) {
      const colour = CLASS_COLOURS[(places.get(value) ?? 0) % CLASS_COLOURS.length] ?? []
      pixels.set(colour, i * 4)
    } else {
      const step = high > low ? Math.max(0, Math.min(STEPS - 1, Math.round((value - low) * scale))) : STEPS >> 1
      pixels[i * 4] = table[step * 3] ?? 0
      pixels[i * 4 + 1] = table[step * 3 + 1] ?? 0
      pixels[i * 4 + 2] = table[step * 3 + 2] ?? 0
    }
    pixels[i * 4 + 3] = 255
  }
  return pixels
}

/** A colour of the table as CSS takes it. */
export function cssOf(table: Uint8Array, part: number): string {
  const step = Math.round(Math.max(0, Math.min(1, part)) * (STEPS - 1))
  return `rgb(${table[step * 3]} ${table[step * 3 + 1]} ${table[step * 3 + 2]})`
}

export function classColour(place: number): string {
  return `rgb(${CLASS_COLOURS[place % CLASS_COLOURS.length]?.join(' ')})`
}
