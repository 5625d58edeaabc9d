import { setTimeout } from 'node:timers/promises'
import { parseJson } from '../../src/json/parse.ts'
import { object } from '../corpus/golden.ts'
import { chunkKeys } from '../helpers/chunk-keys.ts'
import { type HealthReport, type HealthWatch, watchHealth } from '../helpers/health-watch.ts'
import { randoms, seedOf } from '../helpers/randoms.ts'
import type { TestSource } from '../helpers/test-sources.ts'
import { startBombOrigin } from '../hostile/bomb-origin.ts'
import { type Cost, startLab } from '../hostile/lab.ts'
import { tooMuch } from '../hostile/too-much.ts'
import { damaged } from './damaged.ts'
import { damagedText, isText } from './damaged-text.ts'

export interface FuzzSettings {
  readonly sources: readonly TestSource[]
  /** After these many damaged sources, or so much time, it ends. */
  readonly rounds: number
  readonly milliseconds: number
  readonly seed: number
  /** The number of the first round, which makes its damage together with the seed. */
  readonly first?: number
}

export interface FuzzReport {
  readonly rounds: number
  readonly statuses: ReadonlyMap<number, number>
  /** Answers that no damaged file may get, with the numbers that make it again. */
  readonly finds: readonly string[]
  /** The longest time in which nobody else was answered. */
  readonly blockedMilliseconds: number
  readonly health: HealthReport
}

/** Chunks that are asked for of a source that is served. */
const MOST_CHUNKS = 3

/** Asks a server for damaged copies of sources, documents and chunks, and tells what it should not have answered. */
export async function fuzz({ sources, rounds, milliseconds, seed, first = 0 }: FuzzSettings): Promise<FuzzReport> {
  const origin = await startBombOrigin()
  const lab = await startLab([origin.url])
  const health = await watchHealth(lab.server.url, lab.pid)
  const notes = new Notes(seed)
  let round = first
  try {
    for (const end = Date.now() + milliseconds; round < first + rounds && Date.now() < end; round++) {
      const source = sources[round % sources.length]
      if (source === undefined) throw new RangeError('nothing to damage')
      origin.clear()
      const folder = `${round}/`
      for (const [path, bytes] of Object.entries(damagedCopy(source, randoms(seedOf(seed, round))))) {
        origin.put(folder + path.split('/').map(encodeURIComponent).join('/'), bytes)
      }
      const url = origin.url + folder + source.source
      const ask = async (key: string) => {
        const cost = await lab.ask(url, key)
        notes.note(cost, health, `${source.name} round ${round} ${key}`)
        return cost
      }
      const document = await ask('zarr.json')
      if (document.status !== 200) continue
      for (const key of keysOf(document)) await ask(key)
    }
    // The last answer may still be late.
    await setTimeout(300)
    return { rounds: round - first, ...notes.report(), health: health.total }
  } finally {
    await health.stop()
    await lab.stop()
    await origin.close()
  }
}

class Notes {
  readonly #seed: number
  readonly #statuses = new Map<number, number>()
  readonly #finds: string[] = []
  #blockedMilliseconds = 0

  constructor(seed: number) {
    this.#seed = seed
  }

  note(cost: Cost, health: HealthWatch, what: string): void {
    this.#statuses.set(cost.status, (this.#statuses.get(cost.status) ?? 0) + 1)
    this.#blockedMilliseconds = Math.max(this.#blockedMilliseconds, cost.blockedMilliseconds)
    const { lateByItself, longestByItself } = health.take()
    const late = lateByItself > 0 ? `a health answer after ${Math.round(longestByItself)} ms` : undefined
    const reason = tooMuch(cost) ?? late
    if (reason !== undefined) this.#finds.push(`${what}, seed ${this.#seed}: ${reason}`)
  }

  report() {
    return { statuses: this.#statuses, finds: this.#finds, blockedMilliseconds: this.#blockedMilliseconds }
  }
}

function keysOf({ text }: Cost): string[] {
  const keys = chunkKeys(object(parseJson(text)), 1)
  const every = Math.max(1, keys.length / MOST_CHUNKS)
  return Array.from({ length: Math.min(keys.length, MOST_CHUNKS) }, (_, at) => keys[Math.floor(at * every)] ?? '')
}

/** What the origin holds of a source one member of which is damaged. */
function damagedCopy(source: TestSource, random: Iterator<number, never>): Readonly<Record<string, Uint8Array>> {
  const members = source.members()
  const paths = Object.keys(members)
  const below = (most: number) => Math.floor((random.next().value / 2 ** 32) * most)
  // The source itself is what is read first, and most.
  const path = below(2) === 0 && source.source in members ? source.source : (paths[below(paths.length)] ?? '')
  const bytes = members[path] ?? new Uint8Array(0)
  const isDocument = isText(path) && below(4) !== 0
  const changed = { ...members, [path]: isDocument ? damagedText(bytes, random) : damaged(bytes, random) }
  return source.pack?.(changed) ?? changed
}
