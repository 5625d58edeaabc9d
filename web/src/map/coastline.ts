import type { Line } from './overlay.ts'

const STEPS_PER_DEGREE = 100

/** Natural Earth's coasts (scripts/make-coastline.ts), read when a map is first drawn. */
export async function coastline(): Promise<readonly Line[]> {
  const answer = await fetch(new URL('./coastline.json', import.meta.url))
  const lines = (await answer.json()) as readonly (readonly number[])[]
  return lines.map(lineOf)
}

function lineOf(steps: readonly number[]): Line {
  let [x, y] = [0, 0]
  const points: [number, number][] = []
  for (let at = 0; at + 1 < steps.length; at += 2) {
    x += steps[at] ?? 0
    y += steps[at + 1] ?? 0
    points.push([x / STEPS_PER_DEGREE, y / STEPS_PER_DEGREE])
  }
  return points
}
