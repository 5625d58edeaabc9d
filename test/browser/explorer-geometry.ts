/** What an independent reader found in an array (explorer_values.py). */
export interface KnownArray {
  readonly path: string
  readonly at: Readonly<Record<string, number>>
  /** Dimensions down and across, where they are not those that the page takes. */
  readonly axes?: readonly [string, string]
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

/** An array that is drawn as a line: all its values, null where one is missing. */
export interface KnownLine {
  readonly path: string
  readonly values: readonly (number | null)[]
}

interface Area {
  readonly width: number
  readonly height: number
}

/** Room for labels around the picture of a grid. */
const LABELS = { left: 72, right: 12, top: 12, bottom: 32 }

/**
 * Where the middle of a cell has to be: all of the array is shown, in the middle, at one scale both ways, with larger coordinates
 * above and to the right. In a grid cells are squares, on a map as large as their steps; a grid that is much longer than wide fills the room.
 */
export function cellPlace(known: KnownArray, [row, column]: readonly [number, number], area: Area, isMap: boolean) {
  const room = isMap ? { left: 0, right: 0, top: 0, bottom: 0 } : LABELS
  const [frameWidth, frameHeight] = [area.width - room.left - room.right, area.height - room.top - room.bottom]
  const [rows, columns] = known.shape
  const [stepDown, stepAcross] = isMap ? known.steps.map(Math.abs) : [1, 1]
  const [width, height] = [columns * (stepAcross ?? 1), rows * (stepDown ?? 1)]
  const one = Math.min(frameWidth / width, frameHeight / height)
  const isLong = !isMap && (rows / columns <= 1 / 4 || rows / columns >= 4)
  const [scaleX, scaleY] = isLong ? [frameWidth / width, frameHeight / height] : [one, one]
  const fromTop = known.steps[0] > 0 ? rows - 1 - row : row
  return {
    x: room.left + (frameWidth - width * scaleX) / 2 + (column + 0.5) * (stepAcross ?? 1) * scaleX,
    y: room.top + (frameHeight - height * scaleY) / 2 + (fromTop + 0.5) * (stepDown ?? 1) * scaleY,
    cell: { width: (stepAcross ?? 1) * scaleX, height: (stepDown ?? 1) * scaleY },
  }
}

/** Where a value of a line has to be: from the least to the most, with a twentieth of that above and below. */
export function linePlace(values: readonly (number | null)[], index: number, area: Area) {
  const there = values.filter((value) => value !== null)
  const [least, most] = [Math.min(...there), Math.max(...there)]
  const [width, height] = [area.width - LABELS.left - LABELS.right, area.height - LABELS.top - LABELS.bottom]
  const part = ((values[index] ?? least) - least + (most - least) * 0.05) / ((most - least) * 1.1)
  return { x: LABELS.left + (index / (values.length - 1)) * width, y: LABELS.top + height * (1 - part) }
}
