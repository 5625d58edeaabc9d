import type { FastifyInstance, FastifySchema } from 'fastify'
import { unsupported } from '../src/errors.ts'
import { text } from '../src/json/schema.ts'
import type { RouteContext } from './context.ts'
import { signalOf } from './request.ts'
import { jsonAnswer, SOURCE_PROBLEMS, schemaRef, withSchemaTypes } from './route-schema.ts'
import { sourceOf, sourceQuery } from './source-query.ts'

/** `/verify`: what is served, compared with what an independent reader finds in the source. */
export function verifyRoute(app: FastifyInstance, context: RouteContext): void {
  withSchemaTypes(app).get('/verify', { schema: VERIFY }, async (request, reply) => {
    const { url, options } = sourceOf(request, ['sample'])
    if (context.verify === undefined) {
      throw unsupported('/verify', 'this service does not verify on request (VZ_ALLOW_VERIFY); the command verify does')
    }
    const { sample = '5%' } = request.query
    reply.header('cache-control', 'no-store')
    return await context.verify({ url, options, sample, signal: signalOf(reply.raw) })
  })
}

const VERIFY = {
  operationId: 'verifyStore',
  summary: 'What is served, compared with what an independent reader finds in the source; where the operator allows it',
  tags: ['sources'],
  querystring: sourceQuery({
    sample: text({
      pattern: '^([0-9]+([.][0-9]*)?|[.][0-9]+)%?$',
      default: '5%',
      examples: ['5%', '0.05'],
      description: 'The part of the chunks that is compared, spread evenly',
    }),
  }),
  response: {
    200: jsonAnswer(
      'What was compared, what differs, and what could not be compared and why',
      schemaRef('VerifyReport'),
    ),
  },
  problems: SOURCE_PROBLEMS,
} as const satisfies FastifySchema
