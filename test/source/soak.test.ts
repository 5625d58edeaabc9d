import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fault } from '../helpers/origin.ts'
import { drain, openWorld, patterned } from './world.ts'

const FAULTS: readonly Fault[] = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503 },
  { kind: 'reset' },
  { kind: 'cut', after: 1_000, how: 'reset' },
  { kind: 'cut', after: 1_000, how: 'close' },
  { kind: 'whole' },
  { kind: 'content-range', value: 'bytes 0-0/1' },
  { kind: 'hang-up' },
  { kind: 'html' },
  { kind: 'chunked' },
]

test('fault 33, in small: with one answer of ten faulty, 600 concurrent reads and feeds bring 0 wrong bytes', async (t) => {
  const { origin, sources } = await openWorld(t, { perOriginConcurrency: 8, retry: { attempts: 6, baseDelayMs: 5 } })
  const file = patterned(1_000_000)
  origin.put('a', file)
  const source = await sources.open(origin.url('a'))
  source.settle?.()
  let asked = 0
  origin.faultOf = () => (asked++ % 10 === 3 ? FAULTS[Math.floor(asked / 10) % FAULTS.length] : undefined)
  let next = 0
  const reader = async () => {
    while (next < 600) {
      const offset = (next++ * 7_919) % 600_000
      const length = next % 3 === 0 ? 300_000 : 5_000
      const range = { offset, length }
      const bytes = next % 2 === 0 ? await source.read(range) : await drain(await source.feed(range))
      assert.equal(Buffer.compare(bytes, file.subarray(offset, offset + length)), 0)
    }
  }
  await Promise.all(Array.from({ length: 12 }, reader))
  assert.ok(asked > 640, `${asked} requests`)
})
