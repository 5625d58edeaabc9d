import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { reasonPhrase } from '../../../routes/headers.ts'
import { parseStoreTarget } from '../../../routes/request.ts'
import { parseZarrKey } from '../../service/store-service.ts'
import { shownPath } from '../logging.ts'
import { toProblem } from '../problem.ts'

/** The service only reads; what is below `/zarr/` can be listed as well. */
export function methodsOf(request: FastifyRequest): string {
  if (isPostable(request)) return 'GET, HEAD, OPTIONS, POST'
  return isListable(request) ? 'GET, HEAD, OPTIONS, PROPFIND' : 'GET, HEAD, OPTIONS'
}

/** Whether the target takes documents. */
export function isPostable(request: FastifyRequest): boolean {
  return (request.raw.url ?? '').split('?', 1)[0] === '/joins'
}

/** Whether WebDAV clients may list what the target names. */
export function isListable(request: FastifyRequest): boolean {
  return (request.raw.url ?? '').startsWith('/zarr/')
}

/** Every failure, and every path that leads nowhere, is a problem (RFC 9457). */
export function answerErrors(http: FastifyInstance): void {
  http.setErrorHandler((error, request, reply) => sendProblem(error, request, reply))
  http.setNotFoundHandler((request, reply) =>
    sendPlain(reply, {
      type: '/problems/not-found',
      title: 'There is nothing here',
      status: 404,
      instance: shownPath(request.raw.url ?? ''),
    }),
  )
}

/** Answers a method that would change something. */
export function refuseMethod(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const title = 'The method is not allowed'
  const instance = shownPath(request.raw.url ?? '')
  return sendPlain(reply.header('allow', methodsOf(request)), { type: 'about:blank', title, status: 405, instance })
}

/** Answers with what went wrong. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const target = request.raw.url ?? ''
  const problem = toProblem(error, { instance: shownPath(target), isChunk: isChunk(target) })
  // A bug is told in full; an origin's trouble in a line; what the client asked wrong is its own affair.
  if (problem.status === 500) request.log.error({ req: request, err: error, ...request.traceIds }, 'request failed')
  else if (problem.status >= 502)
    request.log.warn({ req: request, problem: problem.body, ...request.traceIds }, 'request failed')
  for (const name of ['content-length', 'content-encoding', 'etag', 'accept-ranges', 'content-range', 'link', 'vary'])
    reply.removeHeader(name)
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer')
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds)
  return sendPlain(reply, problem.body)
}

function sendPlain(reply: FastifyReply, body: Readonly<Record<string, unknown>>): FastifyReply {
  reply.raw.statusMessage = reasonPhrase(String(body['title']), body['detail'])
  reply.code(Number(body['status'])).header('cache-control', 'no-store').type('application/problem+json')
  return reply.send(Buffer.from(JSON.stringify(body)))
}

/** Whether a chunk was asked for, however its key is escaped: clients read some statuses as fill there. */
function isChunk(target: string): boolean {
  try {
    const key = parseStoreTarget(target)?.key
    return key !== undefined && parseZarrKey(key).kind === 'chunk'
  } catch {
    return false // no key at all: the answer is 400 either way
  }
}
