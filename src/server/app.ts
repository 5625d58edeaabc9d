import fastifySwagger, { type StaticDocumentSpec } from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { RouteContext } from '../../routes/context.ts'
import { registerRoutes } from '../../routes/index.ts'
import { type ApiNode, answersOf, jsonAnswer, type Operation } from '../../routes/operation.ts'
import { COMMON_HEADERS } from '../../routes/raw-reply.ts'
import { VirtualZarrError } from '../errors.ts'
import type { Catalog } from '../service/catalog.ts'
import { addressBook } from '../service/store-address.ts'
import type { StoreService } from '../service/store-service.ts'
import { answerBrokenRequest } from './broken-request.ts'
import { loggerOptions } from './logging.ts'
import { type Metrics, serverMetrics } from './metrics.ts'
import { collectOperations, openapiDocument } from './openapi.ts'
import { answerErrors, isListable, methodsOf, refuseMethod, sendProblem } from './problem-replies.ts'
import { serveStaticFiles } from './static-files.ts'
import { VERSION } from './version.ts'

/** What the application is made of. */
export interface AppServices {
  readonly stores: StoreService
  readonly catalog: Catalog
}

export interface AppSettings {
  readonly logLevel: string
  readonly publicUrl: string | undefined
  readonly trustProxy: boolean
}

export interface App {
  readonly http: FastifyInstance
  /** From now on new requests are refused, so that those under way can end. */
  drain(): void
}

/** Requests under way beyond which a new one is refused rather than made to wait. */
const MAX_IN_FLIGHT = 4096

/** The HTTP application; it listens nowhere yet. */
export async function buildApp(services: AppServices, settings: AppSettings): Promise<App> {
  let draining = false
  const http = fastify(settings)
  const metrics = serverMetrics(services.stores)
  watchRequests(http, metrics, () => draining)
  answerErrors(http)
  allowAnyOrigin(http)
  const operations = collectOperations(http)
  const context: RouteContext = {
    ...services,
    addressOf: addressBook(services.catalog),
    publicUrl: (request) => settings.publicUrl ?? calledUrl(request),
    version: VERSION,
    isReady: () => !draining,
    metrics,
  }
  registerRoutes(http, context)
  serveStaticFiles(http)
  await describe(http, operations)
  return {
    http,
    drain: () => {
      draining = true
    },
  }
}

/** The API's description, for programs and as pages. */
async function describe(http: FastifyInstance, operations: ReadonlyMap<string, Operation>): Promise<void> {
  let document: ApiNode = {}
  http.get('/openapi.json', { config: { operation: OPENAPI_OPERATION } }, async () => document)
  document = openapiDocument(operations)
  const specification = { document: document as unknown as StaticDocumentSpec['document'] }
  await http.register(fastifySwagger, { mode: 'static', specification })
  await http.register(fastifySwaggerUi, { routePrefix: '/docs', staticCSP: true })
}

const OPENAPI_OPERATION: Operation = {
  operationId: 'getOpenapi',
  summary: 'This document',
  tags: ['service'],
  responses: answersOf({ 200: jsonAnswer('OpenAPI 3.1; `/docs` shows it as pages', { type: 'object' }) }),
}

/** The service as the client called it; what is no host (RFC 3986, 3.2.2) must not get into links. */
function calledUrl(request: FastifyRequest): string {
  if (/^(?:[\w.-]+|\[[\d.:a-f]+\])(?::\d{1,5})?$/i.test(request.host)) return `${request.protocol}://${request.host}`
  const { localAddress = '127.0.0.1', localPort } = request.socket
  const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress
  return `${request.protocol}://${host}:${localPort}`
}

function fastify(settings: AppSettings): FastifyInstance {
  return Fastify({
    logger: loggerOptions(settings.logLevel),
    // One line a request, with its id; no logger is made for each.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    trustProxy: settings.trustProxy,
    // Source URLs are longer than the 100 characters that Fastify allows a parameter.
    routerOptions: { maxParamLength: 16_384 },
    // The body of an answer may take long; the head of a request may not (slow-loris).
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    http: { maxHeaderSize: 32_768, headersTimeout: 5000, connectionsCheckingInterval: 1000 },
    forceCloseConnections: 'idle',
    exposeHeadRoutes: true,
    // Malformed targets never reach a route, and malformed requests not even Fastify; the answer is of the same kind.
    frameworkErrors: (error, request, reply) => sendProblem(error, request, reply.headers(COMMON_HEADERS)),
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket),
  })
}

/** Refuses rather than queues without end: 503 while draining and when too much is under way. Measures every request. */
function watchRequests(http: FastifyInstance, metrics: Metrics, isDraining: () => boolean): void {
  let inFlight = 0
  const isLogged = http.log.level !== 'silent' && ['trace', 'debug', 'info'].includes(http.log.level)
  http.decorateReply('bodyLength', 0)
  http.addHook('onRequest', (request, reply, done) => {
    const start = performance.now()
    inFlight++
    reply.raw.once('close', () => {
      inFlight--
      const milliseconds = performance.now() - start
      const bytes = reply.bodyLength || Number(reply.getHeader('content-length') ?? 0)
      metrics.observe(request.routeOptions.url ?? 'none', request.method, reply.raw.statusCode, milliseconds, bytes)
      if (isLogged)
        http.log.info({ req: request, status: reply.raw.statusCode, ms: Math.round(milliseconds) }, 'answered')
    })
    done(refusal(request, reply, inFlight, isDraining()))
  })
}

function refusal(request: FastifyRequest, reply: FastifyReply, inFlight: number, draining: boolean): Error | undefined {
  const target = request.raw.url ?? ''
  if (!target.startsWith('/')) return new VirtualZarrError('invalid-request', 'the request target is not a path')
  if (target.startsWith('/health/')) return undefined
  if (draining) {
    reply.header('connection', 'close')
    return new VirtualZarrError('overloaded', 'the server is shutting down')
  }
  if (inFlight <= MAX_IN_FLIGHT) return undefined
  return new VirtualZarrError('overloaded', `more than ${MAX_IN_FLIGHT} requests are under way`)
}

/** What scripts of other origins may send: ranges and conditions, and what libraries add of themselves. */
const ALLOWED_HEADERS = 'Range, If-None-Match, If-Range, Cache-Control, Content-Type, Authorization, Depth'

/** Browsers of any origin may read; a suffix range is preflighted. Answers written past Fastify bring these headers themselves. */
function allowAnyOrigin(http: FastifyInstance): void {
  http.addHook('onSend', (_request, reply, _payload, done) => {
    reply.headers(COMMON_HEADERS)
    done()
  })
  http.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'GET' || request.method === 'HEAD') return done()
    const isListed = isListable(request)
    if (request.method === 'PROPFIND' && isListed) return done()
    if (request.method !== 'OPTIONS') return void refuseMethod(request, reply)
    reply.header('allow', methodsOf(request))
    if (isListed) reply.header('dav', '1')
    reply.header('access-control-allow-methods', methodsOf(request))
    reply.header('access-control-allow-headers', ALLOWED_HEADERS)
    reply.header('access-control-max-age', '86400')
    reply.code(204).send()
  })
}
