import { type FleetCounts, type FleetInput, type Readers, simulate } from './simulation.ts'

// The set of test/interop/fleet.test.ts as the simulation is told of it: the same readers, sources, freshness, and losses.

const FILES = { first: 0, count: 40 }
/** Of the pauses of `disturb` there, without those in which replicas start. */
const PAUSES = 6
/** From a kill to the next loss. */
const PAUSE = 1.5

function readersOf(answerSeconds: number): readonly Readers[] {
  const file = { sources: FILES, answerSeconds, pauseSeconds: 0.04 }
  return [
    { name: 'zarrita', count: 5, asks: ['array-document', 'chunk'], ...file },
    { name: 'zarr-python', count: 5, asks: ['array-document', 'chunk'], ...file },
    {
      name: 'changing',
      count: 5,
      asks: ['document', 'resolve', ...Array<'pinned-chunk'>(5).fill('pinned-chunk')],
      sources: { first: 40, count: 1 },
      answerSeconds,
      pauseSeconds: 0.04 + 5 * 0.05,
    },
    { name: 'pinned', count: 18, asks: ['document', 'first-resolve', 'pinned-chunk'], ...file },
    { name: 'unpinned', count: 17, asks: ['document', 'first-resolve', 'chunk'], ...file },
  ]
}

/** Two replicas are lost one after the other, each for as long as one takes to start. */
function inputOf(seconds: number, answerSeconds: number): FleetInput {
  const start = (seconds - PAUSES) / 2
  return {
    seed: 1,
    seconds,
    warmUpSeconds: 0,
    readers: readersOf(answerSeconds),
    chunksOfSource: 1,
    power: 3,
    documentBytes: 2_000,
    chunkBytes: 40_000,
    cacheBytes: 20e9,
    replicas: 3,
    storesBytes: 2 ** 29,
    storeBytes: 180_000,
    freshSeconds: 1,
    manifestsBytes: 2 ** 30,
    manifestBytes: 3_200,
    openRequests: 1,
    chunkRequests: 1,
    outages: [
      { replica: 0, from: PAUSE, to: 2 * PAUSE + start },
      { replica: 1, from: 2 * PAUSE + start, to: 2 * PAUSE + 2 * start },
    ],
    changes: [{ source: 40, at: 2 * PAUSE + 2 * start }],
  }
}

/** What the test counts: rounds of zarrita and zarr-python are one request each to it, and it doesn't see what nginx did with them. */
export interface TestCounts {
  readonly requests: number
  readonly hit: number
  readonly revalidated: number
  readonly miss: number
  readonly notCached: number
  readonly origin: number
}

function asTheTestCounts({ cache, atOrigin }: FleetCounts): TestCounts {
  const { zarrita = {}, 'zarr-python': python = {}, ...others } = cache
  const sum = (outcome: 'HIT' | 'REVALIDATED' | 'MISS' | 'EXPIRED' | 'none') =>
    Object.values(others).reduce((total, outcomes) => total + outcomes[outcome], 0)
  const counts = { hit: sum('HIT'), revalidated: sum('REVALIDATED'), miss: sum('MISS'), notCached: sum('none') }
  const rounds = [zarrita, python].flatMap(Object.values<number>).reduce((total, count) => total + count, 0) / 2
  const seen = Object.values(counts).reduce((total, count) => total + count, 0)
  return { ...counts, requests: Math.round(seen + sum('EXPIRED') + rounds), origin: atOrigin }
}

/** Simulates the test: how long an answer took is not known, but it is what makes so many requests of so many seconds. */
export function simulateFleetTest(seconds: number, requests: number): TestCounts {
  let fast = 0
  let slow = seconds
  for (let round = 0; round < 20; round++) {
    const middle = (fast + slow) / 2
    if (asTheTestCounts(simulate(inputOf(seconds, middle))).requests > requests) fast = middle
    else slow = middle
  }
  return asTheTestCounts(simulate(inputOf(seconds, slow)))
}
