import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidRequest, VirtualZarrError } from '../src/errors.ts'
import { writeJson } from '../src/json/write.ts'
import { listDatasets } from '../src/service/catalog.ts'
import { exportKerchunk } from '../src/service/export.ts'
import { inspectionOf } from '../src/service/inspect.ts'
import { addressOfUrl, type StoreAddress, storePathOf } from '../src/service/store-address.ts'
import type { OptionTexts } from '../src/service/store-options.ts'
import type { RouteContext } from './context.ts'

const urlQuery = {
  type: 'object',
  required: ['url'],
  properties: {
    url: {
      type: 'string',
      description: 'Absolute URL of the source; store options are further parameters by their own names',
    },
  },
} as const

/** What describes stores: `/resolve`, `/inspect`, `/export`, `/datasets`. */
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

  const exportQuery = { ...urlQuery, properties: { ...urlQuery.properties, to: { type: 'string' } } } as const
  app.get(
    '/export',
    { schema: { summary: 'The manifest as references for other tools', tags: ['stores'], querystring: exportQuery } },
    async (request, reply) => {
      const { url, options } = sourceQuery(request, ['to'])
      const to = (request.query as Record<string, unknown>)['to'] ?? 'kerchunk'
      if (to === 'kerchunk-parquet')
        throw new VirtualZarrError('unsupported-feature', 'to=kerchunk-parquet is not built yet', { option: 'to' })
      if (to !== 'kerchunk') throw invalidRequest('to is none of kerchunk, kerchunk-parquet', { option: 'to' })
      const address = addressOfUrl(url, new Map([...options, ['codecs', 'native']]))
      const exported = await exportKerchunk(await context.stores.describe(address))
      return reply.type('application/json').send(writeJson(exported))
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

/** The `url` of a query, and all else in it as store options. */
function sourceQuery(request: FastifyRequest, others: readonly string[] = []): { url: string; options: OptionTexts } {
  const options = new Map<string, string>()
  let url: string | undefined
  for (const [name, value] of Object.entries(request.query as Record<string, unknown>)) {
    if (typeof value !== 'string') throw invalidRequest(`${name} is given more than once`, { option: name })
    if (name === 'url') url = value
    else if (!others.includes(name)) options.set(name, value)
  }
  if (url === undefined) throw invalidRequest('the parameter url is missing', { option: 'url' })
  return { url, options }
}

function addressOf(request: FastifyRequest): StoreAddress {
  const { url, options } = sourceQuery(request)
  return addressOfUrl(url, options)
}
