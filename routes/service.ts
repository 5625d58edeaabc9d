import type { FastifyInstance } from 'fastify'
import { listDatasets } from '../src/service/catalog.ts'
import type { RouteContext } from './context.ts'
import { PAGE_HEADERS } from './page-headers.ts'
import { landingPage } from './pages.ts'

/** What is about the service itself: the landing page, health and metrics. */
export function serviceRoutes(app: FastifyInstance, context: RouteContext): void {
  app.get('/', { schema: { hide: true } }, async (request, reply) => {
    const publicUrl = context.publicUrl(request)
    const datasets = await listDatasets(context.catalog, context.stores)
    const cards = datasets.map((dataset) => ({
      ...dataset,
      format: dataset.format ?? '',
      storeUrl: `${publicUrl}/zarr/${dataset.id}/`,
    }))
    return reply.headers(PAGE_HEADERS).send(landingPage({ datasets: cards, publicUrl, version: context.version }))
  })

  app.get('/health/live', { schema: { summary: 'The process answers', tags: ['service'] } }, async () => ({
    status: 'live',
  }))

  app.get(
    '/health/ready',
    { schema: { summary: 'The service takes requests', tags: ['service'] } },
    async (_request, reply) => {
      const ready = context.isReady()
      return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'draining' })
    },
  )

  app.get(
    '/metrics',
    { schema: { summary: 'Prometheus metrics', tags: ['service'], produces: ['text/plain'] } },
    async (_request, reply) => reply.type(context.metrics.contentType).send(await context.metrics.text()),
  )
}
