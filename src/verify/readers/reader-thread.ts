import { Worker } from 'node:worker_threads'
import type { Box } from '../../model/virtual-store.ts'
import type { Found, Values, Wanted } from './reader.ts'
import type { FromReader, ToReader } from './reader-messages.ts'

const WORKER_URL = new URL(
  import.meta.url.endsWith('.ts') ? './reader-worker.ts' : './reader-worker.js',
  import.meta.url,
)

/** What a reader may take: some of them grow without bound on a hostile file. */
const MOST_HEAP_MB = 768
const MOST_MILLISECONDS = 120_000

/** A reader fails, is too slow or grows too large: its word is missing, and what is served is neither right nor wrong for that. */
export class ReaderFailure extends Error {}

/** An independent reader in a thread of its own, with bounds of memory and time. */
export class ReaderThread {
  readonly #worker = new Worker(WORKER_URL, {
    execArgv: [],
    env: {},
    // geotiff's own threads take what is not there for their own.
    workerData: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
  })
  #failure: Error | undefined

  constructor(signal: AbortSignal | undefined) {
    // Libraries complain where they stand; what counts comes as an answer.
    this.#worker.stdout.resume()
    this.#worker.stderr.resume()
    this.#worker.on('error', (error) => {
      this.#failure ??= new ReaderFailure(`the independent reader ended: ${error.message}`)
    })
    signal?.addEventListener('abort', () => void this.close(), { once: true })
  }

  /** Its name, once it has opened the file. */
  async open(format: string, path: string): Promise<string> {
    const answer = await this.#ask({ kind: 'open', format, path })
    return answer.kind === 'opened' ? answer.name : unexpected(answer)
  }

  async find(wanted: Wanted): Promise<Found | string> {
    const answer = await this.#ask({ kind: 'find', wanted })
    return answer.kind === 'found' ? answer.found : unexpected(answer)
  }

  async read(wanted: Wanted, box: Box): Promise<Values> {
    const answer = await this.#ask({ kind: 'read', wanted, box })
    return answer.kind === 'values' ? answer.values : unexpected(answer)
  }

  async close(): Promise<void> {
    this.#failure ??= new ReaderFailure('the independent reader was ended')
    await this.#worker.terminate()
  }

  async #ask(question: ToReader): Promise<FromReader> {
    if (this.#failure !== undefined) throw this.#failure
    return await new Promise<FromReader>((resolve, reject) => {
      const over = (error: Error) => {
        clearTimeout(late)
        this.#failure ??= error
        reject(this.#failure)
      }
      const onExit = () => over(new ReaderFailure('the independent reader ended'))
      const onError = (error: Error) => over(new ReaderFailure(`the independent reader ended: ${error.message}`))
      const late = setTimeout(() => {
        over(new ReaderFailure(`the independent reader took more than ${MOST_MILLISECONDS / 1000} seconds`))
        void this.#worker.terminate()
      }, MOST_MILLISECONDS)
      this.#worker.once('exit', onExit)
      this.#worker.once('error', onError)
      this.#worker.once('message', (answer: FromReader) => {
        clearTimeout(late)
        this.#worker.off('exit', onExit)
        this.#worker.off('error', onError)
        resolve(answer)
      })
      this.#worker.postMessage(question)
    })
  }
}

function unexpected(answer: FromReader): never {
  throw new ReaderFailure(answer.kind === 'failed' ? answer.message : `the reader answered ${answer.kind}`)
}
