import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { recodeWorkers } from '../../src/delivery/recoding/workers.ts'
import { buildApp } from '../../src/server/app.ts'
import { readConfig } from '../../src/server/config.ts'
import { openService, type Service } from '../../src/server/service.ts'
import { HeldDocuments } from '../../src/service/join/held-documents.ts'
import { storeService } from '../../src/service/store-service.ts'
import { openSources } from '../../src/source/open.ts'
import { DEFAULT_SOURCE_SETTINGS, type Deadlines } from '../../src/source/settings.ts'

export interface TestService {
  /** Ends in `/`. */
  readonly url: string
  close(): Promise<void>
}

export interface TestSettings {
  readonly allowSources: readonly string[]
  /** The folder whose files may be read. */
  readonly fileRoot?: URL
  /** Shorter than in production, for tests of what exceeds them. */
  readonly deadlines?: Deadlines
  /** What opening a store may take in all. */
  readonly openingMs?: number
}

/** The whole service in this process, on a free port of the loopback address. */
export async function startService(settings: TestSettings): Promise<TestService> {
  const environment = {
    VZ_ALLOW_SOURCES: settings.allowSources.join(','),
    VZ_LOG_LEVEL: 'silent',
    ...(settings.fileRoot !== undefined && { VZ_FILE_ROOT: fileURLToPath(settings.fileRoot) }),
  }
  const config = readConfig({ flags: {}, environment, bundledCatalog: undefined })
  const service = settings.deadlines === undefined ? openService(config) : openImpatient(settings, settings.deadlines)
  const app = await buildApp({ ...service, catalog: config.catalog }, config)
  await app.http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.http.server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      app.http.server.closeAllConnections()
      await app.http.close()
      await service.close()
    },
  }
}

/** As `openService` puts it together, with other deadlines than the configuration can set. */
function openImpatient(settings: TestSettings, deadlines: Deadlines): Service {
  const retry = { ...DEFAULT_SOURCE_SETTINGS.retry, baseDelayMs: 5 }
  const sources = openSources({ ...DEFAULT_SOURCE_SETTINGS, allow: settings.allowSources, deadlines, retry })
  const workers = recodeWorkers()
  const parse = { bytes: 2 ** 26, requests: 1000, milliseconds: settings.openingMs ?? 10_000, wholeBytes: 2 ** 26 }
  return {
    stores: storeService(sources, workers, { cacheBytes: 2 ** 26, freshSeconds: 60, parse }),
    sources,
    documents: new HeldDocuments(),
    async close() {
      await workers.close()
      await sources.close()
    },
  }
}

/** The URL of a store in its `~` form (OPT-1), with options such as `;codecs=native`. */
export function storeUrl(service: { readonly url: string }, sourceUrl: string, options = ''): string {
  return `${service.url}zarr/~${Buffer.from(sourceUrl).toString('base64url')}${options}/`
}
