import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidRequest, VirtualZarrError } from '../src/errors.ts'
import { writeJson } from '../src/json/write.ts'
import { listDatasets } from '../src/service/catalog.ts'
import { surveyChunks } from '../src/service/chunk-survey.ts'
import { inspectionOf } from '../src/service/inspect.ts'
import type { Progress } from '../src/service/join/progress.ts'
import { addressOfUrl, type StoreAddress, storePathOf } from '../src/service/store-address.ts'
import type { RouteContext } from './context.ts'
import {
  answersOf,
  jsonAnswer,
  namedSourceParameters,
  type Operation,
  schemaRef,
  sourceAnswers,
  sourceParameters,
} from './operation.ts'
import { sourceQuery, withoutParameters } from './source-query.ts'

/** What describes stores: `/resolve`, `/inspect`, `/datasets`. */
export function storeRoutes(app: FastifyInstance, context: RouteContext): void {
  app.get('/resolve', { config: { operation: RESOLVE } }, async (request) => {
    const { url, options } = sourceQuery(request)
    const address = addressOfUrl(url, new Map([...context.defaultOptions, ...options]))
    const { parsed } = await context.stores.describe(address)
    const base = context.publicUrl(request)
    return {
      url: base + storePathOf(address.sourceUrl, options),
      pinned: base + storePathOf(address.sourceUrl, new Map([...options, ['version', parsed.version]])),
      source: parsed.publicUrl,
      format: parsed.format,
      version: parsed.version,
      ...(context.defaultOptions.size > 0 && { default_options: Object.fromEntries(context.defaultOptions) }),
    }
  })

  app.get('/inspect', { config: { operation: INSPECT } }, async (request, reply) => {
    const address = inspectedAddress(request, context)
    const describing = context.stores.describe(address)
    const progress = await progressOf(describing, () => context.stores.progressOf(address))
    if (progress !== undefined) {
      const told = { status: 'opening', read: progress.read, of: progress.of }
      return reply.code(202).headers({ 'retry-after': '1', 'cache-control': 'no-store' }).send(told)
    }
    const description = await describing
    const inspection = inspectionOf(description)
    const source = isNamed(request) ? withoutFolder(inspection.source) : inspection.source
    return reply.type('application/json').send(writeJson({ ...inspection, source }))
  })

  app.get('/inspect/chunks', { config: { operation: CHUNKS } }, async (request, reply) => {
    const { array, first = '0' } = request.query as { readonly array?: unknown; readonly first?: unknown }
    if (typeof array !== 'string') throw invalidRequest('the parameter array is missing', { option: 'array' })
    if (typeof first !== 'string' || !/^\d{1,15}$/.test(first))
      throw invalidRequest('first is no position of a chunk', { option: 'first' })
    const description = await context.stores.describe(inspectedAddress(request, context, ['array', 'first']))
    const leaving = new AbortController()
    reply.raw.once('close', () => leaving.abort())
    return await surveyChunks(description, array, Number(first), leaving.signal)
  })

  app.get('/datasets', { config: { operation: LIST } }, async (request) => {
    const base = context.publicUrl(request)
    const datasets = await listDatasets(context.catalog, context.stores, context.defaultOptions)
    return { datasets: datasets.map((dataset) => ({ ...dataset, url: `${base}/zarr/${dataset.id}/` })) }
  })

  app.get<{ Params: { id: string } }>('/datasets/:id', { config: { operation: GET_DATASET } }, async (request) => {
    const dataset = context.catalog.get(request.params.id)
    if (dataset === undefined) throw new VirtualZarrError('source-not-found', 'no such dataset is in the catalog')
    const [listed] = await listDatasets(new Map([[dataset.id, dataset]]), context.stores, context.defaultOptions)
    return { ...listed, url: `${context.publicUrl(request)}/zarr/${dataset.id}/` }
  })
}

