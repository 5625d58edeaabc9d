import assert from 'node:assert/strict'
import type { Expected, Probe } from './expected.ts'
import type { Picture } from './png.ts'
import { BACKGROUND, RAMP, type ScreenPoint, WINDOW_SIZE } from './viewer.ts'
import type { ViewerPage } from './viewer-page.ts'

const TOLERANCE = 8
const PAUSE_MS = 250
/** Of a machine that does much else; a map that is right is so within a second or two. */
const DEADLINE_MS = 45_000

/** Waits until the map is right, twice in a row; what is wrong with it then, after a while, is the failure. */
export async function checkMap(
  page: ViewerPage,
  title: string,
  probes: readonly Probe[],
  known: Expected,
): Promise<void> {
  const all: readonly Probe[] = [...probes, ...known.outside.map(([x, y]): Probe => [x, y, null])]
  const points = await page.pixelsOf(all.map(([longitude, latitude]) => [longitude, latitude]))
  const deadline = Date.now() + DEADLINE_MS
  let rightBefore = false
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    const wrong = wrongPlaces(await page.picture(), all, points, known)
    if (wrong.length === 0 && rightBefore) return
    rightBefore = wrong.length === 0
    if (Date.now() < deadline) continue
    const kept = await page.keep(title)
    const shown = [...wrong.slice(0, 8), ...page.errors.slice(-3)].join('; ')
    assert.fail(`${wrong.length} of ${all.length} places are wrong (${kept}): ${shown}`)
  }
}

function wrongPlaces(
  picture: Picture,
  probes: readonly Probe[],
  points: readonly ScreenPoint[],
  known: Expected,
): readonly string[] {
  return probes.flatMap(([longitude, latitude, values], i) => {
    const [x = -1, y = -1] = points[i] ?? []
    if (x < 0 || y < 0 || x >= WINDOW_SIZE || y >= WINDOW_SIZE)
      return [`${longitude}, ${latitude} is not on the screen`]
    const wanted = colourOf(values, known)
    const seen = colourAt(picture, Math.floor(x), Math.floor(y))
    const difference = Math.max(...wanted.map((channel, c) => Math.abs(channel - (seen[c] ?? 0))))
    const { tolerance = TOLERANCE } = known
    return difference <= tolerance ? [] : [`at ${x.toFixed(1)}, ${y.toFixed(1)}: ${seen} instead of ${wanted}`]
  })
}

function colourOf(values: readonly number[] | null, { range }: Expected): readonly number[] {
  if (values === null) return BACKGROUND
  const [value = 0] = values
  if (range === null) return values
  const [low, high] = range
  return RAMP[0].map((from, channel) => from + ((RAMP[1][channel] ?? 0) - from) * ((value - low) / (high - low)))
}

function colourAt({ width, channels, data }: Picture, x: number, y: number): readonly number[] {
  const at = (y * width + x) * channels
  return [...data.subarray(at, at + 3)]
}
