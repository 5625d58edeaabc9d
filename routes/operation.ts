import { OPTION_HELP, type OptionHelp } from '../src/service/option-help.ts'

/** JSON as OpenAPI takes it; `$ref` leads into the document's components. */
export type ApiNode = { readonly [name: string]: ApiValue }
type ApiValue = string | number | boolean | null | readonly ApiValue[] | ApiNode

/** What a route promises: an operation object of OpenAPI 3.1. */
export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly [Tag]
  readonly parameters?: readonly ApiNode[]
  /** By status; those that every answer of the kind may have are added by `answersOf`. */
  readonly responses: ApiNode
  /** What a POST to the same path does. */
  readonly post?: ApiNode
}

type Tag = 'stores' | 'sources' | 'catalog' | 'service'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the API's description says of the route; without it, and without `isHidden`, the server does not start. */
    readonly operation?: Operation
    /** Not a part of the API: a file of a page, or described elsewhere. */
    readonly isHidden?: boolean
  }
}

export const schemaRef = (name: string): ApiNode => ({ $ref: `#/components/schemas/${name}` })
export const parameterRef = (name: string): ApiNode => ({ $ref: `#/components/parameters/${name}` })
export const responseRef = (name: string): ApiNode => ({ $ref: `#/components/responses/${name}` })

/** A JSON answer of this schema. */
export function jsonAnswer(description: string, schema: ApiNode): ApiNode {
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

type ProblemStatus = keyof typeof PROBLEM_NAMES

/** What may go wrong when a source must be read for the answer. */
const SOURCE_PROBLEMS: readonly ProblemStatus[] = [400, 401, 403, 404, 409, 413, 415, 422, 429, 501, 502, 503, 504]
/** Of a chunk, where 403 would be read as fill: BYTES-1. */
const CHUNK_PROBLEMS: readonly ProblemStatus[] = [400, 401, 404, 409, 413, 415, 416, 422, 424, 429, 501, 502, 503, 504]

/** The statuses of an operation's answers: its own, and those of the problems it may meet. */
export function answersOf(own: ApiNode, problems: readonly ProblemStatus[] = [401, 429, 503]): ApiNode {
  return { ...own, ...Object.fromEntries(problems.map((status) => [status, responseRef(PROBLEM_NAMES[status])])) }
}

export const sourceAnswers = (own: ApiNode): ApiNode => answersOf(own, SOURCE_PROBLEMS)
export const documentAnswers = (own: ApiNode): ApiNode => answersOf(own, [...SOURCE_PROBLEMS, 416])
export const chunkAnswers = (own: ApiNode): ApiNode => answersOf(own, CHUNK_PROBLEMS)

/** The query of routes that describe a source, by the names of `components.parameters`. */
export const SOURCE_PARAMETERS: ApiNode = {
  url: {
    name: 'url',
    in: 'query',
    required: true,
    description:
      'Absolute URL of the source: http, https, file (where folders are served), s3://bucket/key, gs://bucket/key, or az://account/container/key',
    schema: { type: 'string', format: 'uri', minLength: 1 },
    example: 'https://example.org/data.nc',
  },
  ...Object.fromEntries(Object.entries(OPTION_HELP).map(([name, help]) => [name, optionParameter(name, help)])),
}

export const sourceParameters: readonly ApiNode[] = Object.keys(SOURCE_PARAMETERS).map(parameterRef)

/** Of routes that take the name of a store instead of its source. */
export const namedSourceParameters: readonly ApiNode[] = [
  {
    name: 'store',
    in: 'query',
    description:
      "Instead of `url` and options: a catalog id, or any `{source}[;option=value]…` of a store's URL as it stands there",
    schema: { type: 'string', minLength: 1 },
    example: 'sea-surface',
  },
  { name: 'url', in: 'query', description: 'Absolute URL of the source', schema: { type: 'string', minLength: 1 } },
  ...Object.keys(OPTION_HELP).map(parameterRef),
]

function optionParameter(name: string, { values, takes, meaning, shape }: OptionHelp): ApiNode {
  const sentence = `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}`
  if (values === undefined) {
    return {
      name,
      in: 'query',
      description: `${sentence} (${takes})`,
      schema: { type: 'string', minLength: 1, ...shape },
    }
  }
  // Without a forced one the format is found.
  const preset = name === 'format' ? {} : { default: values[0] ?? '' }
  return { name, in: 'query', description: sentence, schema: { type: 'string', enum: values, ...preset } }
}
