import type { Feed } from '../bytes/feed.ts'
import type { VirtualZarrError } from '../errors.ts'
import { denied, lasting, later, notFound, tooSlow, unavailable } from './failures.ts'

/** One HTTP request, without a body. */
export interface HttpRequest {
  readonly url: URL
  readonly method: 'GET' | 'HEAD'
  readonly headers: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/** An answer whose head has come; its body must be read to the end, stopped or discarded. */
export interface HttpAnswer {
  /** Where it came from, after redirects. */
  readonly url: URL
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: HttpBody
  /** Frees the connection without handing on the body. */
  discard(): void
}

/** The bytes of an answer as they come; it fails with whatever the connection failed with. */
export interface HttpBody extends Feed {
  /** From now on this signal ends it, and no longer that of its request. */
  follow(signal: AbortSignal | undefined): void
  /** One at most. */
  watch(watcher: BodyWatcher): void
}

/** Who wants to know how a body fares, without reading it. */
export interface BodyWatcher {
  onPause(): void
  onResume(): void
  /** Its connection has no more to do with it. */
  onClose(): void
}

/** Makes one request; behaviour is added by wrapping. */
export type Exchange = (request: HttpRequest) => Promise<HttpAnswer>

/** A header's value; repeated ones are joined as HTTP says. */
export function headerOf(answer: HttpAnswer, name: string): string | undefined {
  const value = answer.headers[name]
  return typeof value === 'object' ? value.join(', ') : value
}

/** Whether the object does not exist, in its origin's own words. */
export function isAbsent(answer: HttpAnswer): boolean {
  return answer.status === 404 || answer.status === 410
}

/** The error for a status that brings no content. */
export function statusError(answer: HttpAnswer): VirtualZarrError {
  const { status } = answer
  const url = answer.url.href
  const said = `the origin answered ${status}`
  if (isAbsent(answer)) return notFound(said, url)
  if (status === 401 || status === 403) return denied(said, url)
  if (status === 408) return tooSlow(said, url)
  if (status === 429 || status === 503) return later(said, url, retryAfterOf(answer))
  if (status >= 500 && status !== 501 && status !== 505) return unavailable(said, url)
  return lasting(`${said}, expected content`, url)
}

const DEFAULT_RETRY_AFTER_SECONDS = 5
const MAX_RETRY_AFTER_SECONDS = 3600

/** RFC 9110, section 10.2.3: seconds or a date. */
function retryAfterOf(answer: HttpAnswer): number {
  const text = headerOf(answer, 'retry-after') ?? ''
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1000)
  if (Number.isNaN(seconds)) return DEFAULT_RETRY_AFTER_SECONDS
  return Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS)
}
