import cluster, { type Worker } from 'node:cluster'
import { pino } from 'pino'
import { Gauge, Registry } from 'prom-client'
import type { Config } from '../config.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import { Suspects } from './suspects.ts'

/** A worker that dies young is started again after so long, doubled each time. */
const FIRST_DELAY = 100
const MOST_DELAY = 10_000
/** One that lived so long did not die of its start. */
const YOUNG_MILLISECONDS = 30_000
/** How long others may take to answer a question. */
const ANSWER_MILLISECONDS = 2000
/** Workers have this long to end what they do; they end themselves before that. */
const DRAIN_MILLISECONDS = 30_000

interface Asked {
  readonly number: number
  readonly worker: Worker
  readonly id: number
  readonly values: string[]
  left: number
  readonly timer: NodeJS.Timeout
}

/** Starts as many workers as the configuration says, on a port that is found before; resolves with the exit code once all have ended. */
export async function superviseWorkers(
  { workers, logLevel }: Pick<Config, 'workers' | 'logLevel'>,
  findPort: () => Promise<number>,
): Promise<number> {
  const port = await findPort()
  cluster.setupPrimary({ args: [...process.argv.slice(2), '--port', String(port)] })
  return await new Primary(workers, logLevel).run()
}

/** Keeps so many workers alive, passes on what they say to each other, and ends them together. */
class Primary {
  readonly #count: number
  readonly #log: ReturnType<typeof pino>
  readonly #suspects = new Suspects()
  /** What each worker is opening. */
  readonly #opening = new Map<number, Set<string>>()
  readonly #asked = new Map<number, Asked>()
  #nextQuestion = 0
  #deaths = 0
  #delay = FIRST_DELAY
  #isStopping = false
  #hasListened = false
  #exitCode = 0
  readonly #ended = Promise.withResolvers<number>()
  /** Metrics of the primary itself; its workers report them with their own. */
  readonly #registry = new Registry()

  constructor(count: number, logLevel: string) {
    this.#count = count
    this.#log = pino({ level: logLevel })
    this.#gauge('vz_workers', 'Processes that answer', () => this.#opening.size)
    this.#gauge('vz_worker_deaths', 'Processes that ended by themselves, since the start', () => this.#deaths)
    this.#gauge(
      'vz_refused_sources',
      'Sources that are refused for having ended one',
      () => this.#suspects.refused(Date.now()).length,
    )
  }

  #gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.#registry],
      collect() {
        this.set(read())
      },
    })
  }

  async run(): Promise<number> {
    cluster.schedulingPolicy = cluster.SCHED_RR
    cluster.on('message', (worker, message: FromWorker) => this.#hear(worker, message))
    cluster.on('exit', (worker, code, signal) => this.#buried(worker, code, signal))
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.#stop(signal))
    for (let at = 0; at < this.#count; at++) this.#start()
    return await this.#ended.promise
  }

  #start(): void {
    const worker = cluster.fork()
    this.#opening.set(worker.id, new Set())
    const born = Date.now()
    worker.once('exit', () => {
      if (Date.now() - born > YOUNG_MILLISECONDS) this.#delay = FIRST_DELAY
    })
    const sources = this.#suspects.refused(born)
    if (sources.length > 0) worker.once('online', () => tell(worker, { kind: 'refuse', sources }))
  }

  #buried(worker: Worker, code: number | null, signal: string | null): void {
    const opening = [...(this.#opening.get(worker.id) ?? [])]
    this.#opening.delete(worker.id)
    for (const asked of this.#asked.values()) if (asked.worker === worker) this.#answerNow(asked)
    if (this.#isStopping || !this.#hasListened) {
      // What ends one at its start ends all of them, and has been told by it.
      if (!this.#hasListened && !this.#isStopping) {
        this.#exitCode = code ?? 1
        this.#stop('SIGTERM')
      }
      if (this.#opening.size === 0) this.#ended.resolve(this.#exitCode)
      return
    }
    this.#deaths++
    this.#log.error({ pid: worker.process.pid, code, signal, opening: opening.length }, 'a worker died')
    const sources = this.#suspects.died(opening, Date.now())
    if (sources.length > 0) this.#tellAll({ kind: 'refuse', sources })
    setTimeout(() => this.#isStopping || this.#start(), this.#delay)
    this.#delay = Math.min(2 * this.#delay, MOST_DELAY)
  }

  #stop(signal: string): void {
    if (this.#isStopping) return
    this.#isStopping = true
    this.#log.info({ signal }, 'draining')
    this.#tellAll({ kind: 'drain' })
    const late = () => {
      for (const worker of this.#workers()) worker.process.kill('SIGKILL')
    }
    setTimeout(late, DRAIN_MILLISECONDS).unref()
    if (this.#opening.size === 0) this.#ended.resolve(this.#exitCode)
  }

  #hear(worker: Worker, message: FromWorker): void {
    switch (message.kind) {
      case 'listening':
        this.#hasListened = true
        return
      case 'opening':
        this.#opening.get(worker.id)?.add(message.source)
        return
      case 'opened':
        this.#opening.get(worker.id)?.delete(message.source)
        return
      case 'taken':
        for (const other of this.#workers()) if (other !== worker) tell(other, message)
        return
      case 'ask':
        this.#ask(worker, message)
        return
      case 'answer':
        this.#answered(message)
    }
  }

  #ask(worker: Worker, { id, question }: Extract<FromWorker, { kind: 'ask' }>): void {
    const number = this.#nextQuestion++
    const others = this.#workers().filter((other) => other !== worker)
    const timer = setTimeout(() => this.#answerNow(asked), ANSWER_MILLISECONDS)
    const asked: Asked = {
      number,
      worker,
      id,
      values: [],
      left: others.length,
      timer,
    }
    this.#asked.set(number, asked)
    if (question.kind === 'metrics') {
      asked.left++
      void this.#registry
        .getMetricsAsJSON()
        .then((json) => this.#answered({ kind: 'answer', id: number, value: JSON.stringify(json) }))
    }
    for (const other of others) tell(other, { kind: 'question', id: number, question })
    if (asked.left === 0) this.#answerNow(asked)
  }

  #answered({ id, value }: Extract<FromWorker, { kind: 'answer' }>): void {
    const asked = this.#asked.get(id)
    if (asked === undefined) return
    asked.values.push(value)
    if (--asked.left === 0) this.#answerNow(asked)
  }

  /** With the answers that there are. */
  #answerNow(asked: Asked): void {
    clearTimeout(asked.timer)
    if (this.#asked.delete(asked.number)) tell(asked.worker, { kind: 'answers', id: asked.id, values: asked.values })
  }

  #tellAll(message: ToWorker): void {
    for (const worker of this.#workers()) tell(worker, message)
  }

  #workers(): Worker[] {
    return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
  }
}

function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message)
}
