import type { FastifyInstance, FastifySchema } from 'fastify'
import { OPTION_SCHEMAS, parameterRef, SOURCE_URL, type Tag, withProblems } from '../../routes/route-schema.ts'
import { type Operation, STORE_OPERATIONS, STORE_PARAMETERS, STORE_RESPONSES } from '../../routes/store-operations.ts'
import type { SchemaNode } from '../json/schema.ts'
import { API_SCHEMAS } from '../service/api-schemas.ts'
import { VERSION } from './version.ts'

const problem = (description: string, headers: SchemaNode = {}): SchemaNode => ({
  description,
  headers: { 'Cache-Control': { description: '`no-store`', schema: { type: 'string' } }, ...headers },
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

const RESPONSES: SchemaNode = {
  BadRequest: problem('An unknown option, a bad value, a key that climbs, a chunk of what is no array of the store'),
  Unauthorized: problem('The operator asks for an API key or a signed URL, and there is none that is right', {
    'WWW-Authenticate': { description: '`Bearer`', schema: { type: 'string' } },
  }),
  Forbidden: problem('The source may not be read (of metadata only)'),
  NotFound: problem('No such source, dataset or node; or a chunk that was never written. Never a failure'),
  SourceChanged: problem('The source has changed since its `zarr.json` was read, or is not of the pinned version'),
  OverLimit: problem('The source is over a limit'),
  UnknownFormat: problem('The format is not recognised: says what the bytes are'),
  RangeNotSatisfiable: problem('The range is outside the chunk or document', {
    'Content-Range': { description: 'How many bytes there are', schema: { type: 'string' } },
  }),
  MalformedSource: problem('The source contradicts its format'),
  SourceGone: problem('Of a chunk: its source is gone, denies access or may not be read, which no retry mends'),
  TooMany: problem('More requests than this client may make', {
    'Retry-After': { description: 'Seconds', schema: { type: 'integer', minimum: 0 } },
  }),
  NotSupported: problem('Valid, but not supported: says what'),
  OriginFails: problem('The origin of the source fails'),
  Busy: problem('The origin of the source or this server is busy', {
    'Retry-After': { description: 'Seconds', schema: { type: 'integer', minimum: 0 } },
  }),
  OriginSlow: problem('The origin of the source is too slow'),
  Preflight: {
    description: 'What may be asked, from any origin',
    headers: {
      Allow: { description: 'The methods', schema: { type: 'string' } },
      'Access-Control-Allow-Methods': { description: 'The methods', schema: { type: 'string' } },
      'Access-Control-Allow-Headers': { description: 'The headers that scripts may send', schema: { type: 'string' } },
      'Access-Control-Max-Age': { description: 'Seconds', schema: { type: 'integer' } },
    },
  },
}

const ABOUT: SchemaNode = {
  openapi: '3.1.0',
  info: {
    title: 'virtual-zarr-server',
    version: VERSION,
    description:
      'Serves archival files as virtual Zarr v3 stores: metadata is parsed once, chunks are byte ranges of the source. ' +
      'Every answer may be read by scripts of any origin; every error is a problem document (RFC 9457), and its reason ' +
      'phrase says the same. Errors on the path of a chunk are never 403 or 404, which clients would read as fill value.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  tags: [
    { name: 'stores', description: 'The stores: any Zarr v3 client reads them by their URL' },
    { name: 'sources', description: 'From the URL of a source to its store, and what it holds' },
    { name: 'catalog', description: 'What the operator offers by name' },
    { name: 'service', description: 'The service itself' },
  ],
}

/** The operations of the routes, collected while they are registered; every route has a schema, or is hidden on purpose. */
export function collectOperations(http: FastifyInstance): ReadonlyMap<string, Operation> {
  const operations = new Map<string, Operation>()
  http.addHook('onRoute', ({ url, method, config, schema }) => {
    const isHidden = config?.isHidden === true || schema?.hide === true
    if (isHidden || ![method].flat().includes('GET')) return
    if (schema?.operationId === undefined) throw new Error(`the route ${url} has no schema for the API's description`)
    operations.set(url.replace(/:(\w+)/g, '{$1}'), operationOf(schema))
  })
  return operations
}

/** What a route's schema says, as an operation object of OpenAPI 3.1. */
function operationOf(schema: FastifySchema): Operation {
  const {
    operationId = '',
    summary = '',
    description,
    tags = [],
    params,
    querystring,
    response,
    problems,
    post,
  } = schema
  const parameters = [...parametersOf(params, 'path'), ...parametersOf(querystring, 'query')]
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: tags as readonly Tag[],
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: withProblems(response as SchemaNode, problems),
    ...(post === undefined ? {} : { post }),
  }
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, SchemaNode>>
  readonly required: readonly string[]
  /** Options of a store may stand beside the named parameters. */
  readonly additionalProperties: unknown
}

/** Parameters of a query or a path, and options of stores behind them where a query takes such. What several routes have is a reference. */
function parametersOf(schema: unknown, where: 'query' | 'path'): SchemaNode[] {
  if (schema === undefined) return []
  const { properties, required, additionalProperties } = schema as ObjectSchema
  const named = Object.entries(properties).map(([name, property]) =>
    property === SOURCE_URL ? parameterRef(name) : parameterOf(name, property, where, required.includes(name)),
  )
  const takesOptions = additionalProperties !== false
  return takesOptions ? [...named, ...Object.keys(OPTION_SCHEMAS).map(parameterRef)] : named
}

function parameterOf(name: string, property: SchemaNode, where: string, isRequired: boolean): SchemaNode {
  const { description, examples, ...schema } = property
  const [example] = (examples ?? []) as readonly string[]
  return {
    name,
    in: where,
    ...(isRequired ? { required: true } : {}),
    ...(description === undefined ? {} : { description }),
    schema,
    ...(example === undefined ? {} : { example }),
  }
}

/** Parameters that several routes have, by the names of `components.parameters`. */
const SOURCE_PARAMETERS: SchemaNode = {
  url: parameterOf('url', SOURCE_URL, 'query', true),
  ...Object.fromEntries(
    Object.entries(OPTION_SCHEMAS).map(([name, schema]) => [name, parameterOf(name, schema, 'query', false)]),
  ),
}

/** The whole contract: the routes' operations, those of the stores, and what all paths answer. */
export function openapiDocument(operations: ReadonlyMap<string, Operation>): SchemaNode {
  const all = [...Object.entries(STORE_OPERATIONS), ...operations]
  return {
    ...ABOUT,
    paths: Object.fromEntries(all.map(([path, operation]) => [path, pathItem(operation)])),
    // Neither where the operator asks for none.
    security: [{}, { bearer: [] }, { key: [] }],
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key, as `VZ_API_KEYS` has them' },
        key: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The same' },
      },
      schemas: API_SCHEMAS,
      parameters: { ...SOURCE_PARAMETERS, ...STORE_PARAMETERS },
      responses: { ...STORE_RESPONSES, ...RESPONSES },
    },
  }
}

/** What is read by GET answers HEAD and OPTIONS as well. */
function pathItem({ parameters = [], post, ...get }: Operation): SchemaNode {
  const { operationId, tags, responses } = get
  const inPath = parameters.filter(isInPath)
  const others = parameters.filter((parameter) => !isInPath(parameter))
  const own = others.length === 0 ? {} : { parameters: others }
  return {
    ...(inPath.length === 0 ? {} : { parameters: inPath }),
    get: { ...get, ...own },
    head: { operationId: `${operationId}Head`, summary: 'As GET, without the body', tags, ...own, responses },
    ...(post === undefined ? {} : { post }),
    options: {
      operationId: `${operationId}Options`,
      summary: 'What may be asked here',
      tags,
      responses: { 204: { $ref: '#/components/responses/Preflight' } },
    },
  }
}

function isInPath(parameter: SchemaNode): boolean {
  const reference = parameter['$ref']
  if (typeof reference !== 'string') return parameter['in'] === 'path'
  const named = STORE_PARAMETERS[reference.split('/').at(-1) ?? ''] ?? {}
  return (named as SchemaNode)['in'] === 'path'
}
