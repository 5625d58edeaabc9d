import type { RecodeWorkers } from '../delivery/delivery.ts'
import { recodeWorkers } from '../delivery/recoding/workers.ts'
import type { Format } from '../formats/format.ts'
import { HeldDocuments, withHeldDocuments } from '../service/join/held-documents.ts'
import { Keeper } from '../service/kept/keeper.ts'
import { type StoreService, storeService } from '../service/store-service.ts'
import type { StoreServiceSettings } from '../service/store-settings.ts'
import { openSources } from '../source/open.ts'
import { DEFAULT_SOURCE_SETTINGS } from '../source/settings.ts'
import type { Sources } from '../source/source.ts'
import type { Config } from './config.ts'
import { openManifests } from './manifests.ts'
import { withOwnFormats } from './own-formats.ts'
import type { ServiceTracing } from './tracing/instrument.ts'
import { UpstreamMetrics } from './upstream-metrics.ts'
import type { WorkerLink } from './workers/link.ts'

/** Everything that lives as long as the process. */
export interface Service {
  readonly stores: StoreService
  readonly sources: Sources
  /** All that may be found; undefined for those that are built in. */
  readonly formats?: readonly Format[] | undefined
  /** Join documents of the catalog, and posted ones. */
  readonly documents: HeldDocuments
  /** What origins take. */
  readonly upstream?: UpstreamMetrics | undefined
  close(): Promise<void>
}

/** What can be given instead of the usual, or besides it. */
export interface ServiceInput {
  readonly workers?: RecodeWorkers | undefined
  /** Asked before the formats that are built in. */
  readonly formats?: readonly Format[] | undefined
  /** Told when the server of kept stores goes, and when it is back. */
  readonly onRedis?: ((error: Error | undefined) => void) | undefined
  /** Told of what was found wrong in sources. */
  readonly onDiagnostic?: StoreServiceSettings['onDiagnostic']
  /** To other processes of the same service. */
  readonly link?: WorkerLink | undefined
  /** Traces openings, reads and recoding. */
  readonly tracing?: ServiceTracing | undefined
}

/** Bounds of one parse: a hostile file is refused long before it hurts. */
const PARSE_LIMITS = { bytes: 256 * 2 ** 20, requests: 20_000, milliseconds: 60_000 }

/** Puts sources, workers and cache together as the configuration says. */
export function openService(
  config: Config,
  {
    workers: plainWorkers = recodeWorkers(),
    formats: own = [],
    onRedis,
    onDiagnostic,
    link,
    tracing,
  }: ServiceInput = {},
): Service {
  const formats = own.length === 0 ? undefined : withOwnFormats(own)
  const manifests = openManifests(config, own, onRedis)
  const documents = new HeldDocuments(config.allowPostedJoins ? manifests?.documents : undefined)
  for (const { document } of config.catalog.values()) if (document !== undefined) documents.list(document)
  const workers = tracing?.workers(plainWorkers) ?? plainWorkers
  const upstream = new UpstreamMetrics(namedHosts(config))
  const sources: Sources = withHeldDocuments(
    openSources(
      {
        ...DEFAULT_SOURCE_SETTINGS,
        allow: config.allowSources,
        deny: config.denySources,
        only: config.onlySources,
        fileRoots: config.fileRoots,
        maxWholeBytes: config.maxWholeBytes,
        clouds: config.clouds,
      },
      {
        around: tracing === undefined ? undefined : (exchange, isAllowed) => tracing.exchange(exchange, isAllowed),
        tallyOf: (hostname) => upstream.tallyOf(hostname),
      },
    ),
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
    onDiagnostic,
    around: openingWith(link, tracing),
  })
  return {
    stores,
    sources,
    formats,
    documents,
    upstream,
    async close() {
      await stores.close()
      await workers.close()
      await sources.close()
      await tracing?.close()
    },
  }
}

/** What is done around an opening, by those who want to know of it. */
function openingWith(
  link: WorkerLink | undefined,
  tracing: ServiceTracing | undefined,
): StoreServiceSettings['around'] {
  if (link === undefined && tracing === undefined) return undefined
  return async (key, open) => {
    const traced = tracing === undefined ? open : () => tracing.opening(open)
    return link === undefined ? await traced() : await link.opening(key, traced)
  }
}

/** Hosts that the operator names: metrics always tell them. */
function* namedHosts({ allowSources, onlySources, catalog }: Config): Generator<string> {
  const urls = [...allowSources, ...onlySources, ...[...catalog.values()].map(({ sourceUrl }) => sourceUrl)]
  for (const url of urls) {
    const { hostname = '' } = URL.parse(url) ?? {}
    if (hostname !== '') yield hostname
  }
}
