import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Openings } from '../../src/service/openings.ts'

const signal = new AbortController().signal

test('short openings never wait; of the long ones three run at once, and the next when one ends', async () => {
  const openings = new Openings()
  for (let count = 0; count < 100; count++) assert.equal(openings.begin(signal).read(1_000_000), undefined)
  const long = Array.from({ length: 4 }, () => openings.begin(signal))
  const begun: number[] = []
  const reads = long.map(async (opening, place) => {
    await opening.read(2_000_000)
    begun.push(place)
  })
  await new Promise(setImmediate)
  assert.deepEqual(begun, [0, 1, 2])
  // Further reads of those that run don't wait.
  await long[1]?.read(100_000_000)
  long[0]?.end()
  await reads[3]
  assert.deepEqual(begun, [0, 1, 2, 3])
})

test('a long opening that takes too long to get its place is refused as the server being busy, and leaves none', async () => {
  const openings = new Openings()
  const long = Array.from({ length: 3 }, () => openings.begin(signal))
  for (const opening of long) await opening.read(2_000_000)
  const late = new AbortController()
  const last = openings.begin(late.signal)
  const waiting = last.read(2_000_000)
  late.abort()
  await assert.rejects(waiting ?? Promise.resolve(), { code: 'overloaded' })
  last.end()
  for (const opening of long) opening.end()
  const next = Array.from({ length: 3 }, () => openings.begin(signal))
  for (const opening of next) await opening.read(2_000_000)
})
