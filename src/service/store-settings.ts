import type { Format } from '../formats/format.ts'
import type { Diagnostic } from '../model/virtual-store.ts'
import type { PageStatistics } from '../source/page-cache.ts'
import type { Keeper, KeeperStatistics } from './kept/keeper.ts'
import type { ParseLimits } from './parse-context.ts'

/** How much a service keeps, and for how long. */
export interface StoreServiceSettings {
  readonly cacheBytes: number
  readonly freshSeconds: number
  readonly parse: ParseLimits
  /** All that may be found, asked in this order; without it those that are built in. */
  readonly formats?: readonly Format[] | undefined
  /** What is done around the opening of a source, by its key. */
  readonly around?: (<T>(key: string, open: () => Promise<T>) => Promise<T>) | undefined
  /** Told of what a parse had to say of a source that is no join. */
  readonly onDiagnostic?: ((url: string, diagnostic: Diagnostic) => void) | undefined
  /** Keeps opened sources beyond this process; absent: nobody does. */
  readonly keeper?: Keeper | undefined
}

/** What it keeps, and what it did. */
export interface StoreStatistics {
  readonly opens: number
  readonly failedOpens: number
  readonly cachedSources: number
  readonly cachedBytes: number
  readonly recodedBytes: number
  /** Bytes of remote files that were read before. */
  readonly pages: PageStatistics
  /** Of stores that outlive the process, where they do. */
  readonly kept: KeeperStatistics | undefined
  /** Diagnostics of opened sources, by code. */
  readonly diagnostics: ReadonlyMap<string, number>
}

/** A store that is gone must not read as fill, nor a sparse one ask for every chunk that it lacks. */
export const SOON_SECONDS = 1

/** How long a failed open is remembered, so that a bad URL is no way to hammer an origin. */
export const FAILURE_MILLISECONDS = 3000
