import type { Member } from '../../model/virtual-store.ts'
import type { ParseContext } from '../format.ts'
import type { StoredText } from './messages/link.ts'
import type { Dataset } from './objects.ts'
import type { OtherFiles } from './storage/other-files.ts'
import type { GlobalHeaps } from './structures/global-heap.ts'
import type { Hdf5File } from './structures/hdf5-file.ts'

/** What making arrays needs of the file they are in. */
export interface Hdf5World {
  readonly file: Hdf5File
  readonly heaps: GlobalHeaps
  /** The path of an object; undefined when no link leads to it. */
  pathOf(address: number): string | undefined
  readonly dimensions: Dimensions
  readonly context: ParseContext
  readonly others: OtherFiles
  readonly isPytables: boolean
  /** Another dataset of the file; undefined where there is none that virtual datasets may use. */
  sameFile(path: StoredText): Promise<Member | undefined>
}

/** What the values of attributes may point at. */
export type ValueWorld = Pick<Hdf5World, 'file' | 'heaps' | 'pathOf'>

/** What a dataset's attributes say of its dimensions. */
export interface ScaleInfo {
  readonly isScale: boolean
  /** A dimension of which there is no variable: the dataset only carries its name and length. */
  readonly isDimensionOnly: boolean
  readonly dimensionId: number | undefined
  readonly coordinateIds: readonly number[] | undefined
  /** For each axis the addresses of its scales. */
  readonly axes: readonly (readonly number[])[] | undefined
}

/** A dataset among all of a file. */
export interface NamedDataset {
  readonly address: number
  /** Name of its first link. */
  readonly name: string
  readonly dataset: Dataset
  readonly scale: ScaleInfo
}

/** Dimensions of the whole file. */
export interface Dimensions {
  /** Names by axis, null where nothing names one, or where several scales do. */
  namesOf(dataset: NamedDataset): readonly (string | null)[]
  /** Names of the scales of the axes that have several (DM-4). */
  ambiguous(dataset: NamedDataset): readonly string[]
  /** The shape to serve: along unlimited dimensions as long as the longest array that shares them. */
  shapeOf(dataset: NamedDataset): readonly number[]
}
