/** A grid as its section describes it, in degrees and metres, whatever the edition. */
export interface GridDefinition {
  /** As ecCodes calls it: `regular_ll`, `reduced_gg`, … */
  readonly type: string
  readonly points: number
  /** Absent where the grid has no rows of one length. */
  readonly columns: number | undefined
  readonly rows: number | undefined
  readonly scanning: Scanning
  /** Whether vectors are along the grid's axes; undefined where that has no sense. */
  readonly uvRelativeToGrid: number | undefined
  /** Numbers by their names in ecCodes: first and last points, increments, parallels. */
  readonly numbers: ReadonlyMap<string, number>
  /** Points of each row of a reduced grid. */
  readonly rowLengths: readonly number[] | undefined
  readonly earth: Earth
  readonly units: CodedUnits
}

/** What one step of a coded number is worth: angles and lengths are rounded to it. */
export interface CodedUnits {
  readonly degrees: number
  readonly metres: number
}

/** How rows follow each other. */
export interface Scanning {
  readonly iNegative: boolean
  readonly jPositive: boolean
  readonly byColumns: boolean
  readonly alternate: boolean
}

/** Half axes in metres. */
export interface Earth {
  readonly major: number
  readonly minor: number
}

/** The flags of scanning modes (code table 3.4, or 8 of GRIB 1). */
export function scanningOf(flags: number): Scanning {
  return {
    iNegative: (flags & 128) !== 0,
    jPositive: (flags & 64) !== 0,
    byColumns: (flags & 32) !== 0,
    alternate: (flags & 16) !== 0,
  }
}

/** A number that a grid of its type has. */
export function numberOf(grid: GridDefinition, name: string): number {
  return grid.numbers.get(name) ?? 0
}
