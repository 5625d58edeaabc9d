import type { Coordinate } from './coordinates.ts'
import type { Raster } from './raster.ts'

/** The values of a raster as a table: labels of columns on top, those of rows in front. */
export function rasterRows(
  { values, rows, columns, window, level }: Raster,
  [down, across]: readonly [number, number],
  coordinates: readonly Coordinate[] | undefined,
): (string | number)[][] {
  const label = (axis: number, index: number, factor: number) => {
    const at = Math.min(Math.floor(index * factor), (coordinates?.[axis]?.length ?? 1) - 1)
    return coordinates?.[axis]?.values?.[at] ?? coordinates?.[axis]?.label(at) ?? String(index)
  }
  const head = Array.from({ length: columns }, (_, j) =>
    label(across, window.across[0] + j * window.steps[1], level.factor[1]),
  )
  const body = Array.from({ length: rows }, (_, i) => [
    label(down, window.down[0] + i * window.steps[0], level.factor[0]),
    ...values.subarray(i * columns, (i + 1) * columns),
  ])
  return [[`${coordinates?.[down]?.name ?? ''} \\ ${coordinates?.[across]?.name ?? ''}`, ...head], ...body]
}
