import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { COMMON_HEADERS } from '../../routes/headers.ts'
import { VirtualZarrError } from '../errors.ts'
import { isListable, isPostable, methodsOf, refuseMethod } from './problem-replies.ts'

// What is done for every request, whatever it asks for: it is counted and timed, refused when there are too many, and
// answered to pages of any origin.

/** Requests under way beyond which a new one is refused rather than made to wait. */
const MOST_IN_FLIGHT = 4096

/** Who lets requests in. */
export class Gate {
  inFlight = 0
  isDraining = false

  /** From now on new requests are refused, so that those under way can end. */
  drain(): void {
    this.isDraining = true
  }
}

/** Refuses rather than queues without end: 503 while draining and when too much is under way. Measures every request. */
export function watchRequests(http: FastifyInstance, metrics: Pick<RequestMetrics, 'observe'>): Gate {
  const gate = new Gate()
  const isLogged = http.log.level !== 'silent' && ['trace', 'debug', 'info'].includes(http.log.level)
  http.decorateReply('bodyLength', 0)
  http.addHook('onRequest', (request, reply, done) => {
    const start = performance.now()
    gate.inFlight++
    // It closes but once: `once` would cost more than what is done then.
    reply.raw.on('close', () => {
      gate.inFlight--
      const milliseconds = performance.now() - start
      const bytes = reply.bodyLength || Number(reply.getHeader('content-length') ?? 0)
      metrics.observe(request.routeOptions.url ?? 'none', request.method, reply.raw.statusCode, milliseconds, bytes)
      if (isLogged)
        http.log.info(
          { req: request, status: reply.raw.statusCode, ms: Math.round(milliseconds), ...request.traceIds },
          'answered',
        )
    })
    done(refusal(request, reply, gate))
  })
  return gate
}

function refusal(request: FastifyRequest, reply: FastifyReply, { inFlight, isDraining }: Gate): Error | undefined {
  const target = request.raw.url ?? ''
  if (!target.startsWith('/')) return new VirtualZarrError('invalid-request', 'the request target is not a path')
  if (target.startsWith('/health/')) return undefined
  if (isDraining) {
    reply.header('connection', 'close')
    return new VirtualZarrError('overloaded', 'the server is shutting down')
  }
  if (inFlight <= MOST_IN_FLIGHT) return undefined
  return new VirtualZarrError('overloaded', `more than ${MOST_IN_FLIGHT} requests are under way`)
}

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

/** The service's address in links: the configured one, or as the client called it. */
export function publicUrlOf(configured: string | undefined): (request: FastifyRequest) => string {
  return (request) => configured ?? calledUrl(request)
}

/** One logger for all requests: none is made for each. */
export function sameLogger<Logger>(logger: Logger): Logger {
  return logger
}

/** What is no host (RFC 3986, 3.2.2) must not get into links. */
function calledUrl(request: FastifyRequest): string {
  if (/^(?:[\w.-]+|\[[\d.:a-f]+\])(?::\d{1,5})?$/i.test(request.host)) return `${request.protocol}://${request.host}`
  const { localAddress = '127.0.0.1', localPort } = request.socket
  const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress
  return `${request.protocol}://${host}:${localPort}`
}

/** Upper bounds of the buckets, in seconds. */
const BUCKETS = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30]

interface Series {
  readonly labels: string
  /** Not cumulative until it is written; the last is for what is beyond every bound. */
  readonly counts: number[]
  seconds: number
  bytes: number
}

/** Durations and bytes of requests. prom-client's histogram costs a fifth of a warm request, counting by hand next to nothing. */
export interface RequestMetrics {
  /** One answered request; the labels are few and fixed, whatever clients ask for. */
  observe(route: string, method: string, status: number, milliseconds: number, bytes: number): void
  /** In Prometheus' text format. */
  text(): string
}

export function requestMetrics(): RequestMetrics {
  const seen = new Map<string, Series>()
  return {
    observe(route, method, status, milliseconds, bytes) {
      const key = `${route} ${method} ${status}`
      let series = seen.get(key)
      if (series === undefined) {
        const labels = `route="${route}",method="${method}",status="${status}"`
        series = { labels, counts: new Array<number>(BUCKETS.length + 1).fill(0), seconds: 0, bytes: 0 }
        seen.set(key, series)
      }
      const seconds = milliseconds / 1000
      let bucket = 0
      while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] ?? 0)) bucket++
      series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
      series.seconds += seconds
      series.bytes += bytes
    },
    text: () => [...histogramLines(seen.values()), ...byteLines(seen.values())].join(''),
  }
}

function* histogramLines(all: Iterable<Series>): Generator<string> {
  const name = 'vz_http_request_seconds'
  yield `# HELP ${name} Time from the request to the end of its answer\n# TYPE ${name} histogram\n`
  for (const { labels, counts, seconds } of all) {
    let below = 0
    for (const [i, count] of counts.entries()) {
      below += count
      yield `${name}_bucket{${labels},le="${BUCKETS[i] ?? '+Inf'}"} ${below}\n`
    }
    yield `${name}_sum{${labels}} ${seconds}\n${name}_count{${labels}} ${below}\n`
  }
}

function* byteLines(all: Iterable<Series>): Generator<string> {
  const name = 'vz_http_sent_bytes_total'
  yield `# HELP ${name} Body bytes sent\n# TYPE ${name} counter\n`
  for (const { labels, bytes } of all) yield `${name}{${labels}} ${bytes}\n`
}
