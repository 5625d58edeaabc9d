import type { FastifyInstance, FastifySchema } from 'fastify'
import { invalidRequest, VirtualZarrError } from '../src/errors.ts'
import { storePathOf } from '../src/service/store-address.ts'
import type { RouteContext } from './context.ts'
import { jsonAnswer, schemaRef, withProblems } from './route-schema.ts'

/** Of JSON; YAML is read up to 1 MiB. */
const MOST_BYTES = 32 * 2 ** 20

/** `/joins`: documents that lie nowhere else, as stores. */
export function joinRoutes(app: FastifyInstance, context: RouteContext): void {
  app.get('/joins', { schema: JOINS }, async () => ({ posted: context.documents !== undefined }))

  // In a scope of its own: bodies are kept as they came, whatever they say that they are.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    scope.post('/joins', { config: { isHidden: true } }, async (request, reply) => {
      if (context.documents === undefined) {
        throw new VirtualZarrError('source-forbidden', 'join documents are not taken here: VZ_ALLOW_POSTED_JOINS')
      }
      const { body } = request
      if (!(body instanceof Uint8Array) || body.length === 0) throw invalidRequest('the body is no join document')
      const url =
        context.publicUrl(request) + storePathOf(await context.documents.post(new Uint8Array(body)), new Map())
      return reply.code(201).header('location', url).send({ url })
    })
  })
}

const JOINS = {
  operationId: 'getJoins',
  summary: 'Whether join documents can be posted here',
  tags: ['sources'],
  response: { 200: jsonAnswer('Whether they can', schemaRef('Joins')) },
  post: {
    operationId: 'postJoin',
    summary: 'Makes a store of a join document',
    description:
      'The document, JSON or YAML, names its sources by absolute URLs, and reads what its sender could read by them. The same document always has the same URL; it is kept in memory, as long as there is room, and where VZ_MANIFEST_DIR or VZ_REDIS_URL say.',
    tags: ['sources'],
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: { type: 'object' } },
        'application/yaml': { schema: { type: 'string' } },
      },
    },
    responses: withProblems(
      { 201: jsonAnswer("The store's URL", schemaRef('PostedJoin')) },
      [400, 401, 403, 413, 422, 429, 501, 503],
    ),
  },
} as const satisfies FastifySchema
