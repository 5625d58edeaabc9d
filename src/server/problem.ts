import { STATUS_CODES } from 'node:http'
import { type ErrorCode, isVirtualZarrError, type VirtualZarrError } from '../errors.ts'

interface Problem {
  readonly status: number
  readonly type: string
  readonly title: string
}

/**
 * On a chunk path only "absent" may be 404, and nothing 403 or 412: clients read those as fill (BYTES-1). What no
 * retry can mend is 424 there: some clients ask again and again for half a minute after any 5xx.
 */
const PROBLEMS = {
  'invalid-request': both(400, 'invalid-request', 'The request makes no sense'),
  'source-forbidden': {
    metadata: problem(403, 'source-forbidden', 'The source may not be read'),
    chunk: problem(424, 'source-forbidden', 'The source may not be read'),
  },
  'source-denied': {
    metadata: problem(502, 'source-denied', 'The origin of the source denies access'),
    chunk: problem(424, 'source-denied', 'The origin of the source denies access'),
  },
  'source-not-found': {
    metadata: problem(404, 'source-not-found', 'There is no such source'),
    chunk: problem(424, 'source-gone', 'The source is gone'),
  },
  'source-changed': both(409, 'source-changed', 'The source has changed'),
  'limit-exceeded': both(413, 'limit-exceeded', 'The source is over a limit'),
  'unknown-format': both(415, 'unknown-format', 'The format of the source is not recognised'),
  'malformed-source': both(422, 'malformed-source', 'The source contradicts its format'),
  'unsupported-feature': both(501, 'unsupported-feature', 'This is not supported'),
  'source-unavailable': both(502, 'source-unavailable', 'The origin of the source fails'),
  'source-timeout': both(504, 'source-timeout', 'The origin of the source is too slow'),
  overloaded: both(503, 'overloaded', 'The server is busy'),
  // Never 403, which clients may read as fill.
  unauthorized: both(401, 'unauthorized', 'A key or a signature is needed'),
  // Of requests that change something, which are no chunks.
  'request-forbidden': both(403, 'request-forbidden', 'The request may not come from there'),
  'rate-limited': both(429, 'rate-limited', 'Too many requests'),
} satisfies Record<ErrorCode, { metadata: Problem; chunk: Problem }>

function problem(status: number, type: string, title: string): Problem {
  return { status, type, title }
}

function both(status: number, type: string, title: string): { metadata: Problem; chunk: Problem } {
  const one = problem(status, type, title)
  return { metadata: one, chunk: one }
}

export interface ProblemAnswer {
  readonly status: number
  readonly retryAfterSeconds: number | undefined
  readonly body: Readonly<Record<string, unknown>>
}

/** The answer to an error, as RFC 9457 has it. What is not ours is a bug: no detail leaves the server. */
export function toProblem(
  error: unknown,
  request: { readonly instance: string; readonly isChunk: boolean },
): ProblemAnswer {
  if (isVirtualZarrError(error)) return ownProblem(error, request)
  const status = clientErrorStatus(error)
  const title = STATUS_CODES[status] ?? 'Error'
  const detail = status < 500 && error instanceof Error ? { detail: detailOf(error) } : {}
  return {
    status,
    retryAfterSeconds: undefined,
    body: {
      type: status === 400 ? '/problems/invalid-request' : 'about:blank',
      title,
      status,
      ...detail,
      instance: request.instance,
    },
  }
}

function ownProblem(
  error: VirtualZarrError,
  request: { readonly instance: string; readonly isChunk: boolean },
): ProblemAnswer {
  const { status: mapped, type, title } = PROBLEMS[error.code][request.isChunk ? 'chunk' : 'metadata']
  const { url, retryAfterSeconds, isReferenced: _isReferenced, ...context } = error.context
  const isLater = retryAfterSeconds !== undefined && error.code === 'source-unavailable'
  const status = isLater ? 503 : mapped
  return {
    status,
    retryAfterSeconds: status === 503 || status === 429 ? Math.max(retryAfterSeconds ?? 1, 0) : undefined,
    body: {
      type: `/problems/${type}`,
      title,
      status,
      detail: error.message,
      instance: request.instance,
      ...(url === undefined ? {} : { source: url }),
      ...context,
    },
  }
}

/** Fastify quotes a URL that it can't decode, whose source may hold a secret. */
function detailOf(error: Error): string {
  const isBadUrl = 'code' in error && error.code === 'FST_ERR_BAD_URL'
  return isBadUrl ? 'the URL holds a broken percent escape' : error.message
}

/** Fastify's own refusals (a URL that can't be decoded, a body that is too large) carry their status. */
function clientErrorStatus(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500
}
