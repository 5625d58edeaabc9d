import type { Json } from '../json/json.ts'

/** Something that is not the same in the store and in the source. */
export type Difference = {
  readonly what: 'shape' | 'type' | 'sentinel' | 'coordinate' | 'values'
  readonly served: Json
  readonly source: Json
  /** Of values: the first place that differs, and how many do in this chunk. */
  readonly chunk?: readonly number[]
  readonly at?: readonly number[]
  readonly count?: number
}

/** What became of one array. */
export type ArrayReport = {
  /** `fault`: the independent reader is known to be wrong here. */
  readonly result: 'confirmed' | 'differs' | 'not-compared' | 'fault'
  readonly shape: readonly number[]
  readonly type: string
  /** Why nothing, or not all, could be compared; or which fault of the reader is known. */
  readonly why?: string
  readonly compared: readonly string[]
  readonly chunks: { readonly compared: number; readonly of: number; readonly unwritten: number }
  readonly values: number
  readonly differences: readonly Difference[]
  /** Of the values of each compared chunk, by its place in the grid: what a later report is compared with. */
  readonly digests: Readonly<Record<string, string>>
}

/** What was compared, what differs, and what could not be compared and why. */
export type VerifyReport = {
  readonly virtual_zarr: 'verify/1'
  readonly source: string
  readonly format: string
  readonly version: string
  readonly at: string
  readonly client: string
  /** The reader that shares no code with this project; null where there is none for the format. */
  readonly reader: string | null
  /** Part of the chunks that was asked for. */
  readonly sample: number
  readonly arrays: Readonly<Record<string, ArrayReport>>
  readonly totals: VerifyTotals
}

export type VerifyTotals = {
  readonly confirmed: number
  readonly differs: number
  readonly 'not-compared': number
  readonly fault: number
  readonly values: number
}

export function totalsOf(arrays: Readonly<Record<string, ArrayReport>>): VerifyTotals {
  const totals = { confirmed: 0, differs: 0, 'not-compared': 0, fault: 0, values: 0 }
  for (const { result, values } of Object.values(arrays)) {
    totals[result]++
    totals.values += values
  }
  return totals
}
