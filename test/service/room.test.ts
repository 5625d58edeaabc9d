import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roomOf } from '../../src/service/room.ts'

/** Work that ends when it is told to. */
function job() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { promise, resolve, reject }
}

/** Room that is given back is given out at the next turn of the event loop. */
async function twoTurns(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate)
}

test('work waits while what others hold leaves no room, and goes on in the order it came', async () => {
  const room = roomOf(100)
  const [first, second] = [job(), job()]
  const begun: string[] = []
  const run = (name: string, bytes: number, work: Promise<string>) =>
    room.within(bytes, async () => {
      begun.push(name)
      return await work
    })
  const all = [
    run('first', 60, first.promise),
    run('second', 50, second.promise),
    run('small', 10, Promise.resolve('c')),
  ]
  await twoTurns()
  assert.deepEqual(begun, ['first'])
  first.resolve('a')
  await twoTurns()
  assert.deepEqual(begun, ['first', 'second', 'small'])
  second.resolve('b')
  assert.deepEqual(await Promise.all(all), ['a', 'b', 'c'])
})

test('what needs more than there is has it all to itself, and a failure gives its room back', async () => {
  const room = roomOf(100)
  await assert.rejects(
    room.within(1000, async () => {
      throw new Error('no')
    }),
    /no/,
  )
  assert.equal(await room.within(100, async () => 'yes'), 'yes')
})

test('what is held when work ends is counted before the next begins', async () => {
  const room = roomOf(100)
  let leave = () => {}
  const made = room.within(90, async () => 'made').then(() => (leave = room.hold(50)))
  let hasBegun = false
  const next = room.within(60, async () => (hasBegun = true))
  await made
  await twoTurns()
  assert.equal(hasBegun, false)
  leave()
  await next
  assert.equal(hasBegun, true)
})

test('who is given up while waiting is told that the server is busy, and keeps nobody waiting', async () => {
  const room = roomOf(100)
  const leave = await room.enter(100)
  const controller = new AbortController()
  const waiting = room.enter(100, controller.signal)
  const next = room.enter(100)
  controller.abort()
  await assert.rejects(Promise.resolve(waiting), { code: 'overloaded' })
  leave()
  await next
})
