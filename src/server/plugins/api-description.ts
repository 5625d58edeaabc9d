import fastifySwagger, { type StaticDocumentSpec } from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { jsonAnswer } from '../../../routes/route-schema.ts'
import type { Operation } from '../../../routes/store-operations.ts'
import type { SchemaNode } from '../../json/schema.ts'
import { openapiDocument } from '../openapi.ts'

/** The API's description, for programs and as pages. */
export async function describeApi(http: FastifyInstance, operations: ReadonlyMap<string, Operation>): Promise<void> {
  let document: SchemaNode = {}
  http.get('/openapi.json', { schema: OPENAPI }, async () => document)
  document = openapiDocument(operations)
  const specification = { document: document as unknown as StaticDocumentSpec['document'] }
  await http.register(fastifySwagger, { mode: 'static', specification })
  await http.register(fastifySwaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    // Which other methods a path answers is for programs.
    transformSpecification: (shown) => ({ ...shown, paths: pathsByGet(shown['paths']) }),
    transformSpecificationClone: false,
  })
}

function pathsByGet(paths: unknown): object {
  const items = Object.entries(paths as Readonly<Record<string, Readonly<Record<string, unknown>>>>)
  return Object.fromEntries(items.map(([path, { head: _head, options: _options, ...rest }]) => [path, rest]))
}

const OPENAPI = {
  operationId: 'getOpenapi',
  summary: 'This document',
  tags: ['service'],
  response: { 200: jsonAnswer('OpenAPI 3.1; `/docs` shows it as pages', { type: 'object' }) },
} as const satisfies FastifySchema
