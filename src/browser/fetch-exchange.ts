import type { Sink } from '../bytes/feed.ts'
import type { Exchange, HttpAnswer, HttpBody } from '../source/http/exchange.ts'
import { lasting, tooSlow, unavailable } from '../source/http/failures.ts'
import type { SourceSettings } from '../source/settings.ts'

/**
 * Headers that a page may not set, or that make a browser ask the origin for leave first, which many origins refuse. Nothing
 * depends on them: every answer is compared with the version that was opened.
 */
const LEFT_OUT = ['if-match', 'if-none-match', 'if-modified-since', 'accept-encoding', 'user-agent']

/** Requests by `fetch`. The browser follows redirects, and says what a page may read. */
export function fetchExchange(settings: SourceSettings): Exchange {
  return async ({ url, name = url, method, headers, signal }) => {
    signal?.throwIfAborted()
    const ending = new AbortController()
    const follow = () => ending.abort(signal?.reason)
    signal?.addEventListener('abort', follow, { once: true })
    const { slowHeadersMs } = settings.deadlines
    const late = setTimeout(() => ending.abort(tooSlow('no answer of the origin in time', name.href)), slowHeadersMs)
    try {
      const sent = Object.fromEntries(Object.entries(headers).filter(([header]) => !LEFT_OUT.includes(header)))
      // A browser's own cache may hold parts of several versions.
      const request = { method, headers: sent, signal: ending.signal, cache: 'no-store' } as const
      const response = await fetch(url, request)
      checkReadable(response, name.href)
      return new FetchedAnswer(response, ending, signal)
    } catch (error) {
      if (ending.signal.aborted) throw ending.signal.reason
      if (!(error instanceof TypeError)) throw error
      const message = 'the origin can not be reached from this page: it is down, or does not allow it (CORS)'
      throw unavailable(message, name.href, error)
    } finally {
      clearTimeout(late)
      signal?.removeEventListener('abort', follow)
    }
  }
}

/** A part that does not say which one it is can't be checked. */
function checkReadable({ status, type, headers, body }: Response, url: string): void {
  if (type !== 'cors' || status !== 206 || headers.has('content-range')) return
  void body?.cancel()
  throw lasting('the origin hides Content-Range from pages (Access-Control-Expose-Headers must name it)', url)
}

/** An answer and its own body. */
class FetchedAnswer implements HttpAnswer, HttpBody {
  readonly url: URL
  readonly status: number
  readonly headers: HttpAnswer['headers']
  readonly body: HttpBody = this
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  readonly #ending: AbortController
  #signal: AbortSignal | undefined
  #sink: Sink | undefined
  #isFlowing = false
  #isPaused = false
  #isOver = false

  constructor(response: Response, ending: AbortController, signal: AbortSignal | undefined) {
    this.url = new URL(response.url)
    this.status = response.status
    this.headers = headersOf(response.headers)
    this.#reader = response.body?.getReader()
    this.#ending = ending
    this.follow(signal)
  }

  discard(): void {
    this.stop()
  }

  start(sink: Sink): void {
    this.#sink = sink
    this.#isPaused = false
    void this.#flow()
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    void this.#flow()
  }

  stop(): void {
    this.#sink = undefined
    this.#end()
    this.#ending.abort(new DOMException('nobody wants the rest', 'AbortError'))
  }

  follow(signal: AbortSignal | undefined): void {
    this.#signal?.removeEventListener('abort', this)
    this.#signal = signal
    signal?.addEventListener('abort', this, { once: true })
  }

  /** Nobody waits for a free connection: the browser has its own queue. */
  watch(): void {}

  handleEvent(): void {
    this.#ending.abort(this.#signal?.reason)
  }

  async #flow(): Promise<void> {
    if (this.#isFlowing || this.#isOver || this.#sink === undefined) return
    this.#isFlowing = true
    try {
      while (!this.#isPaused) {
        const part = await this.#reader?.read()
        if (part?.value !== undefined) this.#sink?.data(part.value)
        else return this.#end()?.end()
      }
    } catch (error) {
      const reason = this.#ending.signal.aborted ? this.#ending.signal.reason : error
      this.#end()?.fail(reason instanceof Error ? reason : new Error(String(reason)))
    } finally {
      this.#isFlowing = false
    }
  }

  /** After this nothing more is handed on. */
  #end(): Sink | undefined {
    const sink = this.#sink
    this.#sink = undefined
    this.#isOver = true
    this.follow(undefined)
    return sink
  }
}

/** What was compressed on the way has been undone by the browser, and its length is that on the way. */
function headersOf(headers: Headers): HttpAnswer['headers'] {
  const { 'content-encoding': coding, 'content-length': length, ...rest } = Object.fromEntries(headers)
  if (coding !== undefined && coding !== 'identity') return rest
  return length === undefined ? rest : { ...rest, 'content-length': length }
}
