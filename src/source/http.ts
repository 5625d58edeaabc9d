import { Agent, errors } from 'undici'
import { VirtualZarrError } from '../errors.ts'
import { allowedConnector, publicConnector, type Resolve } from './connector.ts'
import type { Exchange, HttpAnswer, HttpRequest } from './exchange.ts'
import { forbidden, lasting, tooSlow, unavailable } from './failures.ts'
import type { Guard } from './guard.ts'
import type { SourceSettings } from './settings.ts'

/** The way to the network: undici pools behind the guard. */
export interface Http {
  readonly exchange: Exchange
  close(): Promise<void>
}

/** What is left of an unwanted body and still worth reading to keep its connection. */
const DISCARD_BYTES = 16 * 1024

/** Opens the pools. Two of them: a connection that an allowed prefix made is never used for a URL outside of it. */
export function openHttp(guard: Guard, settings: SourceSettings, resolve: Resolve): Http {
  const { connectMs, headersMs } = settings.deadlines
  // Bodies are timed by `exactBody`, which knows whether it is the reader or the origin who is slow.
  const options = { headersTimeout: headersMs, bodyTimeout: 0, pipelining: 1, connections: null }
  const agents = {
    public: new Agent({ ...options, connect: publicConnector(connectMs, resolve) }),
    allowed: new Agent({ ...options, connect: allowedConnector(connectMs, resolve) }),
  }

  async function exchange(request: HttpRequest): Promise<HttpAnswer> {
    const { url, method, signal } = request
    const reach = guard.judge(url)
    if (reach === 'file') throw forbidden('a file may not be asked for over HTTP', url.href)
    signal?.throwIfAborted()
    const headers = { 'user-agent': settings.userAgent, 'accept-encoding': 'identity', ...request.headers }
    const path = `${url.pathname}${url.search}`
    try {
      const answer = await agents[reach].request({ origin: url.origin, path, method, headers, signal: signal ?? null })
      return toAnswer(url, answer)
    } catch (error) {
      throw toFailure(error, url.href, signal)
    }
  }

  return { exchange, close: async () => void (await Promise.all([agents.public.destroy(), agents.allowed.destroy()])) }
}

function toAnswer(url: URL, answer: Awaited<ReturnType<Agent['request']>>): HttpAnswer {
  const { body } = answer
  // A body that nobody reads any more may still fail; whoever reads it listens as well.
  body.on('error', ignore)
  return {
    url,
    status: answer.statusCode,
    headers: answer.headers,
    body,
    discard: () => {
      const length = Number(answer.headers['content-length'] ?? Number.POSITIVE_INFINITY)
      if (length > DISCARD_BYTES) body.destroy()
      else body.dump({ limit: DISCARD_BYTES }).catch(ignore)
    },
  }
}

function ignore(): void {}

/** Translates what undici, TLS, DNS and sockets throw. */
export function toFailure(error: unknown, url: string, signal?: AbortSignal): unknown {
  if (signal?.aborted === true) return signal.reason
  if (error instanceof VirtualZarrError) return error
  if (error instanceof errors.ConnectTimeoutError) return tooSlow('no connection to the origin in time', url, error)
  if (error instanceof errors.HeadersTimeoutError) return tooSlow('no answer of the origin in time', url, error)
  if (error instanceof errors.BodyTimeoutError) return tooSlow('the origin stopped sending', url, error)
  const code = codeOf(error)
  if (code === 'ENOTFOUND') return lasting('the host has no address', url, error)
  if (code === 'ETIMEDOUT') return tooSlow('no connection to the origin in time', url, error)
  if (/^(ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)) {
    return lasting(`the origin's certificate is not valid (${code})`, url, error)
  }
  return unavailable(`the connection to the origin failed (${code})`, url, error)
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  if ('code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? error.name : 'unknown'
}
