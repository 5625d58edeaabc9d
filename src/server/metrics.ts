import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { StoreService } from '../service/store-service.ts'
import { type RequestMetrics, requestMetrics } from './requests.ts'

export interface Metrics {
  readonly contentType: string
  text(): Promise<string>
  readonly observe: RequestMetrics['observe']
}

/** What Prometheus reads. */
export function serverMetrics(stores: StoreService): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const requests = requestMetrics()
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
    text: async () => (await registry.metrics()) + requests.text(),
    observe: requests.observe,
  }
}
