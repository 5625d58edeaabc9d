import type { DeliveryWorld } from '../../delivery/delivery.ts'
import type { ChunkIndex } from '../../model/chunk-index.ts'
import type { FileVersions } from '../../source/file-versions.ts'
import type { OpeningWorld, ParsedSource } from '../open-source.ts'
import type { StoreOptions } from '../store-options.ts'
import type { OpeningWatch } from './progress.ts'

/** A source of a join that is open: one version of it, which notices when it is the past. */
export interface OpenedPart {
  readonly parsed: ParsedSource
  readonly world: DeliveryWorld
  /** Versions of the files that it refers to. */
  readonly files: FileVersions
  readonly isChanged: boolean
  /** Throws `source-changed`; asks the origin when its last answer is old. */
  assertFresh(seconds?: number): Promise<void>
  changed(): Error
  hasChanged(): void
  /** Weighs one of its chunk indexes anew: before it is first used, and each time afterwards. */
  weigh(chunks: ChunkIndex): void
  /** The next to use it asks the origin first. */
  doubt(): void
}

/** Which file a source of a join is, and how it is read. */
export interface PartAddress {
  readonly url: string
  /** The document that named it, where that is not beside it. */
  readonly referrer: string | undefined
  readonly options: StoreOptions
}

/** What a join has learned of its members, by words that say what it depends on. */
export interface LearnedStore {
  read(words: readonly string[]): Promise<Uint8Array | undefined>
  /** In the background; it never throws. */
  write(words: readonly string[], bytes: Uint8Array): void
}

/** What opening a join may ask of the world. */
export interface JoinWorld extends OpeningWorld {
  /** Told how many headers are read, and when one was. */
  readonly progress: OpeningWatch
  /** Opens a source of a join: that which is open, or, `current`, the version that the origin has now. */
  openPart(address: PartAddress, which: 'current' | 'open'): Promise<OpenedPart>
  /** Opens a source of a join for one task, in the version that the origin has now: it is not kept, unless it is open. */
  visitPart<T>(address: PartAddress, use: (part: OpenedPart) => Promise<T>): Promise<T>
  /** For how long a version that its origin has confirmed counts as current. */
  readonly freshSeconds: number
  /** Where what joins learn of their members outlives the process; absent: nowhere. */
  readonly learned?: LearnedStore | undefined
  /** Names in a folder; undefined where its origin has no listing. */
  list(folder: Omit<PartAddress, 'options'>): Promise<readonly string[] | undefined>
  /** The way to the chunks of arrays whose references count from sources of a join. */
  readFrom(part: (part: number) => Promise<DeliveryWorld>): DeliveryWorld
}

/** The sources of an opened join by their numbers. */
export interface JoinSources {
  readonly count: number
  /** Opened, and of the version that was seen first; throws `source-changed` for another. */
  opened(part: number): Promise<OpenedPart>
  /** Whether globs still find the same files, and those whose versions are watched have not changed. */
  isCurrent(): Promise<boolean>
}
