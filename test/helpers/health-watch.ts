import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** What a health answer may take. */
export const MOST_HEALTH_MILLISECONDS = 250

export interface PollSettings {
  readonly url: string
  readonly peerUrl: string
  readonly pid: number
  readonly everyMs: number
}

/** One health answer, in milliseconds. */
export interface HealthAnswer {
  readonly health: number
  /** The answer of a server that has nothing to do, asked at the same moment. */
  readonly peer: number
  /** For how long meanwhile the server's main thread ran, and for how long it had no processor, though it was ready. */
  readonly ran: number
  readonly waited: number
}

export interface HealthReport {
  readonly answers: number
  readonly longest: number
  readonly longestPeer: number
  /** Answers over the bound, and those of them where the other server's was, too. */
  readonly late: number
  readonly lateWithPeer: number
  /** Over the bound by the server's own doing: its thread ran for so long, without what it waited or the other server took. */
  readonly lateByItself: number
  readonly longestByItself: number
}

/** Polls the health of a server process from a thread of its own. */
export interface HealthWatch {
  /** Since it was last asked. */
  take(): HealthReport
  /** Since the start. */
  readonly total: HealthReport
  stop(): Promise<void>
}

const NOTHING: HealthReport = {
  answers: 0,
  longest: 0,
  longestPeer: 0,
  late: 0,
  lateWithPeer: 0,
  lateByItself: 0,
  longestByItself: 0,
}

export async function watchHealth(url: string, pid: number, everyMs = 100): Promise<HealthWatch> {
  const bare = new Worker(new URL('bare-peer.ts', import.meta.url))
  const [port] = (await once(bare, 'message')) as [number]
  const workerData: PollSettings = { url, pid, everyMs, peerUrl: `http://127.0.0.1:${port}/` }
  const poll = new Worker(new URL('health-poll.ts', import.meta.url), { workerData })
  let total = NOTHING
  let recent = NOTHING
  let failure: unknown
  poll.on('message', (answer: HealthAnswer) => {
    total = withAnswer(total, answer)
    recent = withAnswer(recent, answer)
  })
  poll.on('error', (error) => {
    failure = error
  })
  return {
    take() {
      if (failure !== undefined) throw failure
      const taken = recent
      recent = NOTHING
      return taken
    },
    get total() {
      return total
    },
    async stop() {
      await poll.terminate()
      await bare.terminate()
    },
  }
}

function withAnswer(report: HealthReport, { health, peer, ran, waited }: HealthAnswer): HealthReport {
  const isLate = health > MOST_HEALTH_MILLISECONDS
  const unexplained = Math.max(0, health - Math.max(waited, peer))
  // An answer that never comes is nobody else's doing.
  const own = Number.isFinite(health) ? Math.min(unexplained, ran) : health
  return {
    answers: report.answers + 1,
    longest: Math.max(report.longest, health),
    longestPeer: Math.max(report.longestPeer, peer),
    late: report.late + Number(isLate),
    lateWithPeer: report.lateWithPeer + Number(isLate && peer > MOST_HEALTH_MILLISECONDS),
    lateByItself: report.lateByItself + Number(own > MOST_HEALTH_MILLISECONDS),
    longestByItself: Math.max(report.longestByItself, own),
  }
}
