import type { DeliveryWorld, RecodeWorkers } from '../delivery/delivery.ts'
import { VirtualZarrError } from '../errors.ts'
import type { Sources } from '../source/source.ts'
import { chunkWorld, RecodedChunks } from './chunk-world.ts'
import { type Freshness, freshnessOf } from './freshness.ts'
import { openSource, type ParsedSource, type ParseLimits } from './open-source.ts'
import type { OpenStore } from './open-store.ts'
import { roomOf } from './room.ts'
import type { StoreAddress } from './store-address.ts'
import { type CachedSource, StoreCache } from './store-cache.ts'

export interface StoreServiceSettings {
  readonly cacheBytes: number
  readonly freshSeconds: number
  readonly parse: ParseLimits
}

/** A store together with the source it is made of. */
export interface Opened {
  readonly entry: CachedSource
  readonly store: OpenStore
}

/** The stores that are open: what metadata and chunk requests may see of them. */
export interface OpenedStores {
  /** What is open and known to be current without asking anybody: the way of a warm request. */
  warm(address: StoreAddress): Opened | undefined
  /** For metadata: the current version, opened anew when the source has changed. */
  current(address: StoreAddress): Promise<Opened>
  /** For chunks: the version that is open; throws `source-changed` once it is known to be the past. */
  pinned(address: StoreAddress): Promise<Opened>
  /** Throws `source-changed` when the origin has another version; asks it only when its last answer is old, or not quite new. */
  assertFresh(entry: CachedSource, soon?: 'soon'): Promise<void>
  /** Weighs an entry anew after its lazy indexes have grown. */
  grow(address: StoreAddress, entry: CachedSource, bytes: number): void
  world(parsed: ParsedSource): DeliveryWorld
  readonly statistics: StoreStatistics
}

export interface StoreStatistics {
  readonly opens: number
  readonly failedOpens: number
  readonly cachedSources: number
  readonly cachedBytes: number
  readonly recodedBytes: number
  /** Diagnostics of opened sources, by code. */
  readonly diagnostics: ReadonlyMap<string, number>
}

/** Memory for chunks that are being made, all together: small files can ask for large ones. */
const MAKING_BYTES = 3 * 2 ** 28

/** How long a failed open is remembered. */
const FAILURE_MILLISECONDS = 3000

export function openedStores(sources: Sources, workers: RecodeWorkers, settings: StoreServiceSettings): OpenedStores {
  const opening = { sources, limits: settings.parse }
  const counts: OpenCounts = { opens: 0, failedOpens: 0, diagnostics: new Map() }
  // Opened stores save whole parses and recoded chunks only their decoding, hence the larger share.
  const recoded = new RecodedChunks(Math.ceil(settings.cacheBytes / 4))
  const cache = new StoreCache(
    { maxBytes: Math.ceil((settings.cacheBytes * 3) / 4), failureMilliseconds: FAILURE_MILLISECONDS },
    counted(counts, ({ sourceUrl, options }) => openSource(sourceUrl, options, opening)),
  )
  const room = roomOf(MAKING_BYTES)
  const worlds = new WeakMap<ParsedSource, DeliveryWorld>()
  const freshness = freshnessOf(sources, settings.freshSeconds)
  return {
    warm(address) {
      const entry = cache.peek(address)
      if (entry === undefined || !freshness.isRecent(entry)) return undefined
      const store = entry.stores.get(address.viewKey)
      if (store === undefined) return undefined
      assertVersion(address, entry.parsed)
      return { entry, store }
    },
    async current(address) {
      const entry = await currentEntry(cache, freshness, address)
      assertVersion(address, entry.parsed)
      return { entry, store: await cache.store(address, entry) }
    },
    async pinned(address) {
      const entry = cache.peek(address) ?? (await cache.open(address))
      if (entry.changed) throw changed(entry.parsed)
      assertVersion(address, entry.parsed)
      return { entry, store: await cache.store(address, entry) }
    },
    async assertFresh(entry, soon) {
      if (!(await freshness.check(entry, soon))) throw changed(entry.parsed)
    },
    grow: (address, entry, bytes) => cache.grow(address, entry, bytes),
    world(parsed) {
      const known = worlds.get(parsed) ?? chunkWorld(parsed, sources, recoded, workers, room)
      worlds.set(parsed, known)
      return known
    },
    get statistics() {
      const { entries, bytes } = cache.size
      return { ...counts, cachedSources: entries, cachedBytes: bytes, recodedBytes: recoded.bytes }
    },
  }
}

async function currentEntry(cache: StoreCache, freshness: Freshness, address: StoreAddress): Promise<CachedSource> {
  const entry = cache.peek(address)
  if (entry === undefined) return await cache.open(address)
  if (!entry.changed && (await freshness.check(entry))) return entry
  cache.drop(address, entry)
  return await cache.open(address)
}

interface OpenCounts {
  opens: number
  failedOpens: number
  readonly diagnostics: Map<string, number>
}

function counted(
  counts: OpenCounts,
  open: (address: StoreAddress) => Promise<ParsedSource>,
): (address: StoreAddress) => Promise<ParsedSource> {
  return async (address) => {
    try {
      const parsed = await open(address)
      counts.opens++
      for (const { code } of parsed.diagnostics) counts.diagnostics.set(code, (counts.diagnostics.get(code) ?? 0) + 1)
      return parsed
    } catch (error) {
      counts.failedOpens++
      throw error
    }
  }
}

function assertVersion(address: StoreAddress, parsed: ParsedSource): void {
  const { version } = address.options
  if (version !== undefined && version !== parsed.version) {
    throw new VirtualZarrError('source-changed', `the source is at version ${parsed.version}, not at ${version}`, {
      url: parsed.publicUrl,
    })
  }
}

function changed(parsed: ParsedSource): VirtualZarrError {
  return new VirtualZarrError(
    'source-changed',
    'the source has changed since this store was opened; its zarr.json opens the new version',
    { url: parsed.publicUrl },
  )
}
