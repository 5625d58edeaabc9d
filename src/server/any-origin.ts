import type { FastifyInstance } from 'fastify'
import { COMMON_HEADERS } from '../../routes/headers.ts'
import { isListable, isPostable, methodsOf, refuseMethod } from './problem-replies.ts'

/** What scripts of other origins may send: ranges and conditions, and what libraries add of themselves. */
const ALLOWED_HEADERS =
  'Range, If-None-Match, If-Range, Cache-Control, Content-Type, Authorization, X-Api-Key, Traceparent, Tracestate, Depth'

/** Browsers of any origin may read; a suffix range is preflighted. Answers written past Fastify bring these headers themselves. */
export function allowAnyOrigin(http: FastifyInstance): void {
  http.addHook('onSend', (_request, reply, _payload, done) => {
    reply.headers(COMMON_HEADERS)
    done()
  })
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
