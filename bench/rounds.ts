import { readFileSync } from 'node:fs'
import type { LoadResult, LoadTask } from './load.ts'
import type { Worker } from './processes.ts'

/** Several servers measured in turn, round by round, so that a noisy machine disturbs all of them alike. */
export interface Comparison {
  readonly name: string
  /** Median over the rounds. */
  readonly requestsPerSecond: Readonly<Record<string, number>>
  /** Median over the rounds of ours / theirs, each round's own. */
  readonly ratios: Readonly<Record<string, number>>
  /** The smallest and largest ratio of any round. */
  readonly spread: Readonly<Record<string, readonly [number, number]>>
  /** Median processor time of the server for one request, in microseconds: it hardly depends on what else the machine does. */
  readonly cpuMicroseconds: Readonly<Record<string, number>>
}

export interface Contender extends Pick<LoadTask, 'origin' | 'requests' | 'bodyLength'> {
  readonly pid: number
}

export interface RoundSettings {
  readonly rounds: number
  readonly seconds: number
  /** Until the code of all contenders is compiled for good: for chunks that took ours 7 s of full load, there is more of it. */
  readonly warmUpSeconds: number
  readonly connections: number
}

/** Runs A B C A B C …, after a round that only warms up; `ours` is the contender that the others are compared with. */
export async function compare(
  name: string,
  load: Worker,
  contenders: Readonly<Record<string, Contender>>,
  settings: RoundSettings,
): Promise<Comparison> {
  const names = Object.keys(contenders)
  const measured = new Map<string, number[]>(names.map((contender) => [contender, []]))
  const cpu = new Map<string, number[]>(names.map((contender) => [contender, []]))
  for (let round = -1; round < settings.rounds; round++) {
    for (const [contender, task] of Object.entries(contenders)) {
      const before = cpuSeconds(task.pid)
      const seconds = round < 0 ? settings.warmUpSeconds : settings.seconds
      const result = await load.call<LoadResult>({ ...task, ...settings, seconds })
      const used = (cpuSeconds(task.pid) - before) * 1e6
      if (result.errors > 0) throw new Error(`${name}: ${result.errors} wrong answers from ${contender}`)
      if (round < 0) continue
      measured.get(contender)?.push(result.requestsPerSecond)
      cpu.get(contender)?.push(used / result.requests)
    }
  }
  return summary(name, measured, cpu)
}

const TICKS_PER_SECOND = 100

/** User and system time of a process, as Linux tells it; NaN elsewhere. */
export function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return Number.NaN
  }
}

type Rounds = ReadonlyMap<string, readonly number[]>

function summary(name: string, measured: Rounds, cpu: Rounds): Comparison {
  const ours = measured.get('ours') ?? []
  const others = [...measured].filter(([contender]) => contender !== 'ours')
  const ratios = others.map(
    ([contender, rates]) => [contender, ours.map((rate, round) => rate / (rates[round] ?? 1))] as const,
  )
  return {
    name,
    requestsPerSecond: medians(measured),
    cpuMicroseconds: medians(cpu),
    ratios: Object.fromEntries(ratios.map(([contender, values]) => [contender, median(values)])),
    spread: Object.fromEntries(
      ratios.map(([contender, values]) => [contender, [Math.min(...values), Math.max(...values)] as const]),
    ),
  }
}

function medians(rounds: Rounds): Record<string, number> {
  return Object.fromEntries([...rounds].map(([contender, values]) => [contender, median(values)]))
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0
  // Of an even number neither of the two in the middle: the larger one would be the best round of a quick run.
  return sorted.length % 2 === 1 ? upper : ((sorted[sorted.length / 2 - 1] ?? 0) + upper) / 2
}
