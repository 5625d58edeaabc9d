import { readFileSync } from 'node:fs'
import type { LoadResult, LoadTask } from './load.ts'
import type { Worker } from './processes.ts'

/** One figure of a server in each round, and beside the other servers'. */
export interface Figure {
  /** Median over the rounds, by contender. */
  readonly medians: Readonly<Record<string, number>>
  /** Median over the rounds of ours / theirs, each round's own. */
  readonly ratios: Readonly<Record<string, number>>
  /** The smallest and largest ratio of any round. */
  readonly spread: Readonly<Record<string, readonly [number, number]>>
}

/** Several servers measured in turn, round by round, so that a noisy machine disturbs all of them alike. */
export interface Comparison {
  readonly name: string
  readonly connections: number
  readonly requestsPerSecond: Figure
  /** Processor time of the server for one request: it hardly depends on what else the machine does. */
  readonly cpuMicroseconds: Figure
  /** What our figures should be of a peer's: at least so many requests a second, at most so much processor time. */
  readonly goals: Readonly<Record<string, Goal>>
}

export interface Goal {
  readonly requestsPerSecond?: number
  readonly cpu?: number
}

export interface Contender extends Pick<LoadTask, 'origin' | 'requests' | 'bodyLength'> {
  readonly pid: number
  /** What is compiled already need not be warmed up. */
  readonly isCompiled?: boolean
}

export interface RoundSettings {
  readonly rounds: number
  readonly seconds: number
  /** Processor time that each contender is given before it counts: until its code is compiled for good. By the clock a busy machine would give it next to none. */
  readonly warmUpCpuSeconds: number
  readonly connections: number
}

/** What is compared, and what should come of it. */
export interface Match {
  readonly name: string
  /** Those of one kind run through the same code. */
  readonly kind: string
  readonly contenders: Readonly<Record<string, Contender>>
  readonly goals: Comparison['goals']
}

/** Runs A B C, B C A, C A B …, after all have warmed up; `ours` is the contender that the others are compared with. */
export async function compare(match: Match, load: Worker, settings: RoundSettings): Promise<Comparison> {
  const { name, contenders, goals } = match
  const names = Object.keys(contenders)
  const rates = new Map<string, number[]>(names.map((contender) => [contender, []]))
  const cpu = new Map<string, number[]>(names.map((contender) => [contender, []]))
  for (const [contender, task] of Object.entries(contenders)) {
    const until = cpuSeconds(task.pid) + settings.warmUpCpuSeconds
    do await run(contender, task)
    while (task.isCompiled !== true && cpuSeconds(task.pid) < until)
  }
  for (let round = 0; round < settings.rounds; round++) {
    const turns = Object.entries(contenders)
    // Who comes after another finds the processor's caches as that one left them: each has his turn after each.
    for (const [contender, task] of [...turns.slice(round % turns.length), ...turns.slice(0, round % turns.length)]) {
      const before = cpuSeconds(task.pid)
      const { requests, requestsPerSecond } = await run(contender, task)
      rates.get(contender)?.push(requestsPerSecond)
      cpu.get(contender)?.push(((cpuSeconds(task.pid) - before) * 1e6) / requests)
    }
  }
  const { connections } = settings
  return { name, connections, requestsPerSecond: figure(rates), cpuMicroseconds: figure(cpu), goals }

  async function run(contender: string, task: Contender): Promise<LoadResult> {
    const result = await load.call<LoadResult>({ ...task, ...settings })
    if (result.errors > 0) throw new Error(`${name}: ${result.errors} wrong answers from ${contender}`)
    return result
  }
}

/** What Linux counts processor time in. */
export const TICKS_PER_SECOND = 100

/** User and system time of a process, as Linux tells it; NaN elsewhere. */
export function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return Number.NaN
  }
}

function figure(rounds: ReadonlyMap<string, readonly number[]>): Figure {
  const ours = rounds.get('ours') ?? []
  const others = [...rounds].filter(([contender]) => contender !== 'ours')
  const ratios = others.map(
    ([contender, values]) => [contender, ours.map((value, round) => value / (values[round] ?? 1))] as const,
  )
  return {
    medians: Object.fromEntries([...rounds].map(([contender, values]) => [contender, median(values)])),
    ratios: Object.fromEntries(ratios.map(([contender, values]) => [contender, median(values)])),
    spread: Object.fromEntries(
      ratios.map(([contender, values]) => [contender, [Math.min(...values), Math.max(...values)] as const]),
    ),
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0
  // Of an even number neither of the two in the middle: the larger one would be the best round of a quick run.
  return sorted.length % 2 === 1 ? upper : ((sorted[sorted.length / 2 - 1] ?? 0) + upper) / 2
}

/** When an origin began with a request, and when it had answered. */
export interface AnsweredRequest {
  readonly begin: number
  readonly end: number
}

/** The longest chain of requests of which each began when the one before had been answered. */
export function roundsOf(answered: readonly AnsweredRequest[]): number {
  let rounds = 0
  let lastEnd = Number.NEGATIVE_INFINITY
  for (const { begin, end } of answered.toSorted((one, other) => one.end - other.end)) {
    if (begin < lastEnd) continue
    rounds++
    lastEnd = end
  }
  return rounds
}
