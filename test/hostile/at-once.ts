import type { Bomb } from './bomb.ts'
import { type BombOrigin, copyOf } from './bomb-origin.ts'
import { type Cost, type Lab, startLab } from './lab.ts'

/** What a server may take in memory, whatever it is asked for, with so much of caches. */
export const MOST_RESIDENT_BYTES = 2 ** 30
export const CACHE_BYTES = 48 * 2 ** 20
/** Nobody waits longer for an answer that needs no work. */
export const MOST_BLOCKED_MILLISECONDS = 250

/** What ten requests for one bomb cost, each for a copy that the server hasn't seen. */
export interface StormCost {
  readonly statuses: readonly number[]
  readonly milliseconds: number
  /** The most that the process ever held. */
  readonly residentBytes: number
  /** The longest time for which its event loop answered nobody. */
  readonly blockedMilliseconds: number
  readonly problem: string
}

/** A server that has answered nobody yet is asked for so many copies of a bomb at the same time. */
export async function storm(bomb: Bomb, count: number, origin: BombOrigin): Promise<StormCost> {
  origin.clear()
  for (const [path, file] of Object.entries(bomb.files())) origin.put(path, file)
  const lab = await startLab([origin.url], { VZ_CACHE_BYTES: String(CACHE_BYTES) }, MOST_RESIDENT_BYTES)
  try {
    return await stormIn(lab, bomb, count, origin)
  } finally {
    await lab.stop()
  }
}

async function stormIn(lab: Lab, bomb: Bomb, count: number, origin: BombOrigin): Promise<StormCost> {
  // What is loaded when it is first needed isn't the bomb's to pay.
  await lab.ask(`${origin.url}nothing`, 'zarr.json')
  const start = performance.now()
  const rounds: Cost[][] = []
  for (const key of bomb.keys ?? ['zarr.json']) {
    const copies = Array.from({ length: count }, (_, copy) => copyOf(origin.url, copy) + bomb.source)
    rounds.push(await lab.askAll(copies, key, bomb.options))
  }
  const costs = rounds.flat()
  return {
    statuses: [...new Set(costs.map(({ status }) => status))].sort(),
    milliseconds: performance.now() - start,
    residentBytes: Math.max(...costs.map(({ residentBytes }) => residentBytes)),
    blockedMilliseconds: Math.max(...costs.map(({ blockedMilliseconds }) => blockedMilliseconds)),
    problem: costs.find(({ status }) => status >= 400)?.text.slice(0, 300) ?? '',
  }
}
