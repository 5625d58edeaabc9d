import { totalmem } from 'node:os'
import type { FastifyInstance } from 'fastify'
import type { RouteContext } from '../../routes/context.ts'
import { explorerPage } from '../../routes/explorer.ts'
import { registerRoutes } from '../../routes/index.ts'
import type { Catalog } from '../service/catalog.ts'
import type { HeldDocuments } from '../service/join/held-documents.ts'
import { StoreSigner } from '../service/signed-stores.ts'
import { addressBook } from '../service/store-address.ts'
import type { OptionTexts } from '../service/store-options.ts'
import type { StoreService } from '../service/store-service.ts'
import { AccessControl, isGuarded, needsProof } from './access/access-control.ts'
import type { AccessSettings } from './access/settings.ts'
import { builtShell, serveBuiltFiles, servePageStyle } from './built-page.ts'
import { type HttpServerSettings, httpServer } from './http-server.ts'
import { serverMetrics } from './metrics.ts'
import { collectOperations } from './openapi.ts'
import { controlAccess } from './plugins/access.ts'
import { admitRequests } from './plugins/admission.ts'
import { logAnswers } from './plugins/answer-log.ts'
import { observeAnswers } from './plugins/answered-requests.ts'
import { describeApi } from './plugins/api-description.ts'
import { allowAnyOrigin, answerMethods } from './plugins/cors.ts'
import { refusePostingPages } from './plugins/posting-pages.ts'
import { keepAnswersPrivate } from './plugins/private-answers.ts'
import { answerErrors } from './plugins/problems.ts'
import { validateQueries } from './plugins/query-validation.ts'
import { publicUrlOf } from './public-url.ts'
import { memoryBound, memoryWatch } from './readiness.ts'
import type { Tracing } from './tracing/start-tracing.ts'
import type { UpstreamMetrics } from './upstream-metrics.ts'
import { verifyRequests } from './verify-requests.ts'
import { VERSION } from './version.ts'
import type { WorkerLink } from './workers/link.ts'
import { joinOthers, metricsOfAll, withLink } from './workers/together.ts'

/** What the application is made of. */
export interface AppServices {
  readonly stores: StoreService
  readonly catalog: Catalog
  readonly documents: HeldDocuments
  /** To other processes of the same service. */
  readonly link?: WorkerLink | undefined
  readonly upstream?: UpstreamMetrics | undefined
  readonly tracing?: Pick<Tracing, 'counts'> | undefined
}

export interface AppSettings extends HttpServerSettings {
  readonly publicUrl: string | undefined
  readonly access: AccessSettings
  readonly tiles?: string | undefined
  readonly defaultOptions: OptionTexts
  readonly allowPostedJoins: boolean
  readonly allowVerify: boolean
  readonly readyBytes: number | undefined
}

export interface App {
  readonly http: FastifyInstance
  /** From now on new requests are refused, so that those under way can end. */
  drain(): void
}

/** The HTTP application; it listens nowhere yet. */
export async function buildApp(services: AppServices, settings: AppSettings): Promise<App> {
  const { access: accessSettings, publicUrl, defaultOptions } = settings
  const { stores, catalog, documents, link, upstream, tracing } = services
  const signer = accessSettings.signingKeys.length > 0 ? new StoreSigner(accessSettings.signingKeys) : undefined
  const addressOf = addressBook(catalog, signer, defaultOptions)
  const access = isGuarded(accessSettings) ? new AccessControl(accessSettings, addressOf) : undefined
  const metrics = serverMetrics(stores, {
    access,
    upstream,
    inFlight: () => admission.inFlight,
    spans: tracing?.counts,
  })
  const shell = builtShell()

  // The hooks of every request, in the order in which they run.
  const http = httpServer(settings)
  allowAnyOrigin(http)
  keepAnswersPrivate(http, accessSettings)
  observeAnswers(http, [metrics.requests.observe, logAnswers(http)])
  const admission = admitRequests(http)
  if (tracing !== undefined) (await import('./tracing/instrument.ts')).traceRequests(http)
  answerMethods(http)
  refusePostingPages(http, publicUrl)
  // Whom the locked page is for is not known yet: it names no dataset, and no host of tiles.
  const lockedPage = () => explorerPage({ shell, datasets: [], version: VERSION, shows: 'locked' })
  if (access !== undefined) controlAccess(http, access, lockedPage)
  validateQueries(http)
  answerErrors(http)

  const operations = collectOperations(http)
  const hasMemory = memoryWatch(memoryBound(settings.readyBytes, process.constrainedMemory(), totalmem()))
  const context: RouteContext = {
    ...services,
    addressOf,
    isPrivate: needsProof(accessSettings),
    publicUrl: publicUrlOf(publicUrl),
    documents: settings.allowPostedJoins ? withLink(documents, link) : undefined,
    verify: settings.allowVerify ? verifyRequests(http, stores, defaultOptions) : undefined,
    log: http.log,
    version: VERSION,
    shell,
    readiness: () => (admission.isDraining ? 'draining' : hasMemory() ? 'ready' : 'out-of-memory'),
    tiles: settings.tiles,
    defaultOptions,
    metrics: link === undefined ? metrics : metricsOfAll(metrics, link),
  }
  registerRoutes(http, context)
  servePageStyle(http)
  serveBuiltFiles(http)
  await describeApi(http, operations)
  if (link !== undefined) joinOthers(link, { documents, metrics, access })
  return { http, drain: () => admission.drain() }
}
