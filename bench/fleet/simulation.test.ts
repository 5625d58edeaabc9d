import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { simulateFleetTest, type TestCounts } from './fleet-test.ts'
import { type FleetInput, simulate } from './simulation.ts'

interface Run {
  readonly when: string
  /** The simulation is made to have as many: they show nothing. */
  readonly requests: number
  /** How long was read, or the least and the most that it can well have been; the origin's count depends on it. */
  readonly seconds?: readonly number[]
  readonly counts: Partial<TestCounts>
}
const { runs } = JSON.parse(readFileSync(new URL('measured.json', import.meta.url), 'utf8')) as { runs: readonly Run[] }

describe('the simulation beside what the fleet of test/interop/fleet.test.ts was seen to do', () => {
  for (const { when, requests, seconds: durations = [20], counts } of runs)
    for (const seconds of durations)
      test(`${when}; ${seconds} s: within a fifth`, () => {
        const simulated = simulateFleetTest(seconds, requests)
        for (const [name, measured] of Object.entries(counts)) {
          const ratio = simulated[name as keyof TestCounts] / measured
          assert.ok(ratio > 0.8 && ratio < 1.2, `${name}: ${measured} measured, ${ratio.toFixed(2)} of that simulated`)
        }
      })
})

describe('counts that can be told without simulating', () => {
  const one: FleetInput = {
    seed: 3,
    seconds: 100,
    warmUpSeconds: 0,
    readers: [
      {
        name: 'one',
        count: 1,
        asks: ['document', 'pinned-chunk'],
        answerSeconds: 0.5,
        pauseSeconds: 0,
        sources: { first: 0, count: 1 },
      },
    ],
    chunksOfSource: 1,
    power: 1,
    documentBytes: 10,
    chunkBytes: 100,
    cacheBytes: 1000,
    replicas: 2,
    storesBytes: 1000,
    storeBytes: 1,
    freshSeconds: 1000,
    manifestsBytes: 1000,
    manifestBytes: 1,
    openRequests: 3,
    chunkRequests: 2,
    outages: [],
    changes: [],
  }
  const outcomes = (input: FleetInput) => simulate(input).cache['one'] ?? assert.fail('nobody asked')

  test('one source, one chunk: it is opened and read once, and documents are asked for again', () => {
    const counts = simulate(one)
    const { HIT, REVALIDATED, MISS, EXPIRED } = outcomes(one)
    assert.equal(MISS, 2)
    assert.equal(EXPIRED, 0)
    assert.ok(Math.abs(HIT - REVALIDATED) <= 1 && HIT > 80)
    assert.equal(counts.atOrigin, 3 + 2)
    assert.equal(counts.atReplicas, REVALIDATED + MISS)
  })

  test('the same seed gives the same counts, and another one others', () => {
    assert.deepEqual(simulate(one), simulate(one))
    assert.notDeepEqual(simulate(one), simulate({ ...one, seed: 4 }))
  })

  test('a cache that holds nothing is missed each time', () => {
    const { HIT, REVALIDATED } = outcomes({ ...one, cacheBytes: 0 })
    assert.equal(HIT + REVALIDATED, 0)
  })

  test('replicas that are lost: manifests cost one question, without them the source is parsed again', () => {
    const outages = [0, 1].map((replica) => ({ replica, from: 50 + replica, to: 50.5 + replica }))
    const kept = simulate({ ...one, outages })
    assert.deepEqual([kept.parsed, kept.restored > 0], [1, true])
    assert.equal(kept.atOrigin, 3 + 2 + kept.restored)
    const forgotten = simulate({ ...one, outages, manifestsBytes: 0 })
    assert.deepEqual([forgotten.parsed, forgotten.restored], [kept.restored + 1, 0])
  })

  test('a source that changes is parsed again once it is asked about, and its old chunks are not given for new ones', () => {
    const counts = simulate({ ...one, freshSeconds: 0, changes: [{ source: 0, at: 50 }] })
    const { EXPIRED, MISS } = outcomes({ ...one, freshSeconds: 0, changes: [{ source: 0, at: 50 }] })
    assert.deepEqual([counts.parsed, EXPIRED, MISS], [2, 1, 3])
  })

  test('no replica left is an error', () => {
    const outages = [0, 1].map((replica) => ({ replica, from: 5, to: 6 }))
    assert.throws(() => simulate({ ...one, outages }), /no replica/)
  })
})
