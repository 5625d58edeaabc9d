/** Everything that can go wrong, as one closed list: `server/problem.ts` gives each code its HTTP status. */
export type ErrorCode =
  | 'invalid-request'
  | 'source-forbidden'
  | 'source-denied'
  | 'source-not-found'
  | 'source-changed'
  | 'limit-exceeded'
  | 'unknown-format'
  | 'malformed-source'
  | 'unsupported-feature'
  | 'source-unavailable'
  | 'source-timeout'
  | 'overloaded'
  | 'unauthorized'
  | 'request-forbidden'
  | 'rate-limited'

/** Where it happened; every member is optional, and none may hold a secret. */
export interface ErrorContext {
  readonly url?: string | undefined
  readonly format?: string | undefined
  readonly path?: string | undefined
  readonly offset?: number | undefined
  readonly feature?: string | undefined
  readonly option?: string | undefined
  /** Present when the origin said "later" (429, 503), whose problem is then 503, or this server does: the `Retry-After`. */
  readonly retryAfterSeconds?: number | undefined
  /** A budget of the whole open is used up: no single array is to blame. */
  readonly isSpent?: true | undefined
  /** It is a file that a document names: other files of the store are as they were. */
  readonly isReferenced?: true | undefined
}

/** The one error class of the library; the message is one sentence: what, where and what was expected. */
export class VirtualZarrError extends Error {
  readonly code: ErrorCode
  readonly context: ErrorContext

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'VirtualZarrError'
    this.code = code
    this.context = context
  }
}

/** The bytes contradict the format's specification. */
export function malformed(message: string, context: ErrorContext = {}, cause?: unknown): VirtualZarrError {
  return new VirtualZarrError('malformed-source', message, context, cause)
}

/** The source is valid, but this part of its format is not served; `feature` names it. */
export function unsupported(feature: string, message: string, context: ErrorContext = {}): VirtualZarrError {
  return new VirtualZarrError('unsupported-feature', message, { ...context, feature })
}

/** A declared size or count is beyond what the server is willing to handle. */
export function overLimit(message: string, context: ErrorContext = {}): VirtualZarrError {
  return new VirtualZarrError('limit-exceeded', message, context)
}

/** A budget of the whole open is used up: what is read next would find it so, too. */
export function overBudget(message: string, context: ErrorContext = {}): VirtualZarrError {
  return overLimit(message, { ...context, isSpent: true })
}

/** The request itself makes no sense. */
export function invalidRequest(message: string, context: ErrorContext = {}): VirtualZarrError {
  return new VirtualZarrError('invalid-request', message, context)
}

/** Asks whether an error is ours and, when a code is given, of that code. */
export function isVirtualZarrError(error: unknown, code?: ErrorCode): error is VirtualZarrError {
  return error instanceof VirtualZarrError && (code === undefined || error.code === code)
}
