import { READS_AT_ONCE } from '../in-parallel.ts'
import { type CloudSettings, NO_CLOUD_SETTINGS } from './clouds/settings.ts'

/** What an operator decides about reading sources (SET-1). */
export interface SourceSettings {
  /** URL prefixes that may be read though their address is private or their port unusual. */
  readonly allow: readonly string[]
  /** URL prefixes that may not be read, whatever else is said. */
  readonly deny: readonly string[]
  /** When not empty, nothing outside these URL prefixes may be read. */
  readonly only: readonly string[]
  /** Ports that need no allowed prefix. */
  readonly ports: readonly number[]
  /** Directories that `file:` may read; empty: none. */
  readonly fileRoots: readonly string[]
  /** Object stores (CLOUD-1). */
  readonly clouds: CloudSettings
  /** Origins that don't do ranges are read whole up to this. */
  readonly maxWholeBytes: number
  readonly deadlines: Deadlines
  readonly retry: RetrySettings
  /** Requests under way at one origin; a body whose reader has paused does not count. */
  readonly perOriginConcurrency: number
  /** Length of the first request, which brings size, validator and head at once. */
  readonly headBytes: number
  readonly userAgent: string
}

/** How long an origin may take, in milliseconds. */
export interface Deadlines {
  readonly connectMs: number
  /** Until the head of an answer. */
  readonly headersMs: number
  /** The same where it did not come in that time before: a slow origin answers the second request, a silent one neither. */
  readonly slowHeadersMs: number
  /** A body must bring `minBytesPerSecond` over each window of this length. */
  readonly bodyWindowMs: number
  readonly minBytesPerSecond: number
  /** Once nothing came for so long, in all attempts of one read together, there is no further one. */
  readonly stalledMs: number
  /** One read with all its retries; of a stream, until it is handed over. */
  readonly totalMs: number
}

interface RetrySettings {
  /** Requests in all, the first one included. */
  readonly attempts: number
  /** Doubled with each attempt, with jitter. */
  readonly baseDelayMs: number
}

export const DEFAULT_SOURCE_SETTINGS: SourceSettings = {
  allow: [],
  deny: [],
  only: [],
  ports: [80, 443],
  fileRoots: [],
  clouds: NO_CLOUD_SETTINGS,
  maxWholeBytes: 64 * 1024 * 1024,
  // A single stall costs 6 seconds at most, a lasting one is told within 20.
  deadlines: {
    connectMs: 5_000,
    headersMs: 5_000,
    slowHeadersMs: 9_000,
    bodyWindowMs: 5_000,
    minBytesPerSecond: 1_024,
    stalledMs: 12_000,
    totalMs: 60_000,
  },
  // With one answer of ten faulty, five more tries leave one failure in a million reads.
  retry: { attempts: 6, baseDelayMs: 50 },
  perOriginConcurrency: READS_AT_ONCE,
  headBytes: 64 * 1024,
  userAgent: 'virtual-zarr-server',
}
