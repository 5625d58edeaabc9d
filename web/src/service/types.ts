/** JSON as the service answers it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
export type Attributes = Readonly<Record<string, Json>>

export interface Codec {
  readonly name: string
  readonly configuration?: Json
}

/** An array as `/inspect` describes it. */
export interface ArrayInfo {
  readonly shape: readonly number[]
  readonly data_type: Json
  readonly dimension_names: readonly string[]
  readonly chunk_shape: readonly number[]
  readonly chunk_grid: readonly number[]
  readonly edges: string
  readonly codecs: readonly Codec[]
  readonly stored: readonly (readonly Codec[])[]
  readonly delivery: readonly string[]
  readonly fill_value: Json
  readonly fill_value_from: string
  readonly sentinels: readonly { readonly value: string; readonly from: string }[]
  readonly attributes: Attributes
}

export interface Diagnostic {
  readonly code: string
  readonly message: string
  readonly path?: string
  readonly values?: Json
}

/** What `/inspect` answers. */
export interface Inspection {
  readonly source: string
  readonly format: string
  readonly version: string
  readonly groups: Readonly<Record<string, { readonly attributes: Attributes }>>
  readonly arrays: Readonly<Record<string, ArrayInfo>>
  readonly skipped: Readonly<Record<string, { readonly code: string; readonly reason: string }>>
  readonly warnings: readonly Diagnostic[]
}

/** What `/inspect/chunks` answers. */
export interface ChunkSurvey {
  readonly array: string
  readonly grid: readonly number[]
  readonly first: number
  readonly total: number
  readonly kinds: string
  readonly bytes: readonly (number | null)[]
  readonly encodings: Readonly<Record<string, number>>
}

export interface Dataset {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly format: string | null
}

/** How far a join is opened. */
export interface Progress {
  readonly read: number
  readonly of: number
}
