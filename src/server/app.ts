import { readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { totalmem } from 'node:os'
import type { Duplex } from 'node:stream'
import fastifySwagger, { type StaticDocumentSpec } from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import Fastify, { type FastifyInstance, type FastifySchema, LogController } from 'fastify'
import type { RouteContext } from '../../routes/context.ts'
import { explorerPage } from '../../routes/explorer.ts'
import { COMMON_HEADERS, reasonPhrase } from '../../routes/headers.ts'
import { registerRoutes } from '../../routes/index.ts'
import { jsonAnswer } from '../../routes/route-schema.ts'
import type { Operation } from '../../routes/store-operations.ts'
import type { SchemaNode } from '../json/schema.ts'
import type { Catalog } from '../service/catalog.ts'
import type { HeldDocuments } from '../service/join/held-documents.ts'
import { StoreSigner } from '../service/signed-stores.ts'
import { addressBook } from '../service/store-address.ts'
import type { OptionTexts } from '../service/store-options.ts'
import type { StoreService } from '../service/store-service.ts'
import { Gatekeeper, guardRequests, isGuarded, needsProof } from './access/gatekeeper.ts'
import { refusePostingPages } from './access/posting-pages.ts'
import { keepAnswersPrivate } from './access/private-answers.ts'
import type { AccessSettings } from './access/settings.ts'
import { type ProxyTrust, trustFunction } from './access/trusted-proxies.ts'
import { builtShell, serveBuiltFiles } from './built-page.ts'
import { loggerOptions } from './logging.ts'
import { serverMetrics } from './metrics.ts'
import { collectOperations, openapiDocument } from './openapi.ts'
import { admitRequests } from './plugins/admission.ts'
import { logAnswers } from './plugins/answer-log.ts'
import { observeAnswers } from './plugins/answered-requests.ts'
import { allowAnyOrigin, answerMethods } from './plugins/cors.ts'
import { VALIDATION_OPTIONS, validateQueries } from './plugins/query-validation.ts'
import { answerErrors, sendProblem } from './problem-replies.ts'
import { publicUrlOf } from './public-url.ts'
import { memoryBound, memoryWatch } from './readiness.ts'
import type { Tracing } from './tracing/start-tracing.ts'
import type { UpstreamMetrics } from './upstream-metrics.ts'
import { verifyRequests } from './verify-requests.ts'
import { packageFile, VERSION } from './version.ts'
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

export interface AppSettings {
  readonly logLevel: string
  readonly publicUrl: string | undefined
  readonly trustProxy: ProxyTrust
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
  const http = fastify(settings)
  const { access } = settings
  const signer = access.signingKeys.length > 0 ? new StoreSigner(access.signingKeys) : undefined
  const addressOf = addressBook(services.catalog, signer, settings.defaultOptions)
  const gatekeeper = isGuarded(access) ? new Gatekeeper(access, addressOf) : undefined
  const { upstream, tracing } = services
  const spans = tracing?.counts
  const metrics = serverMetrics(services.stores, { gatekeeper, upstream, inFlight: () => admission.inFlight, spans })
  allowAnyOrigin(http)
  keepAnswersPrivate(http, access)
  observeAnswers(http, [metrics.requests.observe, logAnswers(http)])
  const admission = admitRequests(http)
  if (tracing !== undefined) (await import('./tracing/instrument.ts')).traceRequests(http)
  answerErrors(http)
  validateQueries(http)
  answerMethods(http)
  refusePostingPages(http, settings.publicUrl)
  const shell = builtShell()
  // Whom it is for is not known yet: it tells of no dataset, and of no host of tiles.
  const lockedPage = () => explorerPage({ shell, datasets: [], version: VERSION, shows: 'locked' })
  if (gatekeeper !== undefined) guardRequests(http, gatekeeper, lockedPage)
  const operations = collectOperations(http)
  const hasMemory = memoryWatch(memoryBound(settings.readyBytes, process.constrainedMemory(), totalmem()))
  const context: RouteContext = {
    ...services,
    addressOf,
    isPrivate: needsProof(access),
    publicUrl: publicUrlOf(settings.publicUrl),
    documents: settings.allowPostedJoins ? withLink(services.documents, services.link) : undefined,
    verify: settings.allowVerify ? verifyRequests(http, services.stores, settings.defaultOptions) : undefined,
    log: http.log,
    version: VERSION,
    shell,
    readiness: () => (admission.isDraining ? 'draining' : hasMemory() ? 'ready' : 'out-of-memory'),
    tiles: settings.tiles,
    defaultOptions: settings.defaultOptions,
    metrics: services.link === undefined ? metrics : metricsOfAll(metrics, services.link),
  }
  registerRoutes(http, context)
  serveStyle(http)
  serveBuiltFiles(http)
  await describe(http, operations)
  if (services.link !== undefined) joinOthers(services.link, { documents: services.documents, metrics, gatekeeper })
  return { http, drain: () => admission.drain() }
}

/** The API's description, for programs and as pages. */
async function describe(http: FastifyInstance, operations: ReadonlyMap<string, Operation>): Promise<void> {
  let document: SchemaNode = {}
  http.get('/openapi.json', { schema: OPENAPI }, async () => document)
  document = openapiDocument(operations)
  const specification = { document: document as unknown as StaticDocumentSpec['document'] }
  await http.register(fastifySwagger, { mode: 'static', specification })
  await http.register(fastifySwaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    // Which other methods a path answers is for programs.
    transformSpecification: (shown) => ({ ...shown, paths: pathsByGet(shown['paths']) }),
    transformSpecificationClone: false,
  })
}

