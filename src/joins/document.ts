import type { DeclaredCoordinate } from './declared-coordinate.ts'
import type { SourceSpec } from './sources/source-spec.ts'

/** The dimension that sources are joined along. */
export type Along =
  | { readonly kind: 'existing'; readonly name: string }
  | { readonly kind: 'new'; readonly name: string; readonly values: NewValues }
  /** Nobody said: `time`, or the first dimension whose lengths differ. */
  | { readonly kind: 'unsaid' }

/** Where the coordinates of a new dimension come from. */
export type NewValues =
  | { readonly kind: 'count' }
  | { readonly kind: 'list'; readonly values: readonly (string | number)[] }
  /** What stands in the source's URL between these two texts. */
  | { readonly kind: 'name'; readonly pattern: NamePattern }
  | { readonly kind: 'attribute'; readonly name: string }

/** `run_(\d+)`, taken apart: what stands before, what is meant, what stands after. */
export interface NamePattern {
  readonly before: string
  readonly inner: 'digits' | 'word' | 'any'
  readonly after: string
}

/** A join document (JOIN-1), checked: what it says about one dimension is about all sources. */
export interface JoinDocument {
  readonly sources: SourceTree
  /** Outermost first: one for each level of `sources`. */
  readonly along: readonly Along[]
  readonly variables: readonly string[] | undefined
  readonly drop: readonly string[]
  /** From names of the sources to names of the join. */
  readonly rename: ReadonlyMap<string, string>
  /** Options of each source, as in its store's URL. */
  readonly options: ReadonlyMap<string, string>
  readonly merge: readonly JoinDocument[]
  readonly check: 'all' | 'first-and-last' | 'none'
  readonly missing: 'fill' | 'refuse'
  /** Whether other dimensions must have one length, or sources are put among the coordinates of all. */
  readonly align: 'exact' | 'outer'
  /** Of each source along the joined dimension: one for all, or one each. */
  readonly lengths: number | readonly number[] | undefined
  /** Coordinates of joined dimensions that no file is read for. */
  readonly coordinates: ReadonlyMap<string, DeclaredCoordinate>
}

/** Sources in rows: the rows are joined first, along the innermost dimension. */
export type SourceTree =
  | { readonly kind: 'sources'; readonly specs: readonly SourceSpec[] }
  /** Placed by where they lie, on the two innermost dimensions. */
  | { readonly kind: 'mosaic'; readonly specs: readonly SourceSpec[] }
  | { readonly kind: 'rows'; readonly rows: readonly SourceTree[] }
  /** The images that a document of STAC names. */
  | { readonly kind: 'stac'; readonly url: string }
