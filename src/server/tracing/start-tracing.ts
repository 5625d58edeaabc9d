// Loads OpenTelemetry's packages: imported only where an endpoint for traces is configured.
import { trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node'
import { VERSION } from '../version.ts'
import type { TracingSettings } from './settings.ts'

/** Spans that wait to be sent; further ones are dropped. */
const MAX_QUEUED_SPANS = 4096
const SEND_INTERVAL_MS = 2000
const SEND_TIMEOUT_MS = 5000

export interface Tracing {
  /** Spans that the collector took, and spans that it didn't. */
  readonly counts: Readonly<Record<'exported' | 'dropped', number>>
  /** Sends what is left. A collector that is slow or gone costs spans, never an answer. */
  close(): Promise<void>
}

/** Makes OpenTelemetry's global tracer send spans to the configured endpoint. */
export function startTracing({ endpoint, headers, attributes, ratio, followsParent }: TracingSettings): Tracing {
  const counts = { exported: 0, dropped: 0 }
  const exporter = new OTLPTraceExporter({ url: endpoint, headers: { ...headers }, timeoutMillis: SEND_TIMEOUT_MS })
  const root = new TraceIdRatioBasedSampler(ratio)
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.version': VERSION, ...attributes }),
    sampler: followsParent ? new ParentBasedSampler({ root }) : root,
    spanProcessors: [
      new BatchSpanProcessor(counted(exporter, counts), {
        maxQueueSize: MAX_QUEUED_SPANS,
        scheduledDelayMillis: SEND_INTERVAL_MS,
        exportTimeoutMillis: SEND_TIMEOUT_MS,
      }),
    ],
  })
  provider.register()
  return {
    counts,
    async close() {
      // It rejects where the collector takes nothing; what is lost is counted.
      await provider.shutdown().catch(() => undefined)
      trace.disable()
    },
  }
}

function counted(exporter: SpanExporter, counts: { exported: number; dropped: number }): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        // 0 is success.
        counts[result.code === 0 ? 'exported' : 'dropped'] += spans.length
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => await exporter.forceFlush?.(),
  }
}
