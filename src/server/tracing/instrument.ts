// What is traced: requests, and as parts of them the opening of sources, requests to origins, and transcoding.
import {
  type Attributes,
  context,
  propagation,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { FastifyInstance } from 'fastify'
import type { RecodeWorkers } from '../../delivery/delivery.ts'
import type { Exchange } from '../../source/http/exchange.ts'
import { shownPath } from '../logging.ts'

const tracer = trace.getTracer('virtual-zarr-server')

/** Adds a span for each request; its ids are in the log lines of the request. */
export function traceRequests(http: FastifyInstance): void {
  http.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    if (route.startsWith('/health/')) return done()
    const parent = propagation.extract(context.active(), request.headers)
    // Neither the client's address nor the source: a trace leaves the operator's network.
    const attributes: Attributes = {
      'http.request.method': request.method,
      'http.route': route,
      'url.path': shownPath(request.raw.url ?? ''),
    }
    const span = tracer.startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent)
    if (span.isRecording()) {
      const { traceId, spanId } = span.spanContext()
      request.traceIds = { trace_id: traceId, span_id: spanId }
      reply.raw.on('close', () => {
        const status = reply.raw.statusCode
        span.setAttribute('http.response.status_code', status)
        if (!reply.raw.writableFinished) span.setStatus({ code: SpanStatusCode.ERROR, message: 'cut' })
        else if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR, message: String(status) })
        span.end()
      })
    }
    context.with(trace.setSpan(parent, span), done)
  })
}

/**
 * Adds spans for requests to origins. Only origins that the operator has allowed by name get the trace's ids: others would learn from them which
 * requests belong together.
 */
export function tracedExchange(inner: Exchange, isAllowed: (url: URL) => boolean): Exchange {
  return (request) => {
    const { url, method } = request
    const attributes = {
      'http.request.method': method,
      'server.address': url.hostname,
      ...(request.headers['range'] === undefined ? {} : { 'vz.range': request.headers['range'] }),
    }
    return withSpan(`${method} origin`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
      if (span === undefined) return await inner(request)
      const headers = { ...request.headers }
      if (isAllowed(url)) propagation.inject(context.active(), headers)
      const answer = await inner({ ...request, headers })
      span.setAttribute('http.response.status_code', answer.status)
      return answer
    })
  }
}

/** Adds spans for chunks that threads decode and encode. */
export function tracedWorkers(workers: RecodeWorkers): RecodeWorkers {
  return {
    run: (task, signal, read) => withSpan('recode', {}, async () => await workers.run(task, signal, read)),
    close: () => workers.close(),
  }
}

/** Does work within a span of its own, where it is part of a request that is traced. */
async function withSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  if (trace.getActiveSpan()?.isRecording() !== true) return await work(undefined)
  return await tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      const message = error instanceof Error && 'code' in error ? String(error.code) : 'failed'
      span.setStatus({ code: SpanStatusCode.ERROR, message })
      throw error
    } finally {
      span.end()
    }
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What log lines say of the trace; undefined where the request is not traced. */
    traceIds?: { readonly trace_id: string; readonly span_id: string }
  }
}

/** The parts of a service that are replaced where it is traced. */
export interface ServiceTracing {
  exchange(inner: Exchange, isAllowed: (url: URL) => boolean): Exchange
  workers(inner: RecodeWorkers): RecodeWorkers
  opening<T>(open: () => Promise<T>): Promise<T>
  /** Sends what is left. */
  close(): Promise<void>
}

export const SERVICE_TRACING: Omit<ServiceTracing, 'close'> = {
  exchange: tracedExchange,
  workers: tracedWorkers,
  opening: (open) => withSpan('open source', {}, open),
}
