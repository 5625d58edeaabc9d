import { type App, buildApp } from './app.ts'
import { countBuffersAsHeap } from './buffer-accounting.ts'
import type { Config } from './config.ts'
import { openService, type Service } from './service.ts'

/** Requests that had started get this long to end after SIGTERM. */
const DRAIN_MILLISECONDS = 25_000

/** Runs the server until it is told to stop. */
export async function serve(config: Config): Promise<void> {
  countBuffersAsHeap(process.versions.v8)
  const service = openService(config)
  const app = await buildApp({ stores: service.stores, catalog: config.catalog }, config)
  await app.http.listen({ host: config.host, port: config.port })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      app.http.log.info({ signal }, 'draining')
      void stop(app, service)
    })
  }
}

async function stop(app: App, service: Service): Promise<void> {
  app.drain()
  const late = setTimeout(() => {
    app.http.log.warn('requests are still under way, stopping all the same')
    app.http.server.closeAllConnections()
  }, DRAIN_MILLISECONDS)
  // A connection that is kept alive ends nothing by itself: each is closed once its last answer is out.
  const idle = setInterval(() => app.http.server.closeIdleConnections(), 50)
  await app.http.close()
  clearInterval(idle)
  clearTimeout(late)
  await service.close()
  app.http.log.info('stopped')
}
