import type { Plane } from './htransform.ts'

/** Coefficients that a coarse scale made zero are put between their neighbours, by at most `most`. */
export function smoothPlane(plane: Plane, height: number, width: number, most: number): void {
  const { columns } = plane
  for (let y = 2; y < height - 2; y += 2) {
    for (let x = 0; x < width; x += 2) smoothSide(plane.values, y * columns + x, 2 * columns, columns, most)
  }
  for (let y = 0; y < height; y += 2) {
    for (let x = 2; x < width - 2; x += 2) smoothSide(plane.values, y * columns + x, 2, 1, most)
  }
  for (let y = 2; y < height - 2; y += 2) {
    for (let x = 2; x < width - 2; x += 2) smoothCorner(plane.values, y * columns + x, columns, most)
  }
}

/** A difference in one direction: monotone between the sums on both sides. */
function smoothSide(values: Float64Array, at: number, far: number, near: number, most: number): void {
  const before = values[at - far] ?? 0
  const here = values[at] ?? 0
  const after = values[at + far] ?? 0
  const rises = [after - here, here - before] as const
  const high = Math.max(Math.min(...rises), 0) * 4
  const low = Math.min(Math.max(...rises), 0) * 4
  if (low < high) move(values, at + near, clamped(after - before, low, high), 8, most)
}

/** The difference of differences. */
function smoothCorner(values: Float64Array, at: number, columns: number, most: number): void {
  const [mm, pm] = [values[at - 2 * columns - 2] ?? 0, values[at + 2 * columns - 2] ?? 0]
  const [mp, pp] = [values[at - 2 * columns + 2] ?? 0, values[at + 2 * columns + 2] ?? 0]
  const here = values[at] ?? 0
  const down = (values[at + columns] ?? 0) * 2
  const across = (values[at + 1] ?? 0) * 2
  const bound = (side: (value: number, zero: number) => number, join: (a: number, b: number) => number) => {
    const one = join(side(pp - here, 0) - down - across, side(here - pm, 0) + down - across)
    const other = join(side(here - mp, 0) - down + across, side(mm - here, 0) + down + across)
    return join(one, other) * 16
  }
  const high = bound(Math.max, Math.min)
  const low = bound(Math.min, Math.max)
  if (low < high) move(values, at + columns + 1, clamped(pp + mm - mp - pm, low, high), 64, most)
}

function move(values: Float64Array, at: number, wanted: number, unit: number, most: number): void {
  const value = values[at] ?? 0
  values[at] = value + clamped(Math.trunc((wanted - value * unit) / unit), -most, most)
}

function clamped(value: number, low: number, high: number): number {
  return Math.max(Math.min(value, high), low)
}
