// Decodes in threads, so that no other request waits for it: the event loop stays under 250 ms for hostile chunks
// (`npm run bombs`), and whole rasters use up to four cores (`npm run bench whole`).
import { availableParallelism } from 'node:os'
import { VirtualZarrError } from '../../errors.ts'
import type { ReadAgain, RecodeTask, RecodeWorkers } from '../delivery.ts'
import { isTiny } from '../is-tiny.ts'
import { recode } from './recode.ts'
import { closing, WorkerThread } from './worker-thread.ts'

/** How many threads recode, and what one recoding may take. */
export interface WorkerOptions {
  /** As many as there are processors, at most 4. */
  readonly threads?: number | undefined
  /** After so much work a task is given up and its thread replaced. */
  readonly deadlineMs?: number | undefined
  /** Tasks that may wait however long they take. */
  readonly mostWaiting?: number | undefined
  /** More may wait as long as they are likely to be begun within so much time; others are refused as `overloaded`. */
  readonly patienceMs?: number | undefined
}

/** What a task takes, until some were seen. */
const USUAL_TASK_MS = 10
/** How much a task counts beside those before it. */
const NEWEST_SHARE = 1 / 8

/** Threads for chunks whose bytes point elsewhere: they mostly wait for the origin, and must not keep the others from their work. */
const READING_THREADS = 4

interface Waiting {
  readonly task: RecodeTask
  readonly read: ReadAgain | undefined
  readonly signal: AbortSignal | undefined
  readonly resolve: (bytes: Uint8Array) => void
  readonly reject: (error: unknown) => void
}

/** A pool of threads that recode; a thread that crashes or hangs costs its own task only. */
export function recodeWorkers(options: WorkerOptions = {}): RecodeWorkers {
  const plain = new WorkerPool(options)
  const reading = new WorkerPool({ ...options, threads: READING_THREADS })
  return {
    run: (task, signal, read) => (read === undefined ? plain : reading).run(task, signal, read),
    async close() {
      await Promise.all([plain.close(), reading.close()])
    },
  }
}

class WorkerPool implements RecodeWorkers {
  readonly #threads: WorkerThread[]
  readonly #idle: WorkerThread[]
  readonly #mostWaiting: number
  readonly #patienceMs: number
  readonly #queue: Waiting[] = []
  #taskMs = USUAL_TASK_MS
  #isClosed = false

  constructor({ threads, deadlineMs = 10_000, mostWaiting = 256, patienceMs = 10_000 }: WorkerOptions) {
    const size = threads ?? Math.min(Math.max(availableParallelism(), 1), 4)
    this.#threads = Array.from({ length: size }, () => new WorkerThread(deadlineMs))
    this.#idle = [...this.#threads]
    this.#mostWaiting = mostWaiting
    this.#patienceMs = patienceMs
  }

  async run(task: RecodeTask, signal?: AbortSignal, read?: ReadAgain): Promise<Uint8Array> {
    signal?.throwIfAborted()
    if (this.#isClosed) throw closing()
    if (isTiny(task)) return await recode(task)
    const waitMs = (this.#queue.length * this.#taskMs) / this.#threads.length
    if (this.#queue.length >= this.#mostWaiting && waitMs >= this.#patienceMs) {
      throw new VirtualZarrError('overloaded', `${this.#queue.length} chunks wait to be recoded`, {
        retryAfterSeconds: 1,
      })
    }
    return await new Promise<Uint8Array>((resolve, reject) => {
      const waiting: Waiting = { task, read, signal, resolve, reject }
      signal?.addEventListener('abort', () => this.#drop(waiting), { once: true })
      this.#queue.push(waiting)
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const waiting of this.#queue.splice(0)) waiting.reject(closing())
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  /** One that runs already is let run: its result may be kept. */
  #drop(waiting: Waiting): void {
    const place = this.#queue.indexOf(waiting)
    if (place === -1) return
    this.#queue.splice(place, 1)
    waiting.reject(waiting.signal?.reason)
  }

  #next(): void {
    const thread = this.#idle.pop()
    if (thread === undefined) return
    const waiting = this.#queue.shift()
    if (waiting === undefined) {
      this.#idle.push(thread)
      return
    }
    const start = performance.now()
    thread
      .run(waiting.task, waiting.read)
      .then(waiting.resolve, waiting.reject)
      .finally(() => {
        this.#taskMs += (performance.now() - start - this.#taskMs) * NEWEST_SHARE
        this.#idle.push(thread)
        this.#next()
      })
  }
}
