import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { ask } from '../faults/ask.ts'
import type { FaultCase } from '../faults/faults.ts'
import { WAYS } from '../faults/validators.ts'
import { type HealthReport, MOST_HEALTH_MILLISECONDS, watchHealth } from '../helpers/health-watch.ts'
import { Origin } from '../helpers/origin.ts'
import { heapOnMachineOf, startServer } from '../helpers/process.ts'
import { memoryOf, metricsOf } from '../helpers/process-state.ts'
import { randoms } from '../helpers/randoms.ts'
import type { TestSource } from '../helpers/test-sources.ts'
import { type Expected, expectedOf, putCopy, type SoakWorld, urlOf } from './copies.ts'
import { type Curve, sampler } from './curves.ts'
import { FaultyAnswers } from './faulty-answers.ts'
import { judged, variant } from './judge.ts'

export interface SoakSettings {
  /** After so much time, or so many answers, it ends. */
  readonly milliseconds: number
  readonly answers: number
  readonly seed: number
  readonly sources: readonly TestSource[]
  readonly faults: readonly FaultCase[]
  readonly clients: number
  /** What the server may hold of opened stores, and what its process may take. */
  readonly cacheBytes: number
  readonly mostBytes: number
}

export interface SoakReport {
  /** Exact answers by format, and of what kind the others were. */
  readonly exact: ReadonlyMap<string, number>
  readonly others: ReadonlyMap<string, number>
  /** What a server must not do, each with what went wrong at the origin before. */
  readonly finds: readonly string[]
  readonly upstream: { readonly answers: number; readonly faults: number }
  readonly health: HealthReport
  readonly peakBytes: number
  readonly longestMilliseconds: number
  readonly curve: Curve
}

/** A source as it stands at the origin now. */
interface Copy {
  readonly folder: string
  readonly remove: () => void
}

/** One request in so many is made to a copy that was never opened. */
const FRESH_SHARE = 0.1
const MOST_FINDS = 200

/** Reads all sources again and again while one answer of ten of their origin is faulty, and compares with what is right. */
export async function soak(settings: SoakSettings): Promise<SoakReport> {
  const { milliseconds, seed, sources, clients, cacheBytes, mostBytes } = settings
  const origin = new Origin()
  await origin.start()
  const server = await startServer({
    VZ_ALLOW_SOURCES: origin.base,
    VZ_CACHE_BYTES: String(cacheBytes),
    VZ_LOG_LEVEL: 'info',
    NODE_OPTIONS: heapOnMachineOf(mostBytes),
  })
  const { pid } = server.process
  assert.ok(pid !== undefined)
  const world: SoakWorld = { origin, service: { url: `${server.url}/` } }
  // The first answers of a process are those that load what they need.
  await metricsOf(server)
  const health = await watchHealth(server.url, pid)
  const tally = new Tally()
  const curve = sampler(server, pid, health, () => tally.answers)
  const faulty = new FaultyAnswers(origin, settings.faults, seed)
  try {
    const reader = new Reader(world, sources, faulty, tally, seed)
    const end = Date.now() + milliseconds
    const goesOn = () => Date.now() < end && tally.answers < settings.answers && tally.finds.length < MOST_FINDS
    const clientLoop = async () => {
      while (goesOn()) await reader.next()
    }
    await Promise.all([curve.during(milliseconds, goesOn), ...Array.from({ length: clients }, clientLoop)])
    // Long enough for the last health answer that had to wait.
    await setTimeout(2 * MOST_HEALTH_MILLISECONDS)
    const peakBytes = memoryOf(pid, 'VmHWM')
    const report = {
      ...tally.report(),
      upstream: faulty.counts,
      health: health.total,
      peakBytes,
      curve: await curve.end(),
    }
    return { ...report, finds: [...report.finds, ...ofProcess(report, settings), ...errorsIn(server.log())] }
  } finally {
    await health.stop()
    await server.stop()
    await origin.close()
  }
}

function ofProcess({ health, peakBytes }: Pick<SoakReport, 'health' | 'peakBytes'>, { mostBytes }: SoakSettings) {
  const finds: string[] = []
  if (health.lateByItself > 0) finds.push(`${health.lateByItself} health answers over ${MOST_HEALTH_MILLISECONDS} ms`)
  if (health.answers === 0) finds.push('no health answer')
  if (peakBytes >= mostBytes) finds.push(`${peakBytes} bytes of resident memory, ${mostBytes} are allowed`)
  return finds
}

function errorsIn(log: string): string[] {
  return log.split('\n').filter((line) => line.includes('"level":50') || line.includes('"level":60'))
}

/** What came of it all. */
class Tally {
  readonly finds: string[] = []
  answers = 0
  #exact = new Map<string, number>()
  #others = new Map<string, number>()
  #longest = 0

  note(format: string, outcome: string, milliseconds: number): void {
    const [counts, name] = outcome === 'exact' ? [this.#exact, format] : [this.#others, outcome]
    counts.set(name, (counts.get(name) ?? 0) + 1)
    this.#longest = Math.max(this.#longest, milliseconds)
    this.answers++
  }

  report() {
    return { exact: this.#exact, others: this.#others, finds: this.finds, longestMilliseconds: this.#longest }
  }
}

/** Clients that ask for anything of any source. */
class Reader {
  readonly #world: SoakWorld
  readonly #sources: readonly TestSource[]
  readonly #faulty: FaultyAnswers
  readonly #tally: Tally
  readonly #expected = new Map<TestSource, Promise<readonly Expected[]>>()
  readonly #copies = new Map<TestSource, Copy>()
  readonly #random: () => number
  #folders = 0
  #turn = 0

  constructor(world: SoakWorld, sources: readonly TestSource[], faulty: FaultyAnswers, tally: Tally, seed: number) {
    this.#world = world
    this.#sources = sources
    this.#faulty = faulty
    this.#tally = tally
    const numbers = randoms(seed)
    this.#random = () => numbers.next().value / 2 ** 32
  }

  /** One request of a client. */
  async next(): Promise<void> {
    const source = this.#sources[this.#turn++ % this.#sources.length]
    if (source === undefined) throw new RangeError('nothing to read')
    const known = this.#expected.get(source) ?? expectedOf(source, `clean-${this.#folders++}`, this.#world)
    this.#expected.set(source, known)
    const requests = await known
    if (requests.length === 0) return
    const expected = this.#any(requests)
    const { folder } = this.#copyOf(source)
    const asked = variant(expected, this.#random)
    const url = urlOf(source, folder, expected, this.#world)
    const reply = await ask(url, asked.init())
    const { outcome, find } = judged(asked, expected, reply, folder)
    this.#tally.note(source.format, outcome, reply.milliseconds)
    if (find === undefined) return
    const path = `${source.name} ${expected.path || expected.kind} (${asked.name})`
    this.#tally.finds.push(`${path}: ${find}; before: ${this.#faulty.of(folder).join(', ')}`)
  }

  #copyOf(source: TestSource): Copy {
    const known = this.#copies.get(source)
    if (known !== undefined && this.#random() >= FRESH_SHARE) return known
    const folder = `copy-${this.#folders++}`
    const way = this.#any(WAYS)
    const remove = putCopy(source, folder, way.told(0), this.#world)
    this.#faulty.attack(folder, way.name, source.source)
    const copy = { folder, remove: () => this.#faulty.spare(folder, remove) }
    this.#copies.set(source, copy)
    known?.remove()
    return copy
  }

  #any<T>(list: readonly T[]): T {
    const one = list[Math.floor(this.#random() * list.length)]
    assert.ok(one !== undefined)
    return one
  }
}
