import type { ServerResponse } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { StoreService } from '../service/store-service.ts'

export interface Metrics {
  readonly contentType: string
  text(): Promise<string>
  /** One answered request; labels are few and fixed, whatever clients ask for. */
  observe(route: string, method: string, response: ServerResponse, milliseconds: number): void
}

/** What Prometheus reads. */
export function serverMetrics(stores: StoreService): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const duration = new Histogram({
    name: 'vz_http_request_seconds',
    help: 'Time from the request to the end of its answer',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
    registers,
  })
  const sent = new Counter({
    name: 'vz_http_sent_bytes_total',
    help: 'Body bytes sent',
    labelNames: ['route'],
    registers,
  })
  const seen = new Map<string, { readonly duration: Histogram.Internal<string>; readonly sent: Counter.Internal }>()
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
  return {
    contentType: registry.contentType,
    text: async () => await registry.metrics(),
    observe(route, method, response, milliseconds) {
      const key = `${route} ${method} ${response.statusCode}`
      // The library's own way from labels to a series hashes them at every call.
      const series = seen.get(key) ?? {
        duration: duration.labels(route, method, String(response.statusCode)),
        sent: sent.labels(route),
      }
      seen.set(key, series)
      series.duration.observe(milliseconds / 1000)
      series.sent.inc(Number(response.getHeader('content-length') ?? 0))
    },
  }
}
