import { setTimeout } from 'node:timers/promises'
import type { HealthWatch } from '../helpers/health-watch.ts'
import type { Server } from '../helpers/process.ts'
import { descriptorsOf, memoryOf, metricOf, metricsOf } from '../helpers/process-state.ts'

/** One moment of a server process, and the longest of what was since the one before. */
export interface Moment {
  readonly seconds: number
  readonly answers: number
  readonly residentMegabytes: number
  readonly heapMegabytes: number
  readonly descriptors: number
  readonly loopDelayMs: number
  readonly healthMs: number
  readonly healthByItselfMs: number
  readonly peerMs: number
}

export type Curve = readonly Moment[]

const MOST_MOMENTS = 1200

/** Takes a moment each second; of a long time, fewer. */
export function sampler(server: Server, pid: number, health: HealthWatch, answers: () => number) {
  const start = Date.now()
  const moments: Moment[] = []
  const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20)
  const take = async () => {
    const text = await metricsOf(server)
    const { longest, longestPeer, longestByItself } = health.take()
    moments.push({
      seconds: Math.round((Date.now() - start) / 1000),
      answers: answers(),
      residentMegabytes: megabytes(memoryOf(pid, 'VmRSS')),
      heapMegabytes: megabytes(metricOf(text, 'nodejs_heap_size_used_bytes')),
      descriptors: descriptorsOf(pid),
      loopDelayMs: Math.round(metricOf(text, 'nodejs_eventloop_lag_max_seconds') * 1000),
      healthMs: Math.round(longest),
      healthByItselfMs: Math.round(longestByItself),
      peerMs: Math.round(longestPeer),
    })
  }
  return {
    async during(milliseconds: number, goesOn: () => boolean): Promise<void> {
      const everyMs = Math.max(1000, milliseconds / MOST_MOMENTS)
      for (let next = start; goesOn(); await setTimeout(100)) {
        if (Date.now() < next) continue
        await take()
        next = Date.now() + everyMs
      }
    },
    async end(): Promise<Curve> {
      await take()
      return moments
    },
  }
}

/** A curve in so many rows, each with the most of what it stands for. */
export function rowsOf(curve: Curve, rows: number): Moment[] {
  const each = Math.max(1, Math.ceil(curve.length / rows))
  const groups = Array.from({ length: Math.ceil(curve.length / each) }, (_, at) =>
    curve.slice(at * each, (at + 1) * each),
  )
  return groups.flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const most = (name: keyof Moment) => Math.max(...group.map((moment) => moment[name]))
    const names = Object.keys(first) as (keyof Moment)[]
    return [Object.fromEntries(names.map((name) => [name, most(name)])) as unknown as Moment]
  })
}
