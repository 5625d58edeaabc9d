import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Box } from '../../model/virtual-store.ts'
import type { Found, Values, Wanted } from './reader.ts'
import type { FromReader, ToReader } from './reader-messages.ts'

const MAIN = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './reader-main.ts' : './reader-main.js', import.meta.url),
)

/** What a reader may take: some of them grow without bound on a hostile file. */
export interface ReaderLimits {
  /** Of memory, whatever it is for: JavaScript's objects, buffers, WebAssembly. */
  readonly megabytes: number
  /** For one answer. */
  readonly milliseconds: number
}

const LIMITS: ReaderLimits = { megabytes: 1280, milliseconds: 120_000 }

/** A reader fails, is too slow or grows too large: its word is missing, and what is served is neither right nor wrong for that. */
export class ReaderFailure extends Error {}

/**
 * Independent readers in a process of their own, one file after the other. A thread would share our end: one that runs out of memory within a library takes
 * its process along.
 */
export class ReaderProcess {
  readonly #limits: ReaderLimits
  readonly #child: ChildProcess
  #failure: Error | undefined

  constructor(limits: Partial<ReaderLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits }
    const { megabytes } = this.#limits
    this.#child = fork(MAIN, [String(megabytes)], {
      execArgv: [`--max-old-space-size=${megabytes}`],
      env: {},
      serialization: 'advanced',
      // Libraries complain where they stand; what counts comes as an answer.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#child.on('error', (error) => {
      this.#failure ??= new ReaderFailure(`the independent reader ended: ${error.message}`)
    })
  }

  /** Whether it can't be asked any more. */
  get isOver(): boolean {
    return this.#failure !== undefined || this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** Its name, once it has opened the file; the one before is closed. */
  async open(format: string, place: string): Promise<string> {
    const answer = await this.#ask({ kind: 'open', format, place })
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

  /** No question is answered any more; those under way fail. */
  close(): void {
    this.#failure ??= new ReaderFailure('the independent reader was ended')
    this.#child.kill('SIGKILL')
  }

  async #ask(question: ToReader): Promise<FromReader> {
    if (this.#failure !== undefined) throw this.#failure
    const { milliseconds } = this.#limits
    const ending = new AbortController()
    const late = setTimeout(() => this.#fail(`it took more than ${milliseconds / 1000} seconds`), milliseconds)
    try {
      const { signal } = ending
      const ends = once(this.#child, 'exit', { signal }).then((how) => Promise.reject(this.#ended(how)))
      const answers = once(this.#child, 'message', { signal })
      this.#child.send(question)
      const [answer] = (await Promise.race([answers, ends])) as [FromReader]
      // What WebAssembly leaves behind where it gave up is of no use.
      if (answer.kind === 'failed' && answer.message.startsWith('Aborted(')) this.#fail(answer.message)
      return answer
    } catch (error) {
      throw this.#fail(error instanceof Error ? error.message : String(error))
    } finally {
      clearTimeout(late)
      ending.abort()
    }
  }

  #ended([code, signal]: readonly unknown[]): Error {
    const isTooLarge = signal === 'SIGKILL' || signal === 'SIGABRT' || code === 134
    const { megabytes } = this.#limits
    return new Error(isTooLarge ? `it took more than ${megabytes} MiB of memory` : `it left with ${code ?? signal}`)
  }

  #fail(why: string): Error {
    this.#failure ??= new ReaderFailure(`the independent reader was ended: ${why}`)
    this.#child.kill('SIGKILL')
    return this.#failure
  }
}

function unexpected(answer: FromReader): never {
  throw new ReaderFailure(answer.kind === 'failed' ? answer.message : `the reader answered ${answer.kind}`)
}

/** One process for file after file, since a library of WebAssembly takes longer to start than to read a small file. */
export class KeptReader {
  #process: ReaderProcess | undefined

  /** The process, or a new one after its end; what it has open is closed when it opens the next. */
  take(): ReaderProcess {
    if (this.#process === undefined || this.#process.isOver) this.#process = new ReaderProcess()
    return this.#process
  }

  close(): void {
    this.#process?.close()
    this.#process = undefined
  }
}
