import type { Worker } from 'node:worker_threads'
import { overLimit, VirtualZarrError } from '../../errors.ts'

/** By the clock a task may take so many times what it may work: it waits for reads, and for a processor that others use. */
const MOST_WAITING = 6

/** Gives a task up once its thread has worked for too long at it. By the clock a busy machine would refuse for ever what it could decode tomorrow. */
export class WorkWatch {
  readonly #worker: Worker
  readonly #before: number
  readonly #deadlineMs: number
  readonly #giveUp: (error: Error) => void
  readonly #last: NodeJS.Timeout
  #next: NodeJS.Timeout
  #isStopped = false

  constructor(worker: Worker, workedBefore: number, deadlineMs: number, giveUp: (error: Error) => void) {
    this.#worker = worker
    this.#before = workedBefore
    this.#deadlineMs = deadlineMs
    this.#giveUp = giveUp
    this.#next = setTimeout(() => void this.#look(), deadlineMs)
    this.#last = setTimeout(() => giveUp(starved(deadlineMs)), deadlineMs * MOST_WAITING)
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#next)
    clearTimeout(this.#last)
  }

  /** A thread within a call of a library doesn't answer until it is out of it: then the clock decides. */
  async #look(): Promise<void> {
    // A thread that ended meanwhile is noticed by its end.
    const usage = await this.#worker.cpuUsage().catch(() => undefined)
    if (this.#isStopped || usage === undefined) return
    const left = this.#before + this.#deadlineMs - millisecondsOf(usage)
    if (left > 0) this.#next = setTimeout(() => void this.#look(), left)
    else this.#giveUp(overLimit(`decoding a chunk takes longer than ${this.#deadlineMs} ms`))
  }
}

function starved(deadlineMs: number): Error {
  const message = `a chunk waited ${deadlineMs * MOST_WAITING} ms for its decoding`
  return new VirtualZarrError('overloaded', message, { retryAfterSeconds: 5 })
}

/** Of the processor, in the kernel and out of it. */
export function millisecondsOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000
}
