import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roomOf } from '../../src/service/room.ts'

/** Work that ends when it is told to. */
function job() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { promise, resolve, reject }
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
  await new Promise(setImmediate)
  assert.deepEqual(begun, ['first'])
  first.resolve('a')
  await new Promise(setImmediate)
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
