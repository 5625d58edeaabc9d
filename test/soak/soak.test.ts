import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FAULTS } from '../faults/faults.ts'
import { soak } from './soak.ts'
import { SOAK_SOURCES } from './sources.ts'

// The short form of `npm run soak`.

const NO_PROC = process.platform === 'linux' ? false : 'time and memory of another process are read from /proc of Linux'
/** Faults that a server waits for: some seconds each. */
const SLOW = ['stall', 'drip']

test('FAULT-33: one faulty answer of ten is seen in no byte, of any format', { skip: NO_PROC }, async () => {
  const formats = Map.groupBy(SOAK_SOURCES, ({ format }) => format)
  // Three of each format: the first have the longest bodies.
  const sources = [...formats.values()].flatMap((each) => {
    return each.filter((_source, at) => [0, Math.floor(each.length / 2), each.length - 1].includes(at))
  })
  const report = await soak({
    milliseconds: 60_000,
    answers: 300,
    seed: 33,
    sources,
    faults: FAULTS.filter(({ fault }) => !SLOW.includes(fault.kind)),
    clients: 8,
    cacheBytes: 48 * 2 ** 20,
    mostBytes: 2 ** 30,
  })
  assert.deepEqual(report.finds, [])
  assert.deepEqual([...report.exact.keys()].toSorted(), [...formats.keys()].toSorted())
  assert.ok(report.upstream.faults > 10, `${report.upstream.faults} faults`)
  assert.ok(report.health.answers > 0 && report.curve.length > 1)
})
