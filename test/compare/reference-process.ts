import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { FoundFile } from './find-files.ts'

const SCRIPT = fileURLToPath(new URL('../interop/python/compare_files.py', import.meta.url))
/** Starting Python and loading its libraries, on a busy machine. */
const START_MILLISECONDS = 60_000

export interface ReferenceAnswer {
  readonly compared: number
  readonly differences: readonly {
    readonly array: string
    readonly what: string
    readonly reference: string
    readonly ours: string
  }[]
  /** The service's refusal, and why the reference reader can't read the file. */
  readonly refused?: string
  readonly unread?: string
  readonly hasCrashed?: boolean
}

/** The reference readers in a process of their own: a library that crashes or hangs on a file costs that file. */
export class ReferenceProcess {
  readonly #serviceUrl: string
  readonly #python: () => string
  #child: ChildProcess | undefined
  #answer: ((line: string) => void) | undefined

  constructor(serviceUrl: string, python: () => string) {
    this.#serviceUrl = serviceUrl
    this.#python = python
  }

  /** What a file before it left in memory may end the process, too: a file is tried again by a fresh one. */
  async compare(file: FoundFile, milliseconds: number): Promise<ReferenceAnswer> {
    const isFresh = this.#child === undefined
    const answer = await this.#answerTo(file, milliseconds)
    return this.#child === undefined && !isFresh && answer.hasCrashed ? this.#answerTo(file, milliseconds) : answer
  }

  async #answerTo(file: FoundFile, milliseconds: number): Promise<ReferenceAnswer> {
    const isNew = this.#child === undefined
    const child = this.#child ?? this.#start()
    this.#child = child
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    this.#answer = resolve
    const ended = (code: number | null, signal: string | null) => {
      this.#child = undefined
      resolve(
        JSON.stringify({
          compared: 0,
          differences: [],
          unread: `the reader ended with ${signal ?? code}`,
          hasCrashed: true,
        }),
      )
    }
    child.once('exit', ended)
    const timer = setTimeout(() => resolve(undefined), milliseconds + (isNew ? START_MILLISECONDS : 0))
    child.stdin?.write(`${JSON.stringify(file)}\n`)
    const line = await promise
    clearTimeout(timer)
    child.off('exit', ended)
    if (line !== undefined) return JSON.parse(line) as ReferenceAnswer
    this.close()
    return { compared: 0, differences: [], unread: `it takes more than ${milliseconds / 1000} s` }
  }

  close(): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }

  #start(): ChildProcess {
    const child = spawn(this.#python(), [SCRIPT, this.#serviceUrl], { stdio: ['pipe', 'pipe', 'inherit'] })
    // A process that ends while a job is written to it says so by its exit.
    child.stdin.on('error', () => undefined)
    createInterface(child.stdout).on('line', (line) => this.#answer?.(line))
    return child
  }
}