function pathsByGet(paths: unknown): object {
  const items = Object.entries(paths as Readonly<Record<string, Readonly<Record<string, unknown>>>>)
  return Object.fromEntries(items.map(([path, { head: _head, options: _options, ...rest }]) => [path, rest]))
}

const OPENAPI = {
  operationId: 'getOpenapi',
  summary: 'This document',
  tags: ['service'],
  response: { 200: jsonAnswer('OpenAPI 3.1; `/docs` shows it as pages', { type: 'object' }) },
} as const satisfies FastifySchema

function fastify(settings: AppSettings): FastifyInstance {
  return Fastify({
    logger: loggerOptions(settings.logLevel),
    // One line a request, with its id.
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all requests: a child for each costs more than a warm answer's headers.
    childLoggerFactory: (logger) => logger,
    trustProxy: trustFunction(settings.trustProxy),
    ajv: { customOptions: VALIDATION_OPTIONS },
    // Source URLs are longer than the 100 characters that Fastify allows a parameter.
    routerOptions: { maxParamLength: 16_384 },
    // The body of an answer may take long; the head of a request may not (slow-loris).
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    // A request without a Host is refused as everything else is (plugins/admission.ts).
    http: { requireHostHeader: false, maxHeaderSize: 32_768, headersTimeout: 5000, connectionsCheckingInterval: 1000 },
    forceCloseConnections: 'idle',
    // Admission control refuses new requests, and lets those under way end.
    return503OnClosing: false,
    exposeHeadRoutes: true,
    // Malformed targets never reach a route, and malformed requests not even Fastify; the answer is of the same kind.
    frameworkErrors: (error, request, reply) => sendProblem(error, request, reply.headers(COMMON_HEADERS)),
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket),
  })
}

/** The style of plain pages, read once. */
function serveStyle(http: FastifyInstance): void {
  const bytes = readFileSync(packageFile('routes/static/page.css'))
  http.get('/static/page.css', { config: { isHidden: true } }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=3600').send(bytes),
  )
}

const BROKEN = { status: 400, detail: 'the request is no HTTP; its target must be percent-encoded' }

/** By the codes of Node's parser. */
const PROBLEMS: ReadonlyMap<string, { readonly status: number; readonly detail: string }> = new Map([
  ['HPE_HEADER_OVERFLOW', { status: 431, detail: 'the target and the headers are too long together' }],
  ['ERR_HTTP_REQUEST_TIMEOUT', { status: 408, detail: 'the request took too long to arrive' }],
])

/** Answers what Node could not read as a request, which no route will ever see. */
function answerBrokenRequest(error: Error & { readonly code?: string }, socket: Duplex): void {
  // A client that is gone, or an answer that has begun: a second head would be taken for its body.
  const hasBegun = 'bytesWritten' in socket && socket.bytesWritten !== 0
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable || hasBegun) {
    socket.destroy()
    return
  }
  const { status, detail } = PROBLEMS.get(error.code ?? '') ?? BROKEN
  const title = STATUS_CODES[status] ?? 'Error'
  const body = JSON.stringify({ type: '/problems/invalid-request', title, status, detail })
  const headers = {
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...COMMON_HEADERS,
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${reasonPhrase(title, detail)}\r\n${lines.join('')}\r\n${body}`)
}
