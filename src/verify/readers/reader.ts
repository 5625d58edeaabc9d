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
  /** Not stored but computed, in whatever order: the last digits may differ. */
  readonly isComputed?: true | undefined
  /** A fault of this reader, in this version, that makes its values of this array worthless. */
  readonly fault?: string | undefined
}

/** A file that an independent reader has opened. */
export interface ReaderFile {
  /** Undefined, or why not, where it has no such array. */
  find(wanted: Wanted): Promise<Found | string>
  read(wanted: Wanted, box: Box): Promise<Values>
}

/** A reader of other people's; it runs in a thread of its own. */
export interface IndependentReader {
  /** The package and its version. */
  readonly name: string
  open(path: string): Promise<ReaderFile>
}
