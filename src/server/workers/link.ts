import cluster from 'node:cluster'
import { createHash } from 'node:crypto'
import { VirtualZarrError } from '../../errors.ts'
import type { FromWorker, Question, Taken, ToWorker } from './messages.ts'

/** What this process answers when others ask. */
export interface LinkAnswers {
  metrics(): Promise<string>
  hold(document: Uint8Array): Promise<unknown>
  /** Requests that others have let in. */
  taken(client: string, count: number): void
}

/** How long counts of requests are gathered before the others are told. */
const TAKEN_MILLISECONDS = 100

/** A worker's connection to its primary, and through it to the other workers. */
export class WorkerLink {
  readonly #refused = new Map<string, number>()
  readonly #waiting = new Map<number, (values: readonly string[]) => void>()
  #taken = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #nextId = 0
  #isDraining = false
  #drain: (() => void) | undefined

  constructor() {
    process.on('message', (message: ToWorker) => {
      if (message.kind === 'refuse') for (const [source, until] of message.sources) this.#refused.set(source, until)
      if (message.kind === 'answers') this.#answered(message)
      if (message.kind === 'drain') {
        this.#isDraining = true
        this.#drain?.()
      }
    })
  }

  /** This process takes requests. */
  listens(): void {
    tell({ kind: 'listening' })
  }

  /** Calls once the primary says that all are to end. */
  onDrain(drain: () => void): void {
    if (this.#isDraining) drain()
    this.#drain = drain
  }

  /** Nothing is left to do: without its channel the process ends. */
  close(): void {
    clearTimeout(this.#timer)
    cluster.worker?.disconnect()
  }

  /** From now on this process answers. */
  serve(answers: LinkAnswers): void {
    process.on('message', (message: ToWorker) => {
      if (message.kind === 'taken') for (const [client, count] of message.taken) answers.taken(client, count)
      if (message.kind === 'question') void this.#answer(message, answers)
    })
  }

  /** Opens a source. The primary knows of it: should this process die of it, others refuse it for a while. */
  async opening<T>(key: string, open: () => Promise<T>): Promise<T> {
    const source = createHash('sha256').update(key).digest('base64url')
    const until = this.#refused.get(source) ?? 0
    if (until > Date.now()) throw poisonous(until)
    if (until > 0) this.#refused.delete(source)
    // Written to the channel before this returns: the primary has it even if the next line ends the process.
    tell({ kind: 'opening', source })
    try {
      return await open()
    } finally {
      tell({ kind: 'opened', source })
    }
  }

  /** What the other workers answer; those that don't in time are left out. */
  async ask(question: Question): Promise<readonly string[]> {
    const id = this.#nextId++
    return await new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      tell({ kind: 'ask', id, question })
    })
  }

  /** A request was let in: limits count over all workers. */
  took(client: string): void {
    this.#taken.set(client, (this.#taken.get(client) ?? 0) + 1)
    this.#timer ??= setTimeout(() => {
      const taken: Taken = [...this.#taken]
      this.#taken = new Map()
      this.#timer = undefined
      tell({ kind: 'taken', taken })
    }, TAKEN_MILLISECONDS).unref()
  }

  #answered({ id, values }: Extract<ToWorker, { kind: 'answers' }>): void {
    this.#waiting.get(id)?.(values)
    this.#waiting.delete(id)
  }

  async #answer({ id, question }: Extract<ToWorker, { kind: 'question' }>, answers: LinkAnswers): Promise<void> {
    const value = question.kind === 'metrics' ? await answers.metrics() : ''
    if (question.kind === 'hold') await answers.hold(Buffer.from(question.document, 'base64'))
    tell({ kind: 'answer', id, value })
  }
}

function tell(message: FromWorker): void {
  if (process.connected) process.send?.(message)
}

function poisonous(until: number): VirtualZarrError {
  const text = `opening this source ended a process of the server; it is not tried again before ${new Date(until).toISOString()}`
  return new VirtualZarrError('source-unavailable', text)
}
