import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MadeBytes } from '../../src/service/chunk-world.ts'

/** Work that ends when it is told to, or when nobody waits for it. */
function work() {
  const done = Promise.withResolvers<Uint8Array>()
  let begun = 0
  let abandoned = 0
  const make = (signal: AbortSignal) => {
    begun++
    signal.addEventListener('abort', () => {
      abandoned++
      done.reject(signal.reason)
    })
    return done.promise
  }
  return { make, done, counts: () => ({ begun, abandoned }) }
}

test('bytes are made once for all who ask at a time, and kept', async () => {
  const kept = new MadeBytes(1000)
  const { make, done, counts } = work()
  const both = Promise.all([kept.get('a', make), kept.get('a', make)])
  done.resolve(Uint8Array.of(1))
  assert.deepEqual(await both, [Uint8Array.of(1), Uint8Array.of(1)])
  assert.deepEqual(await kept.get('a', make), Uint8Array.of(1))
  assert.deepEqual(counts(), { begun: 1, abandoned: 0 })
})

test('one who leaves does not end the work that another waits for', async () => {
  const kept = new MadeBytes(1000)
  const { make, done, counts } = work()
  const leaving = new AbortController()
  const left = kept.get('a', make, leaving.signal)
  const stays = kept.get('a', make)
  leaving.abort(new Error('left'))
  await assert.rejects(left, /left/)
  done.resolve(Uint8Array.of(2))
  assert.deepEqual(await stays, Uint8Array.of(2))
  assert.deepEqual(counts(), { begun: 1, abandoned: 0 })
})

test('work that nobody waits for any more is given up, and begun anew for who comes then', async () => {
  const kept = new MadeBytes(1000)
  const first = work()
  const leaving = new AbortController()
  const left = [kept.get('a', first.make, leaving.signal), kept.get('a', first.make, leaving.signal)]
  leaving.abort(new Error('left'))
  for (const one of left) await assert.rejects(one, /left/)
  assert.deepEqual(first.counts(), { begun: 1, abandoned: 1 })
  assert.deepEqual(await kept.get('a', async () => Uint8Array.of(3)), Uint8Array.of(3))
})

test('a failure is not kept', async () => {
  const kept = new MadeBytes(1000)
  await assert.rejects(
    kept.get('a', () => Promise.reject(new Error('no'))),
    /no/,
  )
  assert.deepEqual(await kept.get('a', async () => Uint8Array.of(4)), Uint8Array.of(4))
})
