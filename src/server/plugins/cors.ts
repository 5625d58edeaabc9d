import type { FastifyInstance } from 'fastify'
import { COMMON_HEADERS } from '../../../routes/headers.ts'
import { isListable, isPostable, methodsOf, refuseMethod } from './problems.ts'

/** What scripts of other origins may send: ranges and conditions, and what libraries add of themselves. */
const ALLOWED_HEADERS =
  'Range, If-None-Match, If-Range, Cache-Control, Content-Type, Authorization, X-Api-Key, Traceparent, Tracestate, Depth'

/** Lets scripts of any origin read every answer (CORS). Registered first, so that refusals have these headers, too. */
export function allowAnyOrigin(http: FastifyInstance): void {
  http.addHook('onRequest', (_request, reply, done) => {
    reply.headers(COMMON_HEADERS)
    done()
  })
}

/** Answers OPTIONS, preflights included, and refuses the methods that no route has. */
export function answerMethods(http: FastifyInstance): void {
  http.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'GET' || request.method === 'HEAD') return done()
    const isListed = isListable(request)
    if (request.method === 'PROPFIND' && isListed) return done()
    if (request.method === 'POST' && isPostable(request)) return done()
    if (request.method !== 'OPTIONS') return void refuseMethod(request, reply)
    reply.header('allow', methodsOf(request))
    if (isListed) reply.header('dav', '1')
    reply.header('access-control-allow-methods', methodsOf(request))
    reply.header('access-control-allow-headers', ALLOWED_HEADERS)
    reply.header('access-control-max-age', '86400')
    reply.code(204).send()
  })
}
