import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentParts } from '../../src/model/recent-parts.ts'

const partsOf = (most: number) => new RecentParts<number, Uint8Array>(most, (part) => part.length)
const read = (key: number) => Promise.resolve(new Uint8Array(key))

test('the part that was used longest ago goes first, and the weight is that of what stays', async () => {
  const parts = partsOf(60)
  for (const key of [10, 20, 30]) await parts.load(key, read)
  assert.ok(parts.get(10))
  await parts.load(15, read)
  assert.equal(parts.get(20), undefined)
  assert.deepEqual(
    [10, 30, 15].map((key) => parts.get(key)?.length),
    [10, 30, 15],
  )
  assert.equal(parts.weight, 55)
})

test('a part that is larger than all that may stay is kept until the next one comes', async () => {
  const parts = partsOf(60)
  await parts.load(10, read)
  await parts.load(100, read)
  assert.deepEqual([parts.get(10), parts.get(100)?.length], [undefined, 100])
  await parts.load(20, read)
  assert.deepEqual([parts.get(100), parts.weight], [undefined, 20])
})

test('a part that is there costs no promise', async () => {
  const parts = partsOf(60)
  const part = await parts.load(10, read)
  assert.equal(parts.load(10, read), part)
})

test('who asks at the same time shares one reading, but never one that somebody else may abort', async () => {
  const parts = partsOf(60)
  let reads = 0
  const counted = (key: number) => {
    reads++
    return read(key)
  }
  await Promise.all([parts.load(10, counted), parts.load(10, counted)])
  assert.equal(reads, 1)
  const { signal } = new AbortController()
  await Promise.all([parts.load(20, counted, signal), parts.load(20, counted)])
  assert.equal(reads, 3)
})

test('a reading that failed is tried again', async () => {
  const parts = partsOf(60)
  await assert.rejects(async () => parts.load(10, () => Promise.reject(new Error('gone'))))
  assert.equal((await parts.load(10, read)).length, 10)
})
