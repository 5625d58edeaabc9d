import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Counted } from '../manifests/manifests.ts'
import type { StoreService } from '../service/store-service.ts'
import type { AccessControl } from './access/access-control.ts'
import { RequestMetrics } from './plugins/request-metrics.ts'
import type { UpstreamMetrics } from './upstream-metrics.ts'

export interface Metrics {
  readonly contentType: string
  text(): Promise<string>
  /** As other processes of the service merge them. */
  json(): Promise<object>
  readonly requests: RequestMetrics
}

/** Who else has something to tell. */
export interface MetricSources {
  readonly access?: Pick<AccessControl, 'refusals'> | undefined
  readonly upstream?: Pick<UpstreamMetrics, 'register'> | undefined
  readonly inFlight?: (() => number) | undefined
  /** Spans of traces, by what became of them. */
  readonly spans?: Readonly<Record<string, number>> | undefined
}

/** What Prometheus reads. */
export function serverMetrics(
  stores: StoreService,
  { access, upstream, inFlight, spans }: MetricSources = {},
): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const requests = new RequestMetrics(registry)
  upstream?.register(registry)
  const gauge = (name: string, help: string, read: () => number) => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  }
  gauge('vz_cached_sources', 'Opened sources in the cache', () => stores.statistics.cachedSources)
  gauge('vz_cached_bytes', 'Weight of the opened sources in the cache', () => stores.statistics.cachedBytes)
  gauge('vz_recoded_bytes', 'Recoded chunks in the cache', () => stores.statistics.recodedBytes)
  const pages = () => stores.statistics.pages
  gauge('vz_page_index_bytes', 'Metadata and indexes of remote files in the page cache', () => pages().indexBytes)
  gauge('vz_page_data_bytes', 'Chunk data of remote files in the page cache', () => pages().dataBytes)
  gauge('vz_page_hits', 'Reads of chunks answered from the page cache since the start', () => pages().hits)
  gauge(
    'vz_prefetched_bytes',
    'Bytes fetched before they were asked for since the start',
    () => pages().prefetchedBytes,
  )
  gauge('vz_prefetched_used_bytes', 'Of these, bytes of pages that were read since', () => pages().usedBytes)
  gauge('vz_opens', 'Sources opened and parsed since the start', () => stores.statistics.opens)
  gauge('vz_failed_opens', 'Opens that failed since the start', () => stores.statistics.failedOpens)
  new Gauge({
    name: 'vz_diagnostics',
    help: 'Diagnostics of opened sources since the start, by code',
    labelNames: ['code'],
    registers,
    collect() {
      for (const [code, count] of stores.statistics.diagnostics) this.set({ code }, count)
    },
  })
  gauge(
    'vz_restored_opens',
    'Sources opened as they were kept, without parsing',
    () => stores.statistics.kept?.restored ?? 0,
  )
  addManifestGauges(stores, registers)
  if (inFlight !== undefined) gauge('vz_requests_in_flight', 'Requests under way', inFlight)
  if (spans !== undefined) {
    new Gauge({
      name: 'vz_trace_spans',
      help: 'Spans since the start, by what became of them',
      labelNames: ['outcome'],
      registers,
      collect() {
        for (const [outcome, count] of Object.entries(spans)) this.set({ outcome }, count)
      },
    })
  }
  if (access !== undefined) {
    new Gauge({
      name: 'vz_refused_requests',
      help: 'Requests refused since the start, by reason and by the name of their key',
      labelNames: ['reason', 'client'],
      registers,
      collect() {
        for (const { reason, client, count } of access.refusals()) this.set({ reason, client }, count)
      },
    })
  }
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    json: () => registry.getMetricsAsJSON(),
    requests,
  }
}

/** What became of questions to the places of kept stores. */
function addManifestGauges(stores: StoreService, registers: Registry[]): void {
  const gauge = (name: string, help: string, read: (counted: Counted) => number) => {
    new Gauge({
      name,
      help,
      labelNames: ['place', 'outcome'],
      registers,
      collect() {
        for (const [place, outcomes] of stores.statistics.kept?.outcomes ?? []) {
          for (const [outcome, counted] of outcomes) this.set({ place, outcome }, read(counted))
        }
      },
    })
  }
  gauge(
    'vz_manifests',
    'What became of reads and writes of kept manifests since the start, by place',
    ({ times }) => times,
  )
  gauge('vz_manifest_bytes', 'Bytes of kept manifests read and written since the start, by place', ({ bytes }) => bytes)
}
