import type { Json as LosslessJson } from '../../../src/json/json.ts'
import type * as api from '../../../src/service/api-schemas.ts'

// What the service answers, as JSON that a browser has parsed: the types are those of the API's schemas.

/** JSON as the service answers it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
export type Attributes = Readonly<Record<string, Json>>

/** A value as it is received: the service writes integers beyond 2^53 and floats with their point, which are plain numbers here. */
type Received<T> = LosslessJson extends T
  ? Json
  : T extends readonly (infer Item)[]
    ? readonly Received<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: Received<T[Name]> }
      : T

export type Inspection = Received<api.Inspection>
export type ArrayInfo = Received<api.ArrayInspection>
export type Codec = Received<api.NamedConfiguration>
export type Diagnostic = Received<api.DiagnosticJson>
export type ChunkSurvey = Received<api.ChunkSurvey>
export type Dataset = Received<api.DatasetJson>
/** How far a join is opened. */
export type Progress = Received<api.OpeningJson>
