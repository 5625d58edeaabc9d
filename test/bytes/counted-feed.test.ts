import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countedFeed } from '../../src/bytes/counted-feed.ts'
import { bytesOfFeed, partsOf } from '../../src/bytes/feed.ts'

const BYTES = Uint8Array.from({ length: 1_000_000 }, (_, i) => i % 251)

function held() {
  let released = 0
  const feed = countedFeed(BYTES, () => released++)
  return { feed, released: () => released }
}

test('held bytes come whole, and are let go once, at the end', async () => {
  const { feed, released } = held()
  assert.equal(released(), 0)
  assert.deepEqual(await bytesOfFeed(feed, BYTES.length), BYTES)
  assert.equal(released(), 1)
})

test('they are held while a reader rests, and let go when it leaves', async () => {
  const { feed, released } = held()
  for await (const part of partsOf(feed)) {
    assert.ok(part.length < BYTES.length)
    assert.equal(released(), 0)
    break
  }
  assert.equal(released(), 1)
  feed.stop()
  assert.equal(released(), 1)
})

test('what is never started is let go as well', () => {
  const { feed, released } = held()
  feed.stop()
  assert.equal(released(), 1)
})

test('a reader that takes nothing for half a minute is left', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { feed, released } = held()
  const failures: Error[] = []
  feed.start({ data: () => feed.pause(), end: () => undefined, fail: (error) => void failures.push(error) })
  t.mock.timers.tick(29_000)
  assert.equal(released(), 0)
  feed.resume()
  t.mock.timers.tick(29_000)
  assert.equal(failures.length, 0)
  t.mock.timers.tick(2_000)
  assert.match(String(failures), /nothing was read for 30 seconds/)
  assert.equal(released(), 1)
})
