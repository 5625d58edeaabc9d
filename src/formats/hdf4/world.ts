import type { AttributeValue } from '../../model/virtual-store.ts'
import type { ParseContext } from '../format.ts'
import type { Catalog } from './structures/catalog.ts'
import type { Contents } from './structures/contents.ts'
import type { Hdf4File } from './structures/hdf4-file.ts'

/** What making arrays needs of the file they are in. */
export interface Hdf4World {
  readonly file: Hdf4File
  readonly catalog: Catalog
  readonly contents: Contents
  /** Labels and descriptions of elements. */
  readonly notes: Notes
  readonly context: ParseContext
}

/** Labels and descriptions by the element that they are of: `720/2`. */
export type Notes = ReadonlyMap<string, ReadonlyMap<string, AttributeValue>>
