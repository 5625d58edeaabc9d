/** The corners of a raster's cells on the plane, row after row; one more of them than cells, both ways. */
export interface Mesh {
  readonly rows: number
  readonly columns: number
  readonly x: Float64Array
  readonly y: Float64Array
  /** The same cells elsewhere: so much further to the right. */
  turned(by: number): Mesh
  /** The cell in which a point of the plane lies. */
  cellAt(x: number, y: number): readonly [row: number, column: number] | undefined
}

/** Cells around centres: each corner is the middle of the four centres next to it; those at the edge go on in the same steps. */
export function meshOf(rows: number, columns: number, centreX: Float64Array, centreY: Float64Array): Mesh {
  const x = cornersOf(rows, columns, unwrapped(centreX))
  const y = cornersOf(rows, columns, centreY)
  return meshOfCorners({ rows, columns, x, y })
}

function meshOfCorners(corners: Corners): Mesh {
  return {
    ...corners,
    turned: (by) => meshOfCorners({ ...corners, x: corners.x.map((x) => x + by) }),
    cellAt: (x, y) => cellAt(corners, x, y),
  }
}

/** Longitudes that go on beyond 180 where a row does, rather than jump to -180. */
function unwrapped(longitudes: Float64Array): Float64Array {
  const middle = longitudes.find((value) => !Number.isNaN(value)) ?? 0
  const crosses =
    longitudes.some((value) => value < -90) && longitudes.some((value) => value > 90) && !isWorld(longitudes)
  if (!crosses) return longitudes
  return longitudes.map((value) =>
    middle > 0 && value < 0 ? value + 360 : middle < 0 && value > 0 ? value - 360 : value,
  )
}

/** Whether all longitudes are there: cells over the edge of the map are left out then, one by one. */
function isWorld(longitudes: Float64Array): boolean {
  const seen = new Set(Array.from(longitudes, (value) => Math.floor(value / 30)))
  return seen.size >= 11
}

function cornersOf(rows: number, columns: number, centres: Float64Array): Float64Array {
  const corners = new Float64Array((rows + 1) * (columns + 1))
  const centre = (row: number, column: number): number => {
    // One beyond the edge is as far from the last as that is from the one before.
    if (row < 0) return 2 * centre(0, column) - centre(Math.min(1, rows - 1), column)
    if (row >= rows) return 2 * centre(rows - 1, column) - centre(Math.max(0, rows - 2), column)
    if (column < 0) return 2 * centre(row, 0) - centre(row, Math.min(1, columns - 1))
    if (column >= columns) return 2 * centre(row, columns - 1) - centre(row, Math.max(0, columns - 2))
    return centres[row * columns + column] ?? Number.NaN
  }
  for (let row = 0; row <= rows; row++) {
    for (let column = 0; column <= columns; column++) {
      const sum = centre(row - 1, column - 1) + centre(row - 1, column) + centre(row, column - 1) + centre(row, column)
      corners[row * (columns + 1) + column] = sum / 4
    }
  }
  return corners
}

type Corners = Pick<Mesh, 'rows' | 'columns' | 'x' | 'y'>

function cellAt({ rows, columns, x, y }: Corners, atX: number, atY: number): readonly [number, number] | undefined {
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const upper = row * (columns + 1) + column
      const lower = upper + columns + 1
      if (isInside([upper, upper + 1, lower + 1, lower], x, y, atX, atY)) return [row, column]
    }
  }
  return undefined
}

/** Whether a ray to the right crosses the outline an odd number of times. */
function isInside(corners: readonly number[], x: Float64Array, y: Float64Array, atX: number, atY: number): boolean {
  let inside = false
  let before = corners[3] ?? 0
  for (const corner of corners) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [x[before], y[before], x[corner], y[corner]]
    if (y1 > atY !== y2 > atY && atX < ((x2 - x1) * (atY - y1)) / (y2 - y1) + x1) inside = !inside
    before = corner
  }
  return inside
}
