import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyTypeProvider, RawServerDefault } from 'fastify'
import { type Schema, type SchemaNode, text } from '../src/json/schema.ts'
import type { API_SCHEMAS } from '../src/service/api-schemas.ts'
import { OPTION_HELP, type OptionHelp } from '../src/service/option-help.ts'

// A route's schema validates its query, gives the handler the query's type, and is the route's part of openapi.yaml.

export type Tag = 'stores' | 'sources' | 'catalog' | 'service'

declare module 'fastify' {
  // Besides what @fastify/swagger declares: `operationId`, `summary`, `description`, `tags`.
  interface FastifySchema {
    /** Problems that the route may answer with, by status; without them 401, 429 and 503. */
    readonly problems?: readonly ProblemStatus[]
    /** What a POST to the path takes and answers, as an operation object of OpenAPI 3.1: its body is read by the handler, whatever its type. */
    readonly post?: SchemaNode
  }
  interface FastifyContextConfig {
    /** Not a part of the API: a file of a page, or described elsewhere. */
    readonly isHidden?: boolean
  }
}

/** Types a request's query and parameters by the route's schema. */
interface SchemaTypes extends FastifyTypeProvider {
  readonly validator: this['schema'] extends Schema<infer Value> ? Value : unknown
  readonly serializer: unknown
}

/** The application, as routes with schemas are added to it. */
export type ApiInstance = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyInstance['log'],
  SchemaTypes
>

/** The same application; its routes' queries have the types of their schemas. */
export function withSchemaTypes(app: FastifyInstance): ApiInstance {
  return app.withTypeProvider<SchemaTypes>() as ApiInstance
}

export const schemaRef = (name: keyof typeof API_SCHEMAS & string): SchemaNode => ({
  $ref: `#/components/schemas/${name}`,
})
export const parameterRef = (name: string): SchemaNode => ({ $ref: `#/components/parameters/${name}` })
export const responseRef = (name: string): SchemaNode => ({ $ref: `#/components/responses/${name}` })

/** A JSON answer of this schema. */
export function jsonAnswer(description: string, schema: SchemaNode): SchemaNode {
  return { description, content: { 'application/json': { schema } } }
}

/** Errors by status, as `components.responses` names them. */
const PROBLEM_NAMES = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'SourceChanged',
  413: 'OverLimit',
  415: 'UnknownFormat',
  416: 'RangeNotSatisfiable',
  422: 'MalformedSource',
  424: 'SourceGone',
  429: 'TooMany',
  501: 'NotSupported',
  502: 'OriginFails',
  503: 'Busy',
  504: 'OriginSlow',
} as const

export type ProblemStatus = keyof typeof PROBLEM_NAMES

const SERVICE_PROBLEMS: readonly ProblemStatus[] = [401, 429, 503]
/** What may go wrong when a source must be read for the answer. */
export const SOURCE_PROBLEMS: readonly ProblemStatus[] = [
  400, 401, 403, 404, 409, 413, 415, 422, 429, 501, 502, 503, 504,
]
export const DOCUMENT_PROBLEMS: readonly ProblemStatus[] = [...SOURCE_PROBLEMS, 416]
/** Of a chunk, where 403 would be read as fill: BYTES-1. */
export const CHUNK_PROBLEMS: readonly ProblemStatus[] = [
  400, 401, 404, 409, 413, 415, 416, 422, 424, 429, 501, 502, 503, 504,
]

/** The statuses of an operation's answers: its own, and those of the problems it may meet. */
export function withProblems(own: SchemaNode, problems = SERVICE_PROBLEMS): SchemaNode {
  return { ...own, ...Object.fromEntries(problems.map((status) => [status, responseRef(PROBLEM_NAMES[status])])) }
}

/** The parameter `url` of routes that need one. */
export const SOURCE_URL = text({
  format: 'uri',
  minLength: 1,
  description:
    'Absolute URL of the source: http, https, file (where folders are served), s3://bucket/key, gs://bucket/key, or az://account/container/key',
  examples: ['https://example.org/data.nc'],
})

/** Options of a store as a query has them, for the API's description. Their texts are checked by `parseStoreOptions`, as in the URLs of stores. */
export const OPTION_SCHEMAS: Readonly<Record<string, SchemaNode>> = Object.fromEntries(
  Object.entries(OPTION_HELP).map(([name, help]) => [name, optionSchema(name, help)]),
)

function optionSchema(name: string, { values, takes, meaning, shape }: OptionHelp): SchemaNode {
  const sentence = `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}`
  if (values === undefined) return { type: 'string', minLength: 1, ...shape, description: `${sentence} (${takes})` }
  // Without a forced one the format is found.
  const preset = name === 'format' ? {} : { default: values[0] ?? '' }
  return { type: 'string', enum: values, ...preset, description: sentence }
}
