import { Counter, Histogram, type Registry } from 'prom-client'
import type { AnsweredRequest } from './answered-requests.ts'

/** Upper bounds of the buckets, in seconds. */
const BUCKETS = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30]

const LABELS = ['route', 'method', 'status'] as const

/** Durations of requests and the bytes of their bodies. */
export class RequestMetrics {
  readonly #seconds: Histogram<(typeof LABELS)[number]>
  readonly #bytes: Counter<(typeof LABELS)[number]>

  constructor(register: Registry) {
    const registers = [register]
    this.#seconds = new Histogram({
      name: 'vz_http_request_seconds',
      help: 'Time from the request to the end of its answer',
      labelNames: LABELS,
      buckets: BUCKETS,
      registers,
    })
    this.#bytes = new Counter({
      name: 'vz_http_sent_bytes_total',
      help: 'Body bytes sent',
      labelNames: LABELS,
      registers,
    })
  }

  /** Counts one answered request. The labels are few and fixed, whatever clients ask for. */
  readonly observe = ({ route, request: { method }, status, milliseconds, bytes }: ObservedAnswer): void => {
    const labels = { route, method, status }
    this.#seconds.observe(labels, milliseconds / 1000)
    this.#bytes.inc(labels, bytes)
  }
}

type ObservedAnswer = Omit<AnsweredRequest, 'request'> & {
  readonly request: Pick<AnsweredRequest['request'], 'method'>
}
