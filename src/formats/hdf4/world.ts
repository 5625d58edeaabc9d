import { overBudget } from '../../errors.ts'
import type { AttributeValue } from '../../model/virtual-store.ts'
import type { ParseContext } from '../format.ts'
import type { Catalog } from './structures/catalog.ts'
import type { Contents } from './structures/contents.ts'
import type { Hdf4File } from './structures/hdf4-file.ts'
import type { Stored } from './structures/stored.ts'

/** What making arrays needs of the file they are in. */
export interface Hdf4World {
  readonly file: Hdf4File
  readonly catalog: Catalog
  readonly contents: Contents
  /** Labels and descriptions of elements. */
  readonly notes: Notes
  /** Attributes that were asked for: many arrays may have the same ones. */
  readonly values: Map<number, KnownValue>
  readonly context: ParseContext
  /** Pieces that values lie in, of all arrays so far. */
  readonly held: { pieces: number }
}

/** Labels and descriptions by the element that they are of: `720/2`. */
export type Notes = ReadonlyMap<string, ReadonlyMap<string, AttributeValue>>

/** What an attribute is, or why it can't be read. */
export type KnownValue =
  | { readonly kind: 'value'; readonly value: AttributeValue }
  | { readonly kind: 'fault'; readonly fault: string }

/** Of all arrays of a file: tables of linked blocks may be those of many. */
const MOST_PIECES = 1_000_000

/** Counts the pieces that an array holds on to. */
export function holdPieces({ held }: Hdf4World, stored: Stored | undefined): void {
  if (stored?.kind !== 'pieces') return
  held.pieces += stored.pieces.length
  if (held.pieces > MOST_PIECES) throw overBudget(`values in more than ${MOST_PIECES} pieces`)
}
