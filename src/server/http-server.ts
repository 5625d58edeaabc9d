import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { COMMON_HEADERS, reasonPhrase } from '../../routes/headers.ts'
import { type ProxyTrust, trustFunction } from './access/trusted-proxies.ts'
import { loggerOptions } from './logging.ts'
import { sendProblem } from './plugins/problems.ts'
import { VALIDATION_OPTIONS } from './plugins/query-validation.ts'

export interface HttpServerSettings {
  readonly logLevel: string
  readonly trustProxy: ProxyTrust
}

/** Fastify with its limits, without hooks or routes. */
export function httpServer(settings: HttpServerSettings): FastifyInstance {
  return Fastify({
    logger: loggerOptions(settings.logLevel),
    // One line a request, with its id.
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all requests: a child for each costs more than a warm answer's headers.
    childLoggerFactory: (logger) => logger,
    trustProxy: trustFunction(settings.trustProxy),
    ajv: { customOptions: VALIDATION_OPTIONS },
    // Source URLs are longer than the 100 characters that Fastify allows a parameter.
    routerOptions: { maxParamLength: 16_384 },
    // The body of an answer may take long; the head of a request may not (slow-loris).
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    // A request without a Host is refused as everything else is (plugins/admission.ts).
    http: { requireHostHeader: false, maxHeaderSize: 32_768, headersTimeout: 5000, connectionsCheckingInterval: 1000 },
    forceCloseConnections: 'idle',
    // Admission control refuses new requests, and lets those under way end.
    return503OnClosing: false,
    exposeHeadRoutes: true,
    // Malformed targets never reach a route, and malformed requests not even Fastify; the answer is of the same kind.
    frameworkErrors: (error, request, reply) => sendProblem(error, request, reply.headers(COMMON_HEADERS)),
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket),
  })
}

const BROKEN = { status: 400, detail: 'the request is no HTTP; its target must be percent-encoded' }

/** By the codes of Node's parser. */
const PROBLEMS: ReadonlyMap<string, { readonly status: number; readonly detail: string }> = new Map([
  ['HPE_HEADER_OVERFLOW', { status: 431, detail: 'the target and the headers are too long together' }],
  ['ERR_HTTP_REQUEST_TIMEOUT', { status: 408, detail: 'the request took too long to arrive' }],
])

/** Answers what Node could not read as a request, which no route will ever see. */
function answerBrokenRequest(error: Error & { readonly code?: string }, socket: Duplex): void {
  // A client that is gone, or an answer that has begun: a second head would be taken for its body.
  const hasBegun = 'bytesWritten' in socket && socket.bytesWritten !== 0
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable || hasBegun) {
    socket.destroy()
    return
  }
  const { status, detail } = PROBLEMS.get(error.code ?? '') ?? BROKEN
  const title = STATUS_CODES[status] ?? 'Error'
  const body = JSON.stringify({ type: '/problems/invalid-request', title, status, detail })
  const headers = {
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...COMMON_HEADERS,
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${reasonPhrase(title, detail)}\r\n${lines.join('')}\r\n${body}`)
}
