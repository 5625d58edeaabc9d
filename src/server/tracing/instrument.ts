import type { FastifyInstance } from 'fastify'
import type { RecodeWorkers } from '../../delivery/delivery.ts'
import type { Exchange } from '../../source/http/exchange.ts'
import { shownPath } from '../logging.ts'
import { KIND } from './span.ts'
import type { Tracer } from './tracer.ts'

// What is traced: requests, and as parts of them the opening of sources, requests to origins, and recoding.

/** A span for each request; its id is in the log, and in the answer's own log line. */
export function traceRequests(http: FastifyInstance, tracer: Tracer): void {
  http.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    const span = route.startsWith('/health/')
      ? undefined
      : tracer.begin(`${request.method} ${route}`, request.headers['traceparent'])
    if (span === undefined) return done()
    // No address of the client and no source: a trace leaves the house.
    Object.assign(span.attributes, {
      'http.request.method': request.method,
      'http.route': route,
      'url.path': shownPath(request.raw.url ?? ''),
    })
    request.traceIds = { trace_id: span.traceId, span_id: span.spanId }
    reply.raw.on('close', () => {
      const status = reply.raw.statusCode
      span.attributes['http.response.status_code'] = status
      if (!reply.raw.writableFinished) span.error = 'cut'
      else if (status >= 500) span.error = String(status)
      tracer.end(span)
    })
    tracer.within(span, done)
  })
}

/** Requests to origins. They are told of the trace only where the operator has named them: the ids of a trace tell who else is asked. */
export function tracedExchange(inner: Exchange, isAllowed: (url: URL) => boolean, tracer: Tracer): Exchange {
  return (request) => {
    const { url, method } = request
    const attributes = {
      'http.request.method': method,
      'server.address': url.hostname,
      ...(request.headers['range'] === undefined ? {} : { 'vz.range': request.headers['range'] }),
    }
    return tracer.part(`${method} origin`, KIND.client, attributes, async (span) => {
      if (span === undefined) return await inner(request)
      const headers = isAllowed(url) ? { ...request.headers, traceparent: span.traceparent } : request.headers
      const answer = await inner({ ...request, headers })
      span.attributes['http.response.status_code'] = answer.status
      return answer
    })
  }
}

/** Chunks that threads decode and encode. */
export function tracedWorkers(workers: RecodeWorkers, tracer: Tracer): RecodeWorkers {
  return {
    run: (task, signal, read) =>
      tracer.part('recode', KIND.internal, {}, async () => await workers.run(task, signal, read)),
    close: () => workers.close(),
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** As log lines tell them; undefined where the request is not traced. */
    traceIds?: { readonly trace_id: string; readonly span_id: string }
  }
}

/** What a service does otherwise when it is traced. */
export interface ServiceTracing {
  exchange(inner: Exchange, isAllowed: (url: URL) => boolean): Exchange
  workers(inner: RecodeWorkers): RecodeWorkers
  opening<T>(open: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function serviceTracing(tracer: Tracer): ServiceTracing {
  return {
    exchange: (inner, isAllowed) => tracedExchange(inner, isAllowed, tracer),
    workers: (inner) => tracedWorkers(inner, tracer),
    opening: (open) => tracer.part('open source', KIND.internal, {}, open),
    close: () => tracer.exporter.close(),
  }
}
