import type { FastifyInstance } from 'fastify'
import { listDatasets } from '../src/service/catalog.ts'
import type { RouteContext } from './context.ts'
import { explorerPage } from './explorer.ts'
import { withPicturesFrom } from './headers.ts'
import { answersOf, jsonAnswer, type Operation, schemaRef } from './operation.ts'

/** What is about the service itself: the explorer, health and metrics. */
export function serviceRoutes(app: FastifyInstance, context: RouteContext): void {
  app.get('/', { config: { operation: EXPLORER } }, async (request, reply) => {
    const { source, store } = request.query as { readonly source?: unknown; readonly store?: unknown }
    const shows = (source ?? store) === undefined ? 'catalog' : 'opening'
    const listed =
      shows === 'opening' ? [] : await listDatasets(context.catalog, context.stores, context.defaultOptions)
    const datasets = listed.map((dataset) => ({ ...dataset, format: dataset.format ?? '' }))
    const { shell, version, tiles } = context
    return reply.headers(withPicturesFrom(tiles)).send(explorerPage({ shell, tiles, datasets, version, shows }))
  })

  app.get('/health/live', { config: { operation: LIVE } }, async () => ({
    status: 'live',
  }))

  app.get('/health/ready', { config: { operation: READY } }, async (_request, reply) => {
    const status = context.readiness()
    return reply.code(status === 'ready' ? 200 : 503).send({ status })
  })

  app.get('/metrics', { config: { operation: METRICS } }, async (_request, reply) =>
    reply.type(context.metrics.contentType).send(await context.metrics.text()),
  )
}

const EXPLORER: Operation = {
  operationId: 'getExplorer',
  summary: 'The page for people: the catalog, and what any source holds, drawn; its query is the state of the page',
  tags: ['service'],
  responses: answersOf({ 200: { description: 'A page', content: { 'text/html': { schema: { type: 'string' } } } } }),
}

const LIVE: Operation = {
  operationId: 'getLiveness',
  summary: 'The process answers',
  tags: ['service'],
  responses: { 200: jsonAnswer('It does', schemaRef('Live')) },
}

const READY: Operation = {
  operationId: 'getReadiness',
  summary: 'The service takes requests',
  tags: ['service'],
  responses: {
    200: jsonAnswer('It does', schemaRef('Ready')),
    503: jsonAnswer('It is shutting down, or its memory is past its bound', schemaRef('Ready')),
  },
}

const METRICS: Operation = {
  operationId: 'getMetrics',
  summary: 'Metrics as Prometheus reads them',
  tags: ['service'],
  responses: answersOf({
    200: { description: 'The metrics', content: { 'text/plain': { schema: { type: 'string' } } } },
  }),
}
