import { Agent, errors } from 'undici'
import { isVirtualZarrError, VirtualZarrError } from '../../errors.ts'
import type { Guard, Reach } from '../guard.ts'
import type { SourceSettings } from '../settings.ts'
import { headerOf } from './answer.ts'
import { allowedConnector, publicConnector, type Resolve } from './connector.ts'
import type { Exchange, HostTally, HttpAnswer, HttpRequest } from './exchange.ts'
import { forbidden, lasting, tooSlow, unavailable } from './failures.ts'
import { Incoming } from './incoming.ts'

/** The way to the network: undici pools behind the guard. */
export interface Http {
  /** To sources, as the guard judges them. */
  readonly exchange: Exchange
  /** For requests that are judged otherwise. */
  via(judge: (url: URL) => Reach): Exchange
  close(): Promise<void>
}

/** Where requests to a host are counted. */
export type TallyOf = (hostname: string) => HostTally

/** Opens the pools. Two of them: a connection that an allowed prefix made is never used for a URL outside of it. */
export function openHttp(guard: Guard, settings: SourceSettings, resolve: Resolve, tallyOf?: TallyOf): Http {
  const { connectMs, headersMs, slowHeadersMs } = settings.deadlines
  // Heads are timed by `Incoming`, bodies by `bodyOf`, which knows whether it is the reader or the origin who is slow.
  const options = { headersTimeout: 0, bodyTimeout: 0, pipelining: 1, connections: null }
  const agents = {
    public: new Agent({ ...options, connect: publicConnector(connectMs, resolve) }),
    allowed: new Agent({ ...options, connect: allowedConnector(connectMs, resolve) }),
  }

  function via(judge: (url: URL) => Reach): Exchange {
    const targets = targetsOf(judge, tallyOf)
    return ({ url, name = url, method, headers, signal }) =>
      new Promise<HttpAnswer>((resolve, fail) => {
        const target = targets(url)
        const { agent, origin, path, tally } = target
        signal?.throwIfAborted()
        const reject = (error: unknown) => {
          if (isVirtualZarrError(error, 'source-timeout')) target.isSlow = true
          fail(toFailure(error, name.href, signal))
        }
        const asked = { 'user-agent': settings.userAgent, 'accept-encoding': 'identity', ...headers }
        const patience = target.isSlow ? slowHeadersMs : headersMs
        const incoming = new Incoming({ url: name, signal, headersMs: patience, tally, resolve, reject })
        agents[agent].dispatch({ origin, path, method, headers: asked }, incoming)
      })
  }

  return {
    exchange: via(guard.judge),
    via,
    close: async () => void (await Promise.all([agents.public.destroy(), agents.allowed.destroy()])),
  }
}

/** A URL that was judged, and where it is asked for. */
interface Target {
  readonly href: string
  readonly agent: 'public' | 'allowed'
  readonly origin: string
  readonly path: string
  readonly tally: HostTally | undefined
  /** An answer did not come in the usual time. */
  isSlow: boolean
}

/** Judges a URL once, not once a request: its verdict depends on nothing else. Addresses are judged with each connection. */
function targetsOf(judge: (url: URL) => Reach, tallyOf: TallyOf | undefined): (url: URL) => Target {
  const known = new WeakMap<URL, Target>()
  return (url) => {
    const target = known.get(url)
    // A URL can be changed, which makes it another one.
    if (target?.href === url.href) return target
    const agent = judge(url)
    if (agent === 'file' || agent === 'store') throw forbidden('this may not be asked for over HTTP', url.href)
    const { href, origin, pathname, search, hostname } = url
    const judged = { href, agent, origin, path: `${pathname}${search}`, tally: tallyOf?.(hostname), isSlow: false }
    known.set(url, judged)
    return judged
  }
}

/** Translates what undici, TLS, DNS and sockets throw. */
function toFailure(error: unknown, url: string, signal?: AbortSignal): unknown {
  if (signal?.aborted === true) return signal.reason
  if (error instanceof VirtualZarrError) return error
  if (error instanceof errors.ConnectTimeoutError) return tooSlow('no connection to the origin in time', url, error)
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

const MOST_REDIRECTS = 5
const REDIRECTS = [301, 302, 303, 307, 308]

/** Follows redirects by hand; each hop passes the guard where it is asked, none leads from https to http. */
export function withRedirects(inner: Exchange, guard: Guard): Exchange {
  const follow = async (first: HttpAnswer, request: HttpRequest) => {
    let answer = first
    for (let hop = 0; hop < MOST_REDIRECTS; hop++) {
      answer.discard()
      answer = await inner({ ...request, url: nextHop(answer, guard) })
      if (!REDIRECTS.includes(answer.status)) return answer
    }
    answer.discard()
    throw lasting(`more than ${MOST_REDIRECTS} redirects`, request.url.href)
  }
  return (request) =>
    inner(request).then((answer) => (REDIRECTS.includes(answer.status) ? follow(answer, request) : answer))
}

function nextHop(answer: HttpAnswer, guard: Guard): URL {
  const location = headerOf(answer, 'location')
  if (location === undefined || !URL.canParse(location, answer.url.href)) {
    throw lasting('a redirect that names no place', answer.url.href)
  }
  const next = guard.parse(location, answer.url)
  if (next.protocol !== 'https:' && next.protocol !== 'http:') {
    throw forbidden(`a redirect may not lead to the scheme ${next.protocol}`, next.href)
  }
  if (answer.url.protocol === 'https:' && next.protocol === 'http:') {
    throw forbidden('a redirect may not lead from https to http', next.href)
  }
  return next
}
