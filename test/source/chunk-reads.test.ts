import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ByteRange } from '../../src/bytes/byte-range.ts'
import { feedOf } from '../../src/bytes/feed.ts'
import { chunkReads } from '../../src/source/chunk-reads.ts'
import { aheadRoom } from '../../src/source/read-ahead.ts'
import type { ReadOptions, Source } from '../../src/source/source.ts'

const BYTES = Uint8Array.from({ length: 4_000_000 }, (_, i) => i % 251)

/** A source whose reads end when they are let. */
function slowSource() {
  const reads: { range: ByteRange; end(error?: Error): void; isAborted: boolean }[] = []
  const inner: Source = {
    url: 'memory:',
    size: BYTES.length,
    validator: 'v',
    feed: async (range) => feedOf(BYTES.subarray(range.offset, range.offset + range.length)),
    read(range: ByteRange, { signal }: ReadOptions = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
      const read = {
        range,
        isAborted: false,
        end: (error?: Error) =>
          error === undefined ? resolve(BYTES.slice(range.offset, range.offset + range.length)) : reject(error),
      }
      signal?.addEventListener('abort', () => {
        read.isAborted = true
        reject(signal.reason)
      })
      reads.push(read)
      return promise
    },
  }
  return { reads, source: chunkReads(inner, aheadRoom()) }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

function expected({ offset, length }: ByteRange): Uint8Array {
  return BYTES.slice(offset, offset + length)
}

/** Whether each has got its own. */
async function assertBytes(all: readonly Promise<Uint8Array>[], ranges: readonly ByteRange[]): Promise<void> {
  const bytes = await Promise.all(all)
  assert.deepEqual(
    bytes.map((one) => new Uint8Array(one)),
    ranges.map(expected),
  )
}

test('a read that comes alone goes at once', async () => {
  const { reads, source } = slowSource()
  const read = source.read({ offset: 10, length: 5 })
  assert.equal(reads.length, 1)
  reads[0]?.end()
  assert.deepEqual(await read, expected({ offset: 10, length: 5 }))
})

test('those that come while it is under way become one where they lie together, whatever their order', async () => {
  const { reads, source } = slowSource()
  const ranges = [0, 5000, 1000, 1000, 900, 290_000].map((offset) => ({ offset, length: 1000 }))
  const all = ranges.map((range) => source.read(range))
  await turn()
  assert.deepEqual(
    reads.map(({ range }) => range),
    [
      { offset: 0, length: 1000 },
      { offset: 900, length: 5100 },
      { offset: 290_000, length: 1000 },
    ],
  )
  for (const read of reads) read.end()
  await assertBytes(all, ranges)
})

test('long reads, and those that the file does not have, go by themselves', async () => {
  const { reads, source } = slowSource()
  void source.read({ offset: 0, length: 1 })
  void source.read({ offset: 0, length: 290_000 })
  void source.read({ offset: BYTES.length - 1, length: 2 }).catch(() => undefined)
  assert.equal(reads.length, 3)
})

test('one who leaves does not end what others wait for; when all have left it ends', async () => {
  const { reads, source } = slowSource()
  void source.read({ offset: 0, length: 1 })
  const leaving = [new AbortController(), new AbortController()]
  const [one, other] = leaving.map(({ signal }, i) => source.read({ offset: 100 * i, length: 100 }, { signal }))
  await turn()
  leaving[0]?.abort(new Error('left'))
  await assert.rejects(one ?? Promise.resolve(), /left/)
  assert.equal(reads[1]?.isAborted, false)
  leaving[1]?.abort(new Error('left too'))
  await assert.rejects(other ?? Promise.resolve(), /left too/)
  assert.equal(reads[1]?.isAborted, true)
})

test('one who leaves before it begins is not read for', async () => {
  const { reads, source } = slowSource()
  void source.read({ offset: 0, length: 1 })
  const leaving = new AbortController()
  const left = source.read({ offset: 100, length: 100 }, { signal: leaving.signal })
  leaving.abort(new Error('left'))
  await assert.rejects(left, /left/)
  await turn()
  assert.equal(reads.length, 1)
})

test('a failure is that of all who waited, and of nobody after', async () => {
  const { reads, source } = slowSource()
  void source.read({ offset: 0, length: 1 })
  const both = [0, 100].map((offset) => source.read({ offset, length: 100 }))
  await turn()
  reads[1]?.end(new Error('no'))
  for (const read of both) await assert.rejects(read, /no/)
  reads[0]?.end()
  await turn()
  const after = source.read({ offset: 5, length: 5 })
  reads[2]?.end()
  assert.deepEqual(await after, expected({ offset: 5, length: 5 }))
})

test('beyond 64 under way others wait, where they may become one, and go as soon as one of those ends', async () => {
  const { reads, source } = slowSource()
  const far = Array.from({ length: 70 }, (_, index) => source.read({ offset: index * 40_000, length: 10 }))
  for (let count = 0; count < 3; count++) await turn()
  const near = [8, 9].map((index) => source.read({ offset: 3_900_000 + index * 100, length: 50 }))
  await turn()
  const begun = reads.length
  assert.equal(begun, 64)
  for (let at = 0; at < reads.length; at++) {
    reads[at]?.end()
    for (let count = 0; count < 3; count++) await turn()
  }
  await Promise.all([...far, ...near])
  assert.ok(reads.some(({ range }) => range.offset === 3_900_800 && range.length === 150))
})

test('nobody waits here for an origin that does not answer', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const { reads, source } = slowSource()
  for (let index = 0; index < 70; index++) void source.read({ offset: index * 40_000, length: 10 })
  for (let count = 0; count < 3; count++) await turn()
  assert.equal(reads.length, 64)
  context.mock.timers.tick(2000)
  assert.equal(reads.length, 70)
})

