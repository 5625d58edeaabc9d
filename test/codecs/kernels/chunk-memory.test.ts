import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chunkMemory } from '../../../src/codecs/kernels/chunk-memory.ts'

const LONG = 2 ** 17

/** What a task takes, and whether all of it is over then. */
function task<Taken>(take: () => Taken, isOver = true): Taken {
  chunkMemory.begin()
  try {
    return take()
  } finally {
    chunkMemory.end(isOver)
  }
}

/** Leaves nothing behind for the next test: what is kept is as long as many results. */
function forget(): void {
  task(() => chunkMemory.take(2 ** 24))
}

test('outside of tasks all memory is new, and zero', () => {
  const one = chunkMemory.take(LONG).fill(1)
  const other = task(() => chunkMemory.take(LONG))
  assert.notEqual(one.buffer, other.buffer)
  assert.ok(chunkMemory.take(LONG).every((byte) => byte === 0))
  forget()
})

test('a task is lent what one before it has used, and nothing twice', () => {
  const [one, other] = task(() => [chunkMemory.take(LONG).fill(1), chunkMemory.take(LONG).fill(2)])
  const again = task(() => [chunkMemory.take(LONG), chunkMemory.take(LONG), chunkMemory.take(LONG)])
  assert.equal(new Set(again.map(({ buffer }) => buffer)).size, 3)
  assert.deepEqual(new Set(again.slice(0, 2).map(({ buffer }) => buffer)), new Set([one?.buffer, other?.buffer]))
  assert.notEqual(task(() => chunkMemory.take(LONG + 1)).length, LONG)
  forget()
})

test('zeros are zero, whatever was there', () => {
  const used = task(() => chunkMemory.take(LONG).fill(1))
  const zeros = task(() => chunkMemory.zeros(LONG))
  assert.equal(zeros.buffer, used.buffer)
  assert.ok(zeros.every((byte) => byte === 0))
  forget()
})

test('short results, which codecs may keep, are never lent again', () => {
  const kept = task(() => chunkMemory.take(2 ** 16 - 1))
  assert.notEqual(task(() => chunkMemory.take(2 ** 16 - 1)).buffer, kept.buffer)
})

test('what was sent to another thread is not lent again, nor what a failed task may still write to', () => {
  const sent = task(() => {
    const bytes = chunkMemory.take(LONG)
    structuredClone(bytes, { transfer: [bytes.buffer] })
    return bytes
  })
  assert.equal(sent.length, 0)
  const failed = task(() => chunkMemory.take(LONG), false)
  assert.notEqual(task(() => chunkMemory.take(LONG)).buffer, failed.buffer)
  forget()
})

test('a part of a task lends again what the part before has used, and nothing of what is around it', async () => {
  chunkMemory.begin()
  const around = chunkMemory.take(LONG).fill(1)
  const parts: Uint8Array[] = []
  for (let part = 0; part < 3; part++) {
    await chunkMemory.during(async () => {
      parts.push(chunkMemory.take(LONG).fill(2))
      await Promise.resolve()
    })
  }
  assert.equal(new Set(parts.map(({ buffer }) => buffer)).size, 1)
  assert.ok(around.every((byte) => byte === 1))
  chunkMemory.end(true)
  await chunkMemory.during(async () => assert.notEqual(chunkMemory.take(LONG).buffer, around.buffer))
  forget()
})

test('after a part that failed nothing of its task is lent again', async () => {
  const taken: Uint8Array[] = []
  chunkMemory.begin()
  taken.push(chunkMemory.take(LONG))
  const failing = chunkMemory.during(async () => {
    taken.push(chunkMemory.take(LONG))
    throw new Error('damaged')
  })
  await assert.rejects(failing, /damaged/)
  chunkMemory.end(false)
  assert.ok(!taken.map(({ buffer }) => buffer).includes(task(() => chunkMemory.take(LONG)).buffer))
  forget()
})

test('of what a task takes 16 MiB are held for it, the rest is garbage as soon as it is not needed', () => {
  const used = task(() => Array.from({ length: 20 }, () => chunkMemory.take(2 ** 20)))
  const again = task(() => Array.from({ length: 20 }, () => chunkMemory.take(2 ** 20)))
  const buffers = new Set(used.map(({ buffer }) => buffer))
  assert.equal(again.filter(({ buffer }) => buffers.has(buffer)).length, 16)
  forget()
})

test('16 MiB are kept, of what was used last', () => {
  const MIB = 2 ** 20
  const used = Array.from({ length: 4 }, (_, i) => task(() => chunkMemory.take((6 + i) * MIB)))
  const again = used.toReversed().map(({ length, buffer }) => task(() => chunkMemory.take(length)).buffer === buffer)
  assert.deepEqual(again, [true, false, false, false])
  forget()
})
