import type { FastifyInstance, FastifyRequest } from 'fastify'

/** A request whose answer is over: sent as a whole, or cut off. */
export interface AnsweredRequest {
  readonly request: FastifyRequest
  readonly route: string
  readonly status: number
  readonly milliseconds: number
  /** Length of the body that was sent; 0 where it was not known beforehand. */
  readonly bytes: number
}

/**
 * Calls the observers once for each request when its connection has taken the answer or is gone. Fastify's `onResponse` misses answers
 * that the client cuts off.
 */
export function observeAnswers(
  http: FastifyInstance,
  observers: readonly ((answered: AnsweredRequest) => void)[],
): void {
  http.addHook('onRequest', (request, reply, done) => {
    const start = performance.now()
    const { raw } = reply
    // Taken now: a handler that answers "not found" leaves the route.
    const route = request.routeOptions.url ?? 'none'
    raw.on('close', () => {
      const status = raw.statusCode
      const hasBody = request.method !== 'HEAD' && status !== 304
      const answered: AnsweredRequest = {
        request,
        route,
        status,
        milliseconds: performance.now() - start,
        bytes: hasBody ? Number(reply.getHeader('content-length') ?? 0) : 0,
      }
      for (const observe of observers) observe(answered)
    })
    done()
  })
}
