import type { ParseContext } from '../format.ts'
import type { Catalog } from './structures/catalog.ts'
import type { Contents } from './structures/contents.ts'
import type { Hdf4File } from './structures/hdf4-file.ts'

/** What making arrays needs of the file they are in. */
export interface Hdf4World {
  readonly file: Hdf4File
  readonly catalog: Catalog
  readonly contents: Contents
  readonly context: ParseContext
}
