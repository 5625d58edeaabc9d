import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesOfFeed, type Feed, feedOf, feedOfParts, framedFeed, partOfFeed, partsOf } from '../../src/bytes/feed.ts'

const BYTES = Uint8Array.from({ length: 100 }, (_, i) => i)

async function* pieces(...lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0
  for (const length of lengths) {
    yield BYTES.subarray(at, at + length)
    at += length
  }
}

async function drained(feed: Feed): Promise<number[]> {
  const all: number[] = []
  for await (const part of partsOf(feed)) all.push(...part)
  return all
}

test('a feed of parts brings all of them, in one piece or in several', async () => {
  for (const lengths of [[100], [1, 2, 97], [50, 50], [99, 1]]) {
    assert.deepEqual(await bytesOfFeed(await feedOfParts(pieces(...lengths)), 100), BYTES)
    assert.deepEqual(await drained(await feedOfParts(pieces(...lengths))), [...BYTES])
  }
})

test('a feed that brings less or more than it should is an error, never memory that nobody wrote', async () => {
  await assert.rejects(
    feedOfParts(pieces(40, 20)).then((feed) => bytesOfFeed(feed, 100)),
    /100 bytes brought 60/,
  )
  await assert.rejects(
    feedOfParts(pieces(40, 60)).then((feed) => bytesOfFeed(feed, 50)),
    /50 bytes brought more/,
  )
  await assert.rejects(bytesOfFeed(feedOf(BYTES), 99), /99 bytes brought more/)
})

test('a failure in the middle reaches who reads', async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield BYTES.subarray(0, 10)
    throw new Error('cut')
  }
  await assert.rejects(
    feedOfParts(broken()).then((feed) => bytesOfFeed(feed, 100)),
    /cut/,
  )
  await assert.rejects(feedOfParts(broken()).then(drained), /cut/)
})

test('a part of a feed, and something around one, are exact wherever pieces end', async () => {
  for (const lengths of [[100], [10, 20, 70], [29, 1, 1, 69]]) {
    const part = partOfFeed(await feedOfParts(pieces(...lengths)), 100, 30, 5)
    assert.deepEqual(await drained(part), [30, 31, 32, 33, 34])
    const framed = framedFeed(await feedOfParts(pieces(...lengths)), Uint8Array.of(7), Uint8Array.of(8, 9))
    assert.deepEqual(await drained(framed), [7, ...BYTES, 8, 9])
  }
})

test('leaving a feed half-way ends what makes its parts', async () => {
  let isEnded = false
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield BYTES
    } finally {
      isEnded = true
    }
  }
  for await (const _part of partsOf(await feedOfParts(endless()))) break
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(isEnded, true)
})