/** What a query names: a store as its URL does, or a source with options. */
function inspectedAddress(
  request: FastifyRequest,
  context: RouteContext,
  others: readonly string[] = [],
): StoreAddress {
  const { store } = request.query as { readonly store?: unknown }
  if (store === undefined) {
    const { url, options } = sourceQuery(request, others)
    return addressOfUrl(url, new Map([...context.defaultOptions, ...options]))
  }
  if (typeof store !== 'string') throw invalidRequest('store is given more than once', { option: 'store' })
  withoutParameters(request, ['store', ...others])
  return context.addressOf(store)
}

/** Whether a query names a store as its URL does: what lies behind a catalog's name is the operator's own affair. */
function isNamed(request: FastifyRequest): boolean {
  return (request.query as { readonly store?: unknown }).store !== undefined
}

/** A file of the service's own disk without its folder; other URLs as they are. */
function withoutFolder(source: string): string {
  return source.startsWith('file:') ? (source.split('/').findLast((part) => part !== '') ?? source) : source
}

/** How long `/inspect` waits for the headers of a join. */
const PATIENCE_MILLISECONDS = 1500

/** How far an opening is that takes its time; undefined once it is over. */
async function progressOf(
  describing: Promise<unknown>,
  progress: () => Progress | undefined,
): Promise<Progress | undefined> {
  // What went wrong is told by whoever awaits it; the opening goes on when nobody does, and keeps its failure for the next.
  const over = describing.then(
    () => 'over' as const,
    () => 'over' as const,
  )
  for (;;) {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), PATIENCE_MILLISECONDS)
    })
    const first = await Promise.race([over, late])
    clearTimeout(timer)
    const known = progress()
    if (first === 'over') return undefined
    if (known !== undefined) return known
  }
}

const RESOLVE: Operation = {
  operationId: 'resolveSource',
  summary: "The URL of a source's store",
  description:
    'Opens the source, so that what is wrong with it is told here. The URL has the form that survives every client and proxy.',
  tags: ['sources'],
  parameters: sourceParameters,
  responses: sourceAnswers({ 200: jsonAnswer("The store's URL", schemaRef('Store')) }),
}

const INSPECT: Operation = {
  operationId: 'inspectSource',
  summary: 'What a source holds',
  description:
    'Arrays with their chunks, codecs and fill values, where each came from, and what was noticed on the way.',
  tags: ['sources'],
  parameters: namedSourceParameters,
  responses: sourceAnswers({
    200: jsonAnswer('The tree', schemaRef('Inspection')),
    202: jsonAnswer('The headers of a join of many files are still being read', schemaRef('Opening')),
  }),
}

const CHUNKS: Operation = {
  operationId: 'inspectChunks',
  summary: 'How chunks of an array are stored',
  description:
    'As the index of the source tells: stored or never written, how many bytes, in which encoding; of 4,096 chunks at most. No chunk is read.',
  tags: ['sources'],
  parameters: [
    ...namedSourceParameters,
    {
      name: 'array',
      in: 'query',
      required: true,
      description: 'Its path in the store; empty for a store that is an array',
      schema: { type: 'string' },
      example: 'sst',
    },
    {
      name: 'first',
      in: 'query',
      description: 'Position of the first chunk, in C order over the grid',
      schema: { type: 'integer', minimum: 0, default: 0 },
    },
  ],
  responses: sourceAnswers({ 200: jsonAnswer('The chunks', schemaRef('ChunkSurvey')) }),
}

const LIST: Operation = {
  operationId: 'listDatasets',
  summary: 'The catalog',
  tags: ['catalog'],
  responses: answersOf({ 200: jsonAnswer('Its datasets', schemaRef('Datasets')) }),
}

const GET_DATASET: Operation = {
  operationId: 'getDataset',
  summary: 'One dataset of the catalog',
  tags: ['catalog'],
  parameters: [
    { name: 'id', in: 'path', required: true, schema: { type: 'string', minLength: 1 }, example: 'sea-surface' },
  ],
  responses: answersOf({ 200: jsonAnswer('The dataset', schemaRef('Dataset')) }, [400, 401, 404, 429, 503]),
}
