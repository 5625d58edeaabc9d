import fastifySwagger, { type StaticDocumentSpec } from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { RouteContext } from '../../routes/context.ts'
import { registerRoutes } from '../../routes/index.ts'
import { type ApiNode, answersOf, jsonAnswer, type Operation } from '../../routes/operation.ts'
import { COMMON_HEADERS } from '../../routes/raw-reply.ts'
import type { Catalog } from '../service/catalog.ts'
import { addressBook } from '../service/store-address.ts'
import type { StoreService } from '../service/store-service.ts'
import { answerBrokenRequest } from './broken-request.ts'
import { loggerOptions } from './logging.ts'
import { serverMetrics } from './metrics.ts'
import { collectOperations, openapiDocument } from './openapi.ts'
import { answerErrors, sendProblem } from './problem-replies.ts'
import { allowAnyOrigin, publicUrlOf, sameLogger, watchRequests } from './requests.ts'
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

/** The HTTP application; it listens nowhere yet. */
export async function buildApp(services: AppServices, settings: AppSettings): Promise<App> {
  const http = fastify(settings)
  const metrics = serverMetrics(services.stores)
  const gate = watchRequests(http, metrics)
  answerErrors(http)
  allowAnyOrigin(http)
  const operations = collectOperations(http)
  const context: RouteContext = {
    ...services,
    addressOf: addressBook(services.catalog),
    publicUrl: publicUrlOf(settings.publicUrl),
    version: VERSION,
    isReady: () => !gate.isDraining,
    metrics,
  }
  registerRoutes(http, context)
  serveStaticFiles(http)
  await describe(http, operations)
  return { http, drain: () => gate.drain() }
}

/** The API's description, for programs and as pages. */
async function describe(http: FastifyInstance, operations: ReadonlyMap<string, Operation>): Promise<void> {
  let document: ApiNode = {}
  http.get('/openapi.json', { config: { operation: OPENAPI_OPERATION } }, async () => document)
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

const OPENAPI_OPERATION: Operation = {
  operationId: 'getOpenapi',
  summary: 'This document',
  tags: ['service'],
  responses: answersOf({ 200: jsonAnswer('OpenAPI 3.1; `/docs` shows it as pages', { type: 'object' }) }),
}

function fastify(settings: AppSettings): FastifyInstance {
  return Fastify({
    logger: loggerOptions(settings.logLevel),
    // One line a request, with its id.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: sameLogger,
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
