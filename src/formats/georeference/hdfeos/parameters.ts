import { degreesOf } from './earth.ts'
import type { EosGrid } from './structure.ts'

/** What a projection is made with; GCTP counts parameters from 0. */
export interface ProjectionParameters {
  /** An angle, which is packed. */
  degrees(place: number): number
  number(place: number): number
  readonly easting: number
  readonly northing: number
}

/** The parameters of a grid's projection; those that are not given are 0. */
export function parametersOf({ parameters }: EosGrid): ProjectionParameters {
  const number = (place: number) => parameters[place] ?? 0
  return { number, degrees: (place) => degreesOf(number(place)), easting: number(6), northing: number(7) }
}
