import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, RouteContext } from '../../routes/context.ts'
import { answerKeyFirst, KEYS_ROUTE } from '../../routes/zarr.ts'
import { VirtualZarrError } from '../errors.ts'
import type { RequestMetrics } from './request-metrics.ts'

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
