import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { shownPath } from '../logging.ts'
import type { AnsweredRequest } from './answered-requests.ts'

/** Successful chunk answers of a store are one line in such a period. */
const SUMMARY_INTERVAL_MS = 60_000
/** An answer that takes longer is logged by itself. */
const SLOW_ANSWER_MS = 1000
/** Stores that are summarised at a time; one more writes the lines of all of them. */
const MAX_SUMMARIES = 1000

interface ChunkSummary {
  chunks: number
  absent: number
  bytes: number
  milliseconds: number
  slowestMs: number
}

type Log = Pick<FastifyBaseLogger, 'info' | 'debug' | 'level'>

/**
 * Logs answers. A line for each chunk would cost a tenth of the processor time of a short chunk, so those that went well are counted, and
 * written as one line per store and minute (`npm run bench hot` with VZ_LOG_LEVEL=info shows the cost). Errors, refusals and slow answers
 * have their line at once; at the level `debug` every chunk has.
 */
export class AnswerLog {
  readonly #log: Log
  readonly #logsAnswers: boolean
  readonly #logsChunks: boolean
  #summaries = new Map<string, ChunkSummary>()
  #timer: NodeJS.Timeout | undefined
  #since = 0

  constructor(log: Log) {
    this.#log = log
    this.#logsChunks = log.level === 'trace' || log.level === 'debug'
    this.#logsAnswers = this.#logsChunks || log.level === 'info'
  }

  readonly observe = (answered: AnsweredRequest): void => {
    if (!this.#logsAnswers) return
    const { request, status, milliseconds } = answered
    const line = () => ({ req: request, status, ms: Math.round(milliseconds), ...request.traceIds })
    const { chunkStore } = request
    if (chunkStore === undefined || !isServed(status) || milliseconds >= SLOW_ANSWER_MS) {
      this.#log.info(line(), 'answered')
      return
    }
    this.#count(chunkStore, answered)
    if (this.#logsChunks) this.#log.debug(line(), 'answered')
  }

  #count(store: string, { status, bytes, milliseconds }: AnsweredRequest): void {
    let summary = this.#summaries.get(store)
    if (summary === undefined) {
      if (this.#summaries.size === MAX_SUMMARIES) this.flush()
      summary = { chunks: 0, absent: 0, bytes: 0, milliseconds: 0, slowestMs: 0 }
      this.#summaries.set(store, summary)
      if (this.#timer === undefined) {
        this.#since = performance.now()
        this.#timer = setTimeout(() => this.flush(), SUMMARY_INTERVAL_MS).unref()
      }
    }
    summary.chunks++
    if (status === 404) summary.absent++
    summary.bytes += bytes
    summary.milliseconds += milliseconds
    if (milliseconds > summary.slowestMs) summary.slowestMs = milliseconds
  }

  /** Writes a line for each store of which chunks were answered since the last time. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const seconds = Math.ceil((performance.now() - this.#since) / 1000)
    const summaries = this.#summaries
    this.#summaries = new Map()
    for (const [store, { chunks, absent, bytes, milliseconds, slowestMs }] of summaries) {
      const line = {
        store: shownPath(`/zarr/${store}`),
        seconds,
        chunks,
        absent,
        bytes,
        mean_ms: Math.round(milliseconds / chunks),
        slowest_ms: Math.round(slowestMs),
      }
      this.#log.info(line, 'chunks answered')
    }
  }
}

/** Of a chunk, 404 says that it was never written, which is an answer. */
function isServed(status: number): boolean {
  return status < 400 || status === 404
}

/** Logs what is answered from now on; what was counted is written when the server closes. */
export function logAnswers(http: FastifyInstance): AnswerLog['observe'] {
  const log = new AnswerLog(http.log)
  http.decorateRequest('chunkStore', undefined)
  http.addHook('onClose', async () => log.flush())
  return log.observe
}
