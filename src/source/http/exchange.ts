import type { Feed } from '../../bytes/feed.ts'

/** One HTTP request, without a body. */
export interface HttpRequest {
  readonly url: URL
  /** What answers and errors call it, where that is not its URL: the location of an object. */
  readonly name?: URL | undefined
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

/** Requests that had one kind of outcome. */
export interface Outcome {
  count: number
  /** Until their answers began, or failed. */
  seconds: number
}

/** What became of requests to one host; who counts them only adds. */
export interface HostTally {
  /** By the first digit of their status. */
  readonly answered: readonly Outcome[]
  readonly failed: Outcome
  /** Ended by who had asked. */
  readonly givenUp: Outcome
}

/** Makes one request; behaviour is added by wrapping. */
export type Exchange = (request: HttpRequest) => Promise<HttpAnswer>