/** Reads that lie apart, until the next ones need not wait. */
async function readApart(reads: readonly { end(): void }[], source: Source): Promise<void> {
  for (let index = 0; index < 18; index++) void source.read({ offset: index * 100_000, length: 10 })
  await turn()
  assert.equal(reads.length, 18)
  for (const read of reads) read.end()
  await turn()
  void source.read({ offset: 0, length: 10 })
  await turn()
}

test('where many have waited and met nobody the first of each turn go at once', async () => {
  const { reads, source } = slowSource()
  await readApart(reads, source)
  for (let many = 0; many < 3; many++) {
    const begun = reads.length
    for (let index = 0; index < 5; index++) void source.read({ offset: many * 5000 + index * 500_000, length: 1000 })
    assert.equal(reads.length, begun + 4)
    await turn()
    assert.equal(reads.length, begun + 5)
  }
})

test('what lies together becomes one also after many that lay apart, but for the first of it', async () => {
  const { reads, source } = slowSource()
  await readApart(reads, source)
  // Four columns of a picture, one after the other: no two neighbours follow each other.
  const tiles = Array.from({ length: 32 }, (_, index) => ({
    offset: 2_000_000 + (index % 8) * 80_000 + Math.floor(index / 8) * 20_000,
    length: 20_000,
  }))
  const all = tiles.map((range) => source.read(range))
  for (let count = 0; count < 3; count++) await turn()
  assert.deepEqual(
    reads.slice(19).map(({ range }) => range),
    [...tiles.slice(0, 4), { offset: 2_020_000, length: 620_000 }],
  )
  for (const read of reads) read.end()
  await assertBytes(all, tiles)
})

test('where one would have met another that went at once, the next ones wait again', async () => {
  const { reads, source } = slowSource()
  await readApart(reads, source)
  for (let pair = 1; pair < 3; pair++) {
    for (let index = 0; index < 2; index++) void source.read({ offset: pair * 1_000_000 + index * 1000, length: 1000 })
    await turn()
  }
  assert.deepEqual(
    reads.slice(19).map(({ range }) => range),
    [
      { offset: 1_000_000, length: 1000 },
      { offset: 1_001_000, length: 1000 },
      { offset: 2_000_000, length: 2000 },
    ],
  )
})
