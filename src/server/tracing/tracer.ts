import { AsyncLocalStorage } from 'node:async_hooks'
import { SpanExporter } from './exporter.ts'
import type { TracingSettings } from './settings.ts'
import { type Attributes, KIND, readTraceParent, Span } from './span.ts'

/** Says which work is a part of which, and hands what has ended to the exporter. */
export class Tracer {
  readonly exporter: SpanExporter
  readonly #settings: TracingSettings
  readonly #current = new AsyncLocalStorage<Span>()

  constructor(settings: TracingSettings) {
    this.#settings = settings
    this.exporter = new SpanExporter(settings)
  }

  /** What is being done now. */
  get current(): Span | undefined {
    return this.#current.getStore()
  }

  /** A span for a request, where it is to be traced. */
  begin(name: string, traceparent: unknown): Span | undefined {
    const parent = readTraceParent(traceparent)
    const { ratio, followsParent } = this.#settings
    const isSampled = followsParent && parent !== undefined ? parent.isSampled : Math.random() < ratio
    return isSampled ? new Span(name, KIND.server, parent) : undefined
  }

  within<T>(span: Span, work: () => T): T {
    return this.#current.run(span, work)
  }

  end(span: Span): void {
    span.end = performance.now()
    this.exporter.add(span)
  }

  /** Work as a part of what is being done now, if that is traced. */
  async part<T>(
    name: string,
    kind: number,
    attributes: Attributes,
    work: (span: Span | undefined) => Promise<T>,
  ): Promise<T> {
    const parent = this.current
    if (parent === undefined) return await work(undefined)
    const span = new Span(name, kind, parent)
    Object.assign(span.attributes, attributes)
    try {
      return await this.within(span, () => work(span))
    } catch (error) {
      span.error = error instanceof Error && 'code' in error ? String(error.code) : 'failed'
      throw error
    } finally {
      this.end(span)
    }
  }
}
