import type { FastifyInstance, FastifySchema } from 'fastify'
import { listDatasets } from '../src/service/catalog.ts'
import type { RouteContext } from './context.ts'
import { explorerPage } from './explorer.ts'
import { withPicturesFrom } from './headers.ts'
import { jsonAnswer, schemaRef } from './route-schema.ts'

/** What is about the service itself: the explorer, health and metrics. */
export function serviceRoutes(app: FastifyInstance, context: RouteContext): void {
  app.get('/', { schema: EXPLORER }, async (request, reply) => {
    const { source, store } = request.query as { readonly source?: unknown; readonly store?: unknown }
    const shows = (source ?? store) === undefined ? 'catalog' : 'opening'
    const listed =
      shows === 'opening' ? [] : await listDatasets(context.catalog, context.stores, context.defaultOptions)
    const datasets = listed.map((dataset) => ({ ...dataset, format: dataset.format ?? '' }))
    const { shell, version, tiles } = context
    return reply.headers(withPicturesFrom(tiles)).send(explorerPage({ shell, tiles, datasets, version, shows }))
  })

  app.get('/health/live', { schema: LIVE }, async () => ({
    status: 'live',
  }))

  app.get('/health/ready', { schema: READY }, async (_request, reply) => {
    const status = context.readiness()
    return reply.code(status === 'ready' ? 200 : 503).send({ status })
  })

  app.get('/metrics', { schema: METRICS }, async (_request, reply) =>
    reply.type(context.metrics.contentType).send(await context.metrics.text()),
  )
}

const EXPLORER = {
  operationId: 'getExplorer',
  summary: 'The page for people: the catalog, and what any source holds, drawn; its query is the state of the page',
  tags: ['service'],
  response: { 200: { description: 'A page', content: { 'text/html': { schema: { type: 'string' } } } } },
} as const satisfies FastifySchema

const LIVE = {
  operationId: 'getLiveness',
  summary: 'The process answers',
  tags: ['service'],
  response: { 200: jsonAnswer('It does', schemaRef('Live')) },
  problems: [],
} as const satisfies FastifySchema

const READY = {
  operationId: 'getReadiness',
  summary: 'The service takes requests',
  tags: ['service'],
  problems: [],
  response: {
    200: jsonAnswer('It does', schemaRef('Ready')),
    503: jsonAnswer('It is shutting down, or its memory is past its bound', schemaRef('Ready')),
  },
} as const satisfies FastifySchema

const METRICS = {
  operationId: 'getMetrics',
  summary: 'Metrics as Prometheus reads them',
  tags: ['service'],
  response: {
    200: { description: 'The metrics', content: { 'text/plain': { schema: { type: 'string' } } } },
  },
} as const satisfies FastifySchema
