import type { FastifyInstance } from 'fastify'
import { VirtualZarrError } from '../src/errors.ts'
import { writeJson } from '../src/json/write.ts'
import { listDatasets } from '../src/service/catalog.ts'
import { inspectionOf } from '../src/service/inspect.ts'
import { addressOfUrl, storePathOf } from '../src/service/store-address.ts'
import type { RouteContext } from './context.ts'
import { addressOf, sourceQuery, urlQuery } from './source-query.ts'

/** What describes stores: `/resolve`, `/inspect`, `/datasets`. */
export function storeRoutes(app: FastifyInstance, context: RouteContext): void {
  app.get(
    '/resolve',
    { schema: { summary: 'The store URL of a source', tags: ['stores'], querystring: urlQuery } },
    async (request) => {
      const { url, options } = sourceQuery(request)
      const address = addressOfUrl(url, options)
      const { parsed } = await context.stores.describe(address)
      const base = context.publicUrl(request)
      return {
        url: base + storePathOf(address.sourceUrl, options),
        pinned: base + storePathOf(address.sourceUrl, new Map([...options, ['version', parsed.version]])),
        source: parsed.publicUrl,
        format: parsed.format,
        version: parsed.version,
      }
    },
  )

  app.get(
    '/inspect',
    { schema: { summary: 'What a source holds', tags: ['stores'], querystring: urlQuery } },
    async (request, reply) => {
      const description = await context.stores.describe(addressOf(request))
      return reply.type('application/json').send(writeJson(inspectionOf(description)))
    },
  )

  app.get('/datasets', { schema: { summary: 'The catalog', tags: ['catalog'] } }, async (request) => {
    const base = context.publicUrl(request)
    const datasets = await listDatasets(context.catalog, context.stores)
    return { datasets: datasets.map((dataset) => ({ ...dataset, url: `${base}/zarr/${dataset.id}/` })) }
  })

  app.get<{ Params: { id: string } }>(
    '/datasets/:id',
    {
      schema: {
        summary: 'One dataset of the catalog',
        tags: ['catalog'],
        params: { type: 'object', properties: { id: { type: 'string' } } },
      },
    },
    async (request) => {
      const dataset = context.catalog.get(request.params.id)
      if (dataset === undefined) throw new VirtualZarrError('source-not-found', 'no such dataset is in the catalog')
      const [listed] = await listDatasets(new Map([[dataset.id, dataset]]), context.stores)
      return { ...listed, url: `${context.publicUrl(request)}/zarr/${dataset.id}/` }
    },
  )
}
