import type { Field } from '../messages/field.ts'

/** What a field says of itself, as users of cfgrib know it. */
export interface Description {
  readonly field: Field
  readonly centre: string
  readonly centreTitle: string
  readonly subCentre: number
  readonly parameter: Parameter
  /** The numbers that the file has for the parameter: those that have no name are told apart by them. */
  readonly parameterKey: string
  readonly dataType: string | undefined
  readonly typeOfLevel: string
  readonly level: number | undefined
  readonly stepType: string | undefined
  /** Seconds since 1970. */
  readonly time: number
  /** Hours; undefined where it can't be told. */
  readonly step: number | undefined
  readonly number: number | undefined
  readonly totalNumber: number | undefined
  readonly direction: number | undefined
  readonly frequency: number | undefined
  /** How many directions and frequencies of waves there are. */
  readonly directions: number | undefined
  readonly frequencies: number | undefined
  /** Coordinates of vertical levels in section 4 (or 2). */
  readonly verticalCoordinates: number
}

/** What the tables say; words are `unknown` where they don't know. */
export interface Parameter {
  readonly paramId: number
  readonly shortName: string
  readonly name: string
  readonly units: string
  readonly cfName: string
  readonly cfVarName: string
}
