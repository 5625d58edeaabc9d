import { randomBytes } from 'node:crypto'

/** What a span says of itself. */
export type Attributes = Record<string, string | number | boolean>

/** Kinds as OTLP numbers them. */
export const KIND = { internal: 1, server: 2, client: 3 } as const

/** Of whom a span is a part, as `traceparent` tells it (W3C Trace Context). */
export interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

/** One piece of work, from its start to its end. */
export class Span {
  readonly traceId: string
  readonly spanId = randomBytes(8).toString('hex')
  readonly parentId: string | undefined
  readonly name: string
  readonly kind: number
  readonly start = performance.now()
  readonly attributes: Attributes = {}
  end: number | undefined
  error: string | undefined

  constructor(name: string, kind: number, parent: Omit<TraceParent, 'isSampled'> | undefined) {
    this.name = name
    this.kind = kind
    this.traceId = parent?.traceId ?? randomBytes(16).toString('hex')
    this.parentId = parent?.spanId
  }

  /** For who is asked as a part of this. */
  get traceparent(): string {
    return `00-${this.traceId}-${this.spanId}-01`
  }
}

/** Reads a `traceparent`; undefined for what is none. */
export function readTraceParent(header: unknown): TraceParent | undefined {
  if (typeof header !== 'string') return undefined
  const [, version, traceId = '', spanId = '', flags = '', more] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header.trim()) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
