import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turn } from '../src/turns.ts'

test('ten who work at once hold the event loop no longer than one, and each gets on', async (t) => {
  let now = 1e9
  t.mock.method(performance, 'now', () => now)
  let round = 0
  const perRound = new Map<number, number>()
  let isOver = false
  const countRounds = () => {
    round++
    if (!isOver) setImmediate(countRounds)
  }
  setImmediate(countRounds)
  const order: number[] = []
  const work = async (name: number) => {
    for (let step = 0; step < 20; step++) {
      now += 10
      order.push(name)
      perRound.set(round, (perRound.get(round) ?? 0) + 1)
      const wait = turn()
      if (wait !== undefined) await wait
    }
  }
  // The first steps are taken here, in one turn.
  await Promise.all(Array.from({ length: 10 }, (_, name) => work(name)))
  isOver = true
  const [first, ...others] = [...perRound].map(([, steps]) => steps)
  assert.equal(first, 10)
  assert.ok(Math.max(...others) <= 3, `${Math.max(...others)} steps of 10 ms in one turn of the loop`)
  // Nobody is done before all have had most of theirs.
  assert.equal(new Set(order.slice(0, 60)).size, 10)
})

test('those who wait for nothing long go on in the same turn', async () => {
  let rounds = 0
  let isOver = false
  const countRounds = () => {
    rounds++
    if (!isOver) setImmediate(countRounds)
  }
  setImmediate(countRounds)
  await Promise.all(
    Array.from({ length: 1000 }, async () => {
      for (let step = 0; step < 3; step++) await turn()
    }),
  )
  isOver = true
  assert.ok(rounds < 200, `${rounds} turns of the loop for 1,000 short works`)
})
