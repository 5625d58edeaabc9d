import { VERSION } from '../version.ts'
import { otlpTraces } from './otlp.ts'
import type { TracingSettings } from './settings.ts'
import type { Span } from './span.ts'

/** Spans that wait to be sent; further ones are dropped, and counted. */
const MOST_WAITING = 4096
const MOST_AT_ONCE = 512
const EVERY_MILLISECONDS = 2000
const PATIENCE_MILLISECONDS = 5000

/** Sends ended spans now and then. A collector that is slow or gone costs spans, and no answer. */
export class SpanExporter {
  readonly counts = { exported: 0, dropped: 0 }
  readonly #settings: TracingSettings
  readonly #waiting: Span[] = []
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined

  constructor(settings: TracingSettings) {
    this.#settings = settings
  }

  add(span: Span): void {
    if (this.#waiting.length >= MOST_WAITING) {
      this.counts.dropped++
      return
    }
    this.#waiting.push(span)
    if (this.#waiting.length >= MOST_AT_ONCE) void this.#flush()
    else this.#timer ??= setTimeout(() => void this.#flush(), EVERY_MILLISECONDS).unref()
  }

  /** Sends what is left. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#sending
    if (this.#waiting.length > 0) await this.#flush()
  }

  /** One request at a time. */
  #flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined
    })
    return this.#sending
  }

  async #send(): Promise<void> {
    const { endpoint, headers, attributes } = this.#settings
    while (this.#waiting.length > 0) {
      const spans = this.#waiting.splice(0, MOST_AT_ONCE)
      const body = JSON.stringify(otlpTraces(spans, attributes, VERSION))
      const isTaken = await fetch(endpoint, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(PATIENCE_MILLISECONDS),
      }).then(
        async (answer) => {
          await answer.body?.cancel()
          return answer.ok
        },
        () => false,
      )
      if (isTaken) this.counts.exported += spans.length
      else this.counts.dropped += spans.length
    }
  }
}
