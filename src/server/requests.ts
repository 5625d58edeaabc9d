import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, RouteContext } from '../../routes/context.ts'
import { answerKeyFirst, KEYS_ROUTE } from '../../routes/zarr.ts'
import { VirtualZarrError } from '../errors.ts'

// What is done for every request, whatever it asks for: it is counted and timed, refused when there are too many, and
// answered to pages of any origin.

/** Requests under way beyond which a new one is refused rather than made to wait. */
const MOST_IN_FLIGHT = 4096

/** A request as a line of the log tells it. */
type LoggedRequest = Pick<FastifyRequest, 'id' | 'method' | 'url' | 'ip'> & Partial<Pick<FastifyRequest, 'traceIds'>>

declare module 'node:http' {
  interface ServerResponse {
    /** There once the answer is counted. */
    loggedAs?: LoggedRequest
  }
}

/** Who lets requests in, and counts and times them. */
export class Gate {
  inFlight = 0
  isDraining = false
  readonly #metrics: Pick<RequestMetrics, 'observe'>
  readonly #log: Pick<FastifyBaseLogger, 'info'> | undefined

  constructor(metrics: Pick<RequestMetrics, 'observe'>, log: FastifyBaseLogger) {
    this.#metrics = metrics
    this.#log = ['trace', 'debug', 'info'].includes(log.level) ? log : undefined
  }

  /** From now on new requests are refused, so that those under way can end. */
  drain(): void {
    this.isDraining = true
  }

  get isOpen(): boolean {
    return !this.isDraining && this.inFlight < MOST_IN_FLIGHT
  }

  /** Counts and times an answer until it is over; the log may be told more of its request until then. */
  watch(response: ServerResponse, route: string, request: LoggedRequest): void {
    const start = performance.now()
    const { method } = request
    this.inFlight++
    response.loggedAs = request
    // It closes but once: `once` would cost more than what is done then.
    response.on('close', () => {
      this.inFlight--
      const milliseconds = performance.now() - start
      const status = response.statusCode
      const bytes = response.bodyLength ?? Number(response.getHeader('content-length') ?? 0)
      this.#metrics.observe(route, method, status, milliseconds, bytes)
      const { loggedAs: req } = response
      this.#log?.info({ req, status, ms: Math.round(milliseconds), ...req?.traceIds }, 'answered')
    })
  }
}

/** Refuses rather than queues without end: 503 while draining and when too much is under way. Measures every request. */
export function watchRequests(http: FastifyInstance, metrics: Pick<RequestMetrics, 'observe'>): Gate {
  const gate = new Gate(metrics, http.log)
  http.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply
    if (raw.loggedAs === undefined) gate.watch(raw, request.routeOptions.url ?? 'none', request)
    else raw.loggedAs = request
    // What was begun before is ended, whatever the gate says by now.
    done(raw.begun === undefined ? refusal(request, reply, gate) : undefined)
  })
  return gate
}

/**
 * Has keys of stores answered before Fastify is given their requests: its routing, hooks and replies cost a warm document half of its
 * time (decision 8). What they would do for such a request is done here; whatever they might do otherwise is left to them.
 */
export function answerKeysFirst(http: FastifyInstance, gate: Gate, context: RouteContext, terms: EarlyTerms): void {
  const { server } = http
  const [usual] = server.listeners('request') as RequestListener[]
  if (usual === undefined) throw new Error('Fastify listens to no requests')
  server.removeListener('request', usual)
  server.on('request', (request, response) => {
    // A server that is being closed answers as Fastify says.
    if (!gate.isOpen || !server.listening || !isPlainKey(request, terms)) return usual(request, response)
    const caller = new EarlyCaller(request, terms.nextId)
    gate.watch(response, KEYS_ROUTE, caller)
    answerKeyFirst(caller, response, context, usual)
  })
}

interface EarlyTerms {
  /** Whether headers may say by which address the client called. */
  readonly believesProxies: boolean
  readonly nextId: () => string
}

/** Longer targets than stores can have, and those with broken escapes, are refused by the router. */
const MOST_TARGET_LENGTH = 8192
const BROKEN_ESCAPE = /%(?![\da-f]{2})/i

function isPlainKey({ method, url = '', headers }: IncomingMessage, { believesProxies }: EarlyTerms): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || !url.startsWith('/zarr/')) return false
  if (headers.host === undefined || url.length > MOST_TARGET_LENGTH || (url.includes('%') && BROKEN_ESCAPE.test(url)))
    return false
  return !believesProxies || !FORWARDED.some((name) => headers[name] !== undefined)
}

const FORWARDED = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']

/** A request that Fastify has not seen, in its words. */
class EarlyCaller implements Caller, LoggedRequest {
  readonly raw: IncomingMessage
  readonly method: string
  readonly host: string
  readonly protocol = 'http'
  readonly socket: Socket
  readonly #nextId: () => string
  #id: string | undefined

  constructor(raw: IncomingMessage, nextId: () => string) {
    this.raw = raw
    this.method = raw.method ?? ''
    this.host = raw.headers.host ?? ''
    this.socket = raw.socket
    this.#nextId = nextId
  }

  get id(): string {
    this.#id ??= this.#nextId()
    return this.#id
  }

  get url(): string {
    return this.raw.url ?? ''
  }

  get ip(): string {
    return this.socket.remoteAddress ?? ''
  }
}

/** Names of requests, for the log: those of Fastify and ours are of one row. */
export function requestIds(): () => string {
  let count = 0
  return () => `req-${(++count).toString(36)}`
}

function refusal(request: FastifyRequest, reply: FastifyReply, { inFlight, isDraining }: Gate): Error | undefined {
  const target = request.raw.url ?? ''
  if (!target.startsWith('/')) return new VirtualZarrError('invalid-request', 'the request target is not a path')
  // RFC 9112, section 3.2.
  if (request.raw.headers.host === undefined && request.raw.httpVersion !== '1.0')
    return new VirtualZarrError('invalid-request', 'the request has no Host')
  if (target.startsWith('/health/')) return undefined
  if (isDraining) {
    reply.header('connection', 'close')
    return new VirtualZarrError('overloaded', 'the server is shutting down')
  }
  if (inFlight <= MOST_IN_FLIGHT) return undefined
  return new VirtualZarrError('overloaded', `more than ${MOST_IN_FLIGHT} requests are under way`)
}

/** One logger for all requests: none is made for each. */
export function sameLogger<Logger>(logger: Logger): Logger {
  return logger
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
