import type { FastifyInstance, FastifySchema } from 'fastify'
import { VirtualZarrError } from '../src/errors.ts'
import { integer, object, text } from '../src/json/schema.ts'
import { writeJson } from '../src/json/write.ts'
import type { DatasetJson, DatasetsJson, OpeningJson, ResolvedStore } from '../src/service/api-schemas.ts'
import { listDatasets } from '../src/service/catalog.ts'
import { surveyChunks } from '../src/service/chunk-survey.ts'
import { inspectionOf } from '../src/service/inspect.ts'
import type { Progress } from '../src/service/join/progress.ts'
import { addressOfUrl, type StoreAddress, storePathOf } from '../src/service/store-address.ts'
import type { RouteContext } from './context.ts'
import { jsonAnswer, SOURCE_PROBLEMS, schemaRef, withSchemaTypes } from './route-schema.ts'
import { namedSourceQuery, sourceOf, sourceQuery, withoutParameters } from './source-query.ts'

/** What describes stores: `/resolve`, `/inspect`, `/datasets`. */
export function storeRoutes(app: FastifyInstance, context: RouteContext): void {
  const api = withSchemaTypes(app)

  api.get('/resolve', { schema: RESOLVE }, async (request): Promise<ResolvedStore> => {
    const { url, options } = sourceOf(request)
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

  api.get('/inspect', { schema: INSPECT }, async (request, reply) => {
    const address = inspectedAddress(request.query, context)
    const describing = context.stores.describe(address)
    const progress = await progressOf(describing, () => context.stores.progressOf(address))
    if (progress !== undefined) {
      const opening: OpeningJson = { status: 'opening', read: progress.read, of: progress.of }
      return reply.code(202).headers({ 'retry-after': '1', 'cache-control': 'no-store' }).send(opening)
    }
    const description = await describing
    const inspection = inspectionOf(description)
    const source = isNamed(request.query) ? withoutFolder(inspection.source) : inspection.source
    return reply.type('application/json').send(writeJson({ ...inspection, source }))
  })

  api.get('/inspect/chunks', { schema: CHUNKS }, async (request, reply) => {
    const { array, first = 0 } = request.query
    const description = await context.stores.describe(inspectedAddress(request.query, context, ['array', 'first']))
    const leaving = new AbortController()
    reply.raw.once('close', () => leaving.abort())
    return await surveyChunks(description, array, first, leaving.signal)
  })

  api.get('/datasets', { schema: LIST }, async (request): Promise<DatasetsJson> => {
    const base = context.publicUrl(request)
    const datasets = await listDatasets(context.catalog, context.stores, context.defaultOptions)
    return { datasets: datasets.map((dataset) => ({ ...dataset, url: `${base}/zarr/${dataset.id}/` })) }
  })

  api.get('/datasets/:id', { schema: GET_DATASET }, async (request): Promise<DatasetJson> => {
    const dataset = context.catalog.get(request.params.id)
    if (dataset === undefined) throw new VirtualZarrError('source-not-found', 'no such dataset is in the catalog')
    const [listed] = await listDatasets(new Map([[dataset.id, dataset]]), context.stores, context.defaultOptions)
    if (listed === undefined) throw new Error('a catalog of one dataset has none')
    return { ...listed, url: `${context.publicUrl(request)}/zarr/${dataset.id}/` }
  })
}

interface InspectedQuery {
  readonly store?: string | undefined
}

/** What a query names: a store as its URL does, or a source with options. */
function inspectedAddress(query: InspectedQuery, context: RouteContext, others: readonly string[] = []): StoreAddress {
  const { store } = query
  if (store === undefined) {
    const { url, options } = sourceOf({ query }, others)
    return addressOfUrl(url, new Map([...context.defaultOptions, ...options]))
  }
  withoutParameters(query, ['store', ...others])
  return context.addressOf(store)
}

/** Whether a query names a store as its URL does: what lies behind a catalog's name is the operator's own affair. */
function isNamed({ store }: InspectedQuery): boolean {
  return store !== undefined
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

const RESOLVE = {
  operationId: 'resolveSource',
  summary: "The URL of a source's store",
  description:
    'Opens the source, so that what is wrong with it is told here. The URL has the form that survives every client and proxy.',
  tags: ['sources'],
  querystring: sourceQuery({}),
  response: { 200: jsonAnswer("The store's URL", schemaRef('Store')) },
  problems: SOURCE_PROBLEMS,
} as const satisfies FastifySchema

const INSPECT = {
  operationId: 'inspectSource',
  summary: 'What a source holds',
  description:
    'Arrays with their chunks, codecs and fill values, where each came from, and what was noticed on the way.',
  tags: ['sources'],
  querystring: namedSourceQuery({}),
  response: {
    200: jsonAnswer('The tree', schemaRef('Inspection')),
    202: jsonAnswer('The headers of a join of many files are still being read', schemaRef('Opening')),
  },
  problems: SOURCE_PROBLEMS,
} as const satisfies FastifySchema

const CHUNKS = {
  operationId: 'inspectChunks',
  summary: 'How chunks of an array are stored',
  description:
    'As the index of the source tells: stored or never written, how many bytes, in which encoding; of 4,096 chunks at most. No chunk is read.',
  tags: ['sources'],
  querystring: namedSourceQuery(
    {
      array: text({
        description: 'Its path in the store; empty for a store that is an array',
        examples: ['sst'],
      }),
      first: integer({
        minimum: 0,
        default: 0,
        description: 'Position of the first chunk, in C order over the grid',
      }),
    },
    ['array'],
  ),
  response: { 200: jsonAnswer('The chunks', schemaRef('ChunkSurvey')) },
  problems: SOURCE_PROBLEMS,
} as const satisfies FastifySchema

const LIST = {
  operationId: 'listDatasets',
  summary: 'The catalog',
  tags: ['catalog'],
  response: { 200: jsonAnswer('Its datasets', schemaRef('Datasets')) },
} as const satisfies FastifySchema

const GET_DATASET = {
  operationId: 'getDataset',
  summary: 'One dataset of the catalog',
  tags: ['catalog'],
  params: object({ id: text({ minLength: 1, examples: ['sea-surface'] }) }),
  response: { 200: jsonAnswer('The dataset', schemaRef('Dataset')) },
  problems: [400, 401, 404, 429, 503],
} as const satisfies FastifySchema
