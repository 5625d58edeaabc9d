import type { RecodeWorkers } from '../delivery/delivery.ts'
import { recodeWorkers } from '../delivery/recoding/workers.ts'
import type { Format } from '../formats/format.ts'
import { HeldDocuments, withHeldDocuments } from '../service/join/held-documents.ts'
import { Keeper } from '../service/kept/keeper.ts'
import { type StoreService, storeService } from '../service/store-service.ts'
import { openSources } from '../source/open.ts'
import { DEFAULT_SOURCE_SETTINGS } from '../source/settings.ts'
import type { Sources } from '../source/source.ts'
import type { Config } from './config.ts'
import { openManifests } from './manifests.ts'
import { withOwnFormats } from './own-formats.ts'
import type { WorkerLink } from './workers/link.ts'

/** Everything that lives as long as the process. */
export interface Service {
  readonly stores: StoreService
  readonly sources: Sources
  /** All that may be found; undefined for those that are built in. */
  readonly formats?: readonly Format[] | undefined
  /** Join documents of the catalog, and posted ones. */
  readonly documents: HeldDocuments
  close(): Promise<void>
}

/** What can be given instead of the usual, or besides it. */
export interface ServiceInput {
  readonly workers?: RecodeWorkers | undefined
  /** Asked before the formats that are built in. */
  readonly formats?: readonly Format[] | undefined
  /** Told when the server of kept stores goes, and when it is back. */
  readonly onRedis?: ((error: Error | undefined) => void) | undefined
  /** To other processes of the same service. */
  readonly link?: WorkerLink | undefined
}

/** Bounds of one parse: a hostile file is refused long before it hurts. */
const PARSE_LIMITS = { bytes: 256 * 2 ** 20, requests: 20_000, milliseconds: 60_000 }

/** Puts sources, workers and cache together as the configuration says. */
export function openService(
  config: Config,
  { workers = recodeWorkers(), formats: own = [], onRedis, link }: ServiceInput = {},
): Service {
  const formats = own.length === 0 ? undefined : withOwnFormats(own)
  const manifests = openManifests(config, own, onRedis)
  const documents = new HeldDocuments(config.allowPostedJoins ? manifests?.documents : undefined)
  for (const { document } of config.catalog.values()) if (document !== undefined) documents.list(document)
  const sources: Sources = withHeldDocuments(
    openSources({
      ...DEFAULT_SOURCE_SETTINGS,
      allow: config.allowSources,
      deny: config.denySources,
      only: config.onlySources,
      fileRoots: config.fileRoots,
      maxWholeBytes: config.maxWholeBytes,
      clouds: config.clouds,
    }),
    documents,
  )
  const { cacheBytes, freshSeconds } = config
  const parse = { ...PARSE_LIMITS, wholeBytes: config.maxWholeBytes }
  const keeper = manifests && new Keeper({ manifests, sources, limits: parse, freshSeconds })
  const stores = storeService(sources, workers, {
    cacheBytes,
    freshSeconds,
    parse,
    keeper,
    formats,
    around: link && ((key, open) => link.opening(key, open)),
  })
  return {
    stores,
    sources,
    formats,
    documents,
    async close() {
      await stores.close()
      await workers.close()
      await sources.close()
    },
  }
}
