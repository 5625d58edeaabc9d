import type { Box } from '../../model/virtual-store.ts'

/** Values as a reader gives them, the last axis running fastest. */
export type Values = ArrayLike<number | bigint | string | boolean>

/** How an array of the store is looked for in the source. */
export interface Wanted {
  /** Of the store, without a leading slash; '' is a store that is one array. */
  readonly path: string
  readonly shape: readonly number[]
  readonly attributes: Readonly<Record<string, unknown>>
}

/** What an independent reader says of an array. */
export interface Found {
  readonly shape: readonly number[]
  /** The part of the shape that the reader can give, where the source means more than it knows of; and why. */
  readonly only?: { readonly shape: readonly number[]; readonly why: string } | undefined
  /** As Zarr names types; `text` for any, and undefined where the reader doesn't tell. */
  readonly type: string | undefined
  /** What marks missing points, by the names that the store has for it. */
  readonly sentinels: Readonly<Record<string, number | bigint>>
  /** Not stored but computed, in whatever order, of numbers up to this size: their last digits may differ. */
  readonly computedOf?: number | undefined
  /** A fault of this reader, in this version, that changes its values of this array. */
  readonly fault?: ReaderFault | undefined
}

/** A known fault of a reader. */
export interface ReaderFault {
  readonly why: string
  /**
   * What the reader makes of values that are right: a difference is laid to it only where it gives just that (`foretold.ts`). Without it
   * that can't be foretold, and every difference in the values of the array is.
   */
  readonly makes?: Foretold | undefined
}

export type Foretold =
  /** The bytes of each number in the other order. */
  | { readonly kind: 'swapped-bytes' }
  /** Integers of fewer bits than their bytes have, without their sign, at some place within these. */
  | { readonly kind: 'raw-bits' }
  /** Texts of another coding. */
  | { readonly kind: 'windows-1252' }
  /** Differences along the rows of blocks so wide, added up in the other byte order. */
  | { readonly kind: 'swapped-differences'; readonly columns: number }
  /** A fill value that went through a 64-bit float, on the side that was served. */
  | { readonly kind: 'rounded-fill'; readonly fill: bigint }
  /** Numbers that are off by so much, since each decoder rounds in its own way. */
  | { readonly kind: 'rounded'; readonly by: number }
  /** Y, Cb and Cr instead of red, green and blue: the luma of what was served is the Y of the reader but for so much. */
  | { readonly kind: 'luma'; readonly by: number }

/** A file that an independent reader has opened. */
export interface ReaderFile {
  /** Undefined, or why not, where it has no such array. */
  find(wanted: Wanted): Promise<Found | string>
  read(wanted: Wanted, box: Box): Promise<Values>
  close?(): unknown
}

/** A reader of other people's; it runs in a thread of its own. */
export interface IndependentReader {
  /** The package and its version. */
  readonly name: string
  /** A path of this machine; or, where the reader fetches for itself, a URL. */
  open(place: string): Promise<ReaderFile>
}
