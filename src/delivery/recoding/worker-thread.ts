import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { isVirtualZarrError, malformed, overLimit, VirtualZarrError } from '../../errors.ts'
import type { ReadAgain, RecodeTask } from '../delivery.ts'
import { type Failure, type FromThread, type Outcome, TaskSender, type ToThread } from './task-message.ts'
import { WorkWatch } from './work-watch.ts'

// Type stripping runs this very file, a build its twin.
const WORKER_URL = new URL(
  import.meta.url.endsWith('.ts') ? './recode-worker.ts' : './recode-worker.js',
  import.meta.url,
)

/** Heap of one thread; chunks are array buffers, which `limits.ts` bounds. */
const MOST_HEAP_MB = 256
/** Of that, for what is young: a machine with much memory would give each thread over 100 MB, and fill it with garbage. */
const YOUNG_HEAP_MB = 12

/** What a thread has made is garbage that stays until it works again: one that has held more is replaced. */
const MOST_KEPT_BYTES = 2 ** 26

/** One thread, started when it is needed and again after it failed. It runs one task at a time. */
export class WorkerThread {
  readonly #deadlineMs: number
  #worker: Worker | undefined
  /** What the worker was told: another one must be told again. */
  #sender = new TaskSender()
  /** Processor time of its tasks before. */
  #workedMs = 0
  #isClosed = false

  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs
  }

  async run(task: RecodeTask, read?: ReadAgain): Promise<Uint8Array> {
    const worker = this.#worker ?? this.#start()
    const { message, transfer } = this.#sender.pack(task)
    const reading = new Reading(worker, read)
    const outcome = await new Promise<Outcome>((resolve, reject) => {
      const watch = new WorkWatch(worker, this.#workedMs, this.#deadlineMs, (error) => {
        done(() => reject(error))
        this.#discard(worker)
      })
      const done = (settle: () => void) => {
        watch.stop()
        worker.removeListener('message', onMessage)
        worker.removeListener('error', onError)
        worker.removeListener('exit', onExit)
        worker.unref()
        settle()
      }
      const onMessage = (told: FromThread) => {
        if (told.kind === 'read') return void reading.answer(told)
        this.#workedMs = told.workedMs
        done(() => resolve(told))
      }
      const onError = (error: Error) => {
        done(() => reject(this.#isClosed ? closing() : crashed(error)))
        this.#discard(worker)
      }
      const onExit = () => onError(new Error('its thread ended'))
      worker.on('message', onMessage)
      worker.on('error', onError)
      worker.on('exit', onExit)
      worker.ref()
      worker.postMessage({ kind: 'task', ...message } satisfies ToThread, transfer)
    })
    if (heldBytes(task, outcome) > MOST_KEPT_BYTES) this.#discard(worker)
    if (outcome.kind === 'done') return outcome.bytes
    throw reading.failureLike(outcome)
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#isClosed = true
    this.#worker = undefined
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(WORKER_URL, {
      // Neither the server's flags nor its secrets; what is compiled already where that is kept.
      execArgv: [],
      env: compileCache(),
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
    })
    // Between tasks nobody listens; a thread that fails then is replaced at the next one.
    worker.on('error', () => this.#discard(worker))
    worker.on('exit', () => this.#discard(worker))
    worker.unref()
    this.#worker = worker
    this.#sender = new TaskSender()
    this.#workedMs = 0
    return worker
  }

  #discard(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined
    void worker.terminate()
  }
}

/** Node keeps its versions' caches in folders of their own below the one that it is told. */
function compileCache(): Readonly<Record<string, string>> {
  const folder = getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

/** What a task has held in its thread, about: texts are longer than their layout tells, and were strings before. */
function heldBytes(task: RecodeTask, outcome: Outcome): number {
  const { decodedBytes } = task.kind === 'peel' ? task.coding : task.target
  const made = outcome.kind === 'done' ? outcome.bytes.length : 0
  return made > 2 * decodedBytes ? 2 * made : decodedBytes
}

/** Reads the source for a thread. */
class Reading {
  readonly #worker: Worker
  readonly #read: ReadAgain | undefined
  readonly #failures: Error[] = []

  constructor(worker: Worker, read: ReadAgain | undefined) {
    this.#worker = worker
    this.#read = read
  }

  async answer({ id, range }: Extract<FromThread, { readonly kind: 'read' }>): Promise<void> {
    try {
      if (this.#read === undefined) throw new TypeError('a codec reads its source again, which nobody opened for it')
      // A copy: what was read may be a view on memory that others read too.
      const bytes = new Uint8Array(await this.#read(range))
      this.#worker.postMessage({ kind: 'bytes', id, bytes } satisfies ToThread, [bytes.buffer])
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause))
      this.#failures.push(error)
      const { code, context } = isVirtualZarrError(error) ? error : { code: 'source-unavailable' as const, context: {} }
      this.#worker.postMessage({ kind: 'unread', id, code, message: error.message, context } satisfies ToThread)
    }
  }

  /** What failed the task: a read as it failed here, where it was that. */
  failureLike({ code, message, context }: Failure): Error {
    return this.#failures.find((error) => error.message === message) ?? new VirtualZarrError(code, message, context)
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
