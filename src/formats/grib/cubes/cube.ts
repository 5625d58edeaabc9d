import type { GridDefinition } from '../../../codecs/grib/grids/grid.ts'
import type { Description } from '../describe/description.ts'
import type { Geography } from '../geography.ts'
import type { Field } from '../messages/field.ts'

/** A grid with its place among the arrays. */
export interface PlacedGrid {
  readonly definition: GridDefinition
  readonly geography: Geography
}

/** A coordinate of fields: their values in order. */
export interface Axis {
  readonly name: string
  readonly key: 'number' | 'time' | 'step' | 'level' | 'directionNumber' | 'frequencyNumber'
  readonly values: readonly number[]
}

/** Fields of one parameter that make one array. */
export interface Cube {
  readonly name: string
  readonly first: Description
  readonly grid: PlacedGrid
  readonly axes: readonly Axis[]
  /** By place in C order over the axes. */
  readonly fields: ReadonlyMap<number, Field>
}

/** Cubes that share their coordinates: what cfgrib opens as one dataset. */
export interface Dataset {
  readonly typeOfLevel: string
  readonly cubes: readonly Cube[]
}
