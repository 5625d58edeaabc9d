import { Worker } from 'node:worker_threads'
import { malformed, overLimit, VirtualZarrError } from '../../errors.ts'
import type { RecodeTask } from '../delivery.ts'
import { type Outcome, TaskSender } from './task-message.ts'

// Type stripping runs this very file, a build its twin.
const WORKER_URL = new URL(
  import.meta.url.endsWith('.ts') ? './recode-worker.ts' : './recode-worker.js',
  import.meta.url,
)

/** Heap of one thread; chunks are array buffers, which `limits.ts` bounds. */
const MOST_HEAP_MB = 256

/** One thread, started when it is needed and again after it failed. It runs one task at a time. */
export class WorkerThread {
  readonly #deadlineMs: number
  #worker: Worker | undefined
  /** What the worker was told: another one must be told again. */
  #sender = new TaskSender()
  #isClosed = false

  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs
  }

  async run(task: RecodeTask): Promise<Uint8Array> {
    const worker = this.#worker ?? this.#start()
    const { message, transfer } = this.#sender.pack(task)
    const outcome = await new Promise<Outcome>((resolve, reject) => {
      const deadline = setTimeout(() => {
        done(() => reject(overLimit(`decoding a chunk takes longer than ${this.#deadlineMs} ms`)))
        this.#discard(worker)
      }, this.#deadlineMs)
      const done = (settle: () => void) => {
        clearTimeout(deadline)
        worker.removeListener('message', onMessage)
        worker.removeListener('error', onError)
        worker.removeListener('exit', onExit)
        worker.unref()
        settle()
      }
      const onMessage = (outcome: Outcome) => done(() => resolve(outcome))
      const onError = (error: Error) => {
        done(() => reject(this.#isClosed ? closing() : crashed(error)))
        this.#discard(worker)
      }
      const onExit = () => onError(new Error('its thread ended'))
      worker.on('message', onMessage)
      worker.on('error', onError)
      worker.on('exit', onExit)
      worker.ref()
      worker.postMessage(message, transfer)
    })
    if (outcome.kind === 'done') return outcome.bytes
    throw new VirtualZarrError(outcome.code, outcome.message, outcome.context)
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#isClosed = true
    this.#worker = undefined
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(WORKER_URL, {
      // Neither the server's flags nor its secrets.
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
    })
    // Between tasks nobody listens; a thread that fails then is replaced at the next one.
    worker.on('error', () => this.#discard(worker))
    worker.on('exit', () => this.#discard(worker))
    worker.unref()
    this.#worker = worker
    this.#sender = new TaskSender()
    return worker
  }

  #discard(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined
    void worker.terminate()
  }
}

function crashed(error: Error & { readonly code?: string }): Error {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return overLimit(`decoding a chunk takes more than ${MOST_HEAP_MB} MB`)
  return malformed(`decoding a chunk failed: ${error.message}`, {}, error)
}

/** What a task is answered that ends with the server. */
export function closing(): Error {
  return new VirtualZarrError('overloaded', 'the server is shutting down')
}
