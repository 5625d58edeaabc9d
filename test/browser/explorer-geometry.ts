/** What an independent reader found in an array (explorer_values.py). */
export interface KnownArray {
  readonly path: string
  readonly at: Readonly<Record<string, number>>
  readonly steps: readonly [down: number, across: number]
  readonly shape: readonly [rows: number, columns: number]
  readonly range: readonly [number, number]
  /** Points with their values, and those of the points next to them. */
  readonly probes: readonly (readonly [
    row: number,
    column: number,
    value: number | null,
    around: readonly (number | null)[],
  ])[]
}

interface Area {
  readonly width: number
  readonly height: number
}

/** Room for labels around the picture of a grid. */
const LABELS = { left: 72, right: 12, top: 12, bottom: 32 }

/**
 * Where the middle of a cell has to be: all of the array is shown, in the middle, at one scale both ways, with larger coordinates
 * above and to the right. In a grid cells are squares, on a map as large as their steps.
 */
export function cellPlace(known: KnownArray, [row, column]: readonly [number, number], area: Area, isMap: boolean) {
  const room = isMap ? { left: 0, right: 0, top: 0, bottom: 0 } : LABELS
  const [frameWidth, frameHeight] = [area.width - room.left - room.right, area.height - room.top - room.bottom]
  const [rows, columns] = known.shape
  const [stepDown, stepAcross] = isMap ? known.steps.map(Math.abs) : [1, 1]
  const [width, height] = [columns * (stepAcross ?? 1), rows * (stepDown ?? 1)]
  const scale = Math.min(frameWidth / width, frameHeight / height)
  const fromTop = known.steps[0] > 0 ? rows - 1 - row : row
  return {
    x: room.left + (frameWidth - width * scale) / 2 + (column + 0.5) * (stepAcross ?? 1) * scale,
    y: room.top + (frameHeight - height * scale) / 2 + (fromTop + 0.5) * (stepDown ?? 1) * scale,
    cell: { width: (stepAcross ?? 1) * scale, height: (stepDown ?? 1) * scale },
  }
}
