import type { Attributes, Span } from './span.ts'

/** Spans as a collector takes them: OTLP over HTTP, in JSON (opentelemetry-proto, trace/v1). */
export function otlpTraces(spans: readonly Span[], resource: Attributes, version: string): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: otlpAttributes(resource) },
        scopeSpans: [{ scope: { name: 'virtual-zarr-server', version }, spans: spans.map(otlpSpan) }],
      },
    ],
  }
}

function otlpSpan(span: Span): object {
  const { traceId, spanId, parentId, name, kind, start, end = start, attributes, error } = span
  return {
    traceId,
    spanId,
    ...(parentId === undefined ? {} : { parentSpanId: parentId }),
    name,
    kind,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(end),
    attributes: otlpAttributes(attributes),
    // 2 is an error; what went well says nothing.
    status: error === undefined ? {} : { code: 2, message: error },
  }
}

function otlpAttributes(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: otlpValue(value) }))
}

function otlpValue(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** Of a time of `performance.now()`, after 1970 began: more digits than a double holds. */
function nanoseconds(time: number): string {
  const since = BigInt(Math.trunc(performance.timeOrigin * 1e3)) + BigInt(Math.trunc(time * 1e3))
  return String(since * 1000n)
}
