import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Format } from '../formats/format.ts'
import { lazily } from '../lazily.ts'
import type { Catalog, Dataset } from '../service/catalog.ts'
import { type App, buildApp } from './app.ts'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import { DiagnosticLog } from './diagnostic-log.ts'
import { folderCatalog, MOST_FILES } from './folder-catalog.ts'
import { whyNotWritable } from './manifest-folder.ts'
import { ownFormats } from './own-formats.ts'
import { RedisLog } from './redis-log.ts'
import { openService, type Service } from './service.ts'
import { VERSION } from './version.ts'
import { WorkerLink } from './workers/link.ts'

/** Requests that had started get this long to end after SIGTERM. */
const DRAIN_MILLISECONDS = 25_000

/** Runs the server until it is told to stop; the primary of several processes resolves with the exit code. */
export async function serve(config: Config): Promise<number | undefined> {
  if (config.workers > 1 && cluster.isPrimary) {
    return await (await import('./workers/primary.ts')).superviseWorkers(config, () => freePort(config))
  }
  if (cluster.isWorker) return await serveBesideOthers(config)
  const started = await startService(config, [])
  if (process.stderr.isTTY) process.stderr.write(greeting(started.url, config, [...started.listed.values()]))
  stopOnSignals(started)
  return undefined
}

/** A worker ends when its primary says so, or when it is told to itself, as all processes of a group are: once. */
async function serveBesideOthers(config: Config): Promise<undefined> {
  const link = new WorkerLink()
  const { stop } = await startService(config, [], link).catch((error: unknown) => {
    link.close()
    throw error
  })
  link.listens()
  const end = lazily(() => stop().then(() => link.close()))
  link.onDrain(end)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, end)
}

/** A signal ends the server, once what is under way is answered. */
export function stopOnSignals({ app, stop }: Started): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      app.http.log.info({ signal }, 'draining')
      void stop()
    })
  }
}

/** A server that listens. */
export interface Started {
  readonly url: string
  readonly app: App
  readonly listed: Catalog
  stop(): Promise<void>
}

/** Starts to serve; `formats` are asked besides those that the configuration names. */
export async function startService(config: Config, formats: readonly Format[], link?: WorkerLink): Promise<Started> {
  const redisLog = new RedisLog()
  const diagnosticLog = new DiagnosticLog()
  const own = [...formats, ...(await ownFormats(config.formats))]
  const tracing = config.tracing && (await import('./tracing/start-tracing.ts')).startTracing(config.tracing)
  const instruments = tracing && (await import('./tracing/instrument.ts')).SERVICE_TRACING
  const service = openService(config, {
    formats: own,
    onRedis: redisLog.tell,
    onDiagnostic: diagnosticLog.tell,
    link,
    tracing: tracing && instruments && { ...instruments, close: tracing.close },
  })
  const listed = await folderCatalog(config.folders, service, config.catalog)
  const app = await buildApp({ ...service, catalog: listed, link, tracing }, config)
  redisLog.into(app.http.log)
  diagnosticLog.into(app.http.log)
  const url = await listen(app, config).catch(async (error: unknown) => {
    await service.close()
    throw error
  })
  const folderProblem = config.manifestFolder && (await whyNotWritable(config.manifestFolder))
  if (folderProblem) app.http.log.warn(folderProblem)
  if (listed.isCut) app.http.log.warn(`only the first ${MOST_FILES} files are listed; /resolve opens the others`)
  return { url, app, listed, stop: () => stop(app, service) }
}

/** Starts to listen; resolves with the service's address. */
async function listen({ http }: App, { host, port, workers }: Config): Promise<string> {
  const reusePort = workers > 1 && REUSES_PORTS
  return await told({ host, port }, () => http.listen({ host, port, ...(reusePort ? { reusePort } : {}) }))
}

/** Whether processes can listen on one port each for itself, and the kernel gives out connections; elsewhere the primary does (decision 22). */
const REUSES_PORTS = process.platform === 'linux'

/** The port that workers will share: where it is taken by others, that shows now. */
async function freePort({ host, port }: Config): Promise<number> {
  const probe = createServer()
  await told({ host, port }, async () => {
    probe.listen({ host, port })
    await once(probe, 'listening')
  })
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address !== null ? address.port : port
}

/** Says in words why nobody can listen there. */
async function told<T>({ host, port }: Pick<Config, 'host' | 'port'>, listening: () => Promise<T>): Promise<T> {
  try {
    return await listening()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE') throw new ConfigError('PORT', `${port} on ${host} is in use; --port takes another one`)
    if (code === 'EACCES')
      throw new ConfigError('PORT', `this user may not listen on ${port}; --port takes another one`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new ConfigError('HOST', `${host} is no address of this machine`)
    }
    throw error
  }
}

/** For whoever started it at a terminal; logs are for programs. */
function greeting(url: string, { folders, publicUrl = url }: Config, datasets: readonly Dataset[]): string {
  const title = `virtual-zarr-server ${VERSION}: ${publicUrl}/ has ${datasets.length} dataset${datasets.length === 1 ? '' : 's'}\n`
  if (folders.length === 0) return title
  const stores = datasets.slice(0, 10).map(({ id }) => `  ${publicUrl}/zarr/${id}\n`)
  const nothing = datasets.length === 0 ? '  no file there is of a format that is read\n' : ''
  return `${title}${stores.join('')}${datasets.length > 10 ? '  …\n' : ''}${nothing}`
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
