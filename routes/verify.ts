import type { FastifyInstance } from 'fastify'
import { unsupported } from '../src/errors.ts'
import type { RouteContext } from './context.ts'
import { type Operation, schemaRef, sourceAnswers, sourceParameters } from './operation.ts'
import { signalOf } from './request.ts'
import { sourceQuery } from './source-query.ts'

/** `/verify`: what is served, compared with what an independent reader finds in the source. */
export function verifyRoute(app: FastifyInstance, context: RouteContext): void {
  app.get('/verify', { config: { operation: VERIFY } }, async (request, reply) => {
    const { url, options } = sourceQuery(request, ['sample'])
    if (context.verify === undefined) {
      throw unsupported('/verify', 'this service does not verify on request (VZ_ALLOW_VERIFY); the command verify does')
    }
    const { sample = '5%' } = request.query as Readonly<Record<string, string>>
    reply.header('cache-control', 'no-store')
    return await context.verify({ url, options, sample, signal: signalOf(reply.raw) })
  })
}

const VERIFY: Operation = {
  operationId: 'verifyStore',
  summary: 'What is served, compared with what an independent reader finds in the source; where the operator allows it',
  tags: ['sources'],
  parameters: [
    ...sourceParameters,
    {
      name: 'sample',
      in: 'query',
      description: 'The part of the chunks that is compared, spread evenly',
      schema: { type: 'string', pattern: '^([0-9]+([.][0-9]*)?|[.][0-9]+)%?$', default: '5%' },
    },
  ],
  responses: sourceAnswers({
    200: {
      description: 'What was compared, what differs, and what could not be compared and why',
      content: { 'application/json': { schema: schemaRef('VerifyReport') } },
    },
  }),
}
