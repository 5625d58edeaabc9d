import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ByteRange } from '../../src/bytes/byte-range.ts'
import { feedOf, partsOf, type Sink } from '../../src/bytes/feed.ts'
import { chunkReads } from '../../src/source/chunk-reads.ts'
import { PageCache } from '../../src/source/page-cache.ts'
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
  return { reads, source: chunkReads(inner, { pages: () => undefined, confirm: () => undefined }) }
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

/** The same with pages. */
function withPages(confirm: () => Promise<void> | undefined = () => undefined) {
  const pages = new PageCache({ indexBytes: 2 ** 22, dataBytes: 2 ** 22 }).file('a')
  const reads: ByteRange[] = []
  const feeds: { range: ByteRange; sink: Sink | undefined; isStopped: boolean }[] = []
  const inner: Source = {
    url: 'memory:',
    size: BYTES.length,
    validator: 'v',
    read: async (range) => {
      reads.push(range)
      return expected(range)
    },
    feed: async (range) => {
      const one: (typeof feeds)[number] = { range, sink: undefined, isStopped: false }
      feeds.push(one)
      return {
        start: (sink) => {
          one.sink = sink
        },
        pause: () => undefined,
        resume: () => undefined,
        stop: () => {
          one.isStopped = true
        },
      }
    },
  }
  /** Lets bytes of a feed come. */
  const send = (at: number, from: number, to: number) => {
    const { range, sink } = feeds[at] ?? {}
    const offset = range?.offset ?? 0
    sink?.data(expected({ offset: offset + from, length: to - from }))
    if (to === range?.length) sink?.end()
  }
  return { pages, reads, feeds, send, source: chunkReads(inner, { pages: () => pages, confirm }) }
}

test('what is being fetched is waited for, each part no longer than until it has come, and is then in pages', async () => {
  const { reads, feeds, send, source, pages } = withPages()
  const range = { offset: 100_000, length: 200_000 }
  const { bytes, done } = source.prefetch([range])
  assert.equal(bytes, 200_000)
  await turn()
  const early = source.read({ offset: 100_000, length: 1000 })
  const late = source.read({ offset: 290_000, length: 10_000 })
  send(0, 0, 5000)
  assert.deepEqual(await early, expected({ offset: 100_000, length: 1000 }))
  send(0, 5000, 200_000)
  assert.deepEqual(await late, expected({ offset: 290_000, length: 10_000 }))
  await done
  assert.ok(pages.has(range) && pages.windows.length === 0)
  assert.deepEqual(
    await source.read({ offset: 150_000, length: 60_000 }),
    expected({ offset: 150_000, length: 60_000 }),
  )
  assert.equal(source.prefetch([range]).bytes, 0)
  assert.equal(feeds.length, 1)
  assert.deepEqual(reads, [])
})

test('no byte is fetched twice: neither what is there nor what is on its way', async () => {
  const { feeds, source } = withPages()
  source.prefetch([{ offset: 0, length: 65_536 }])
  const { bytes } = source.prefetch([{ offset: 0, length: 131_072 }])
  assert.equal(bytes, 65_536)
  assert.deepEqual(
    feeds.map(({ range }) => range),
    [
      { offset: 0, length: 65_536 },
      { offset: 65_536, length: 65_536 },
    ],
  )
})

test('who waits for what does not come reads it', async () => {
  const { reads, feeds, source } = withPages()
  source.prefetch([{ offset: 0, length: 50_000 }])
  await turn()
  const read = source.read({ offset: 10, length: 100 })
  await turn()
  feeds[0]?.sink?.fail(new Error('the origin broke off'))
  assert.deepEqual(await read, expected({ offset: 10, length: 100 }))
  assert.deepEqual(reads, [{ offset: 10, length: 100 }])
})

test('what is fetched for nobody is stopped, what somebody waits for is not', async () => {
  const { feeds, source, send } = withPages()
  const [one, other] = [0, 1_000_000].map((offset) => source.prefetch([{ offset, length: 1000 }]))
  await turn()
  const read = source.read({ offset: 0, length: 10 })
  await turn()
  one?.stop()
  other?.stop()
  assert.deepEqual(
    feeds.map(({ isStopped }) => isStopped),
    [false, true],
  )
  send(0, 0, 1000)
  assert.deepEqual(await read, expected({ offset: 0, length: 10 }))
})

test('a long chunk is handed out part by part as it comes; what pages have lost meanwhile is read', async () => {
  const { feeds, source, send, pages } = withPages()
  source.prefetch([{ offset: 0, length: 400_000 }])
  await turn()
  const feeding = source.feed({ offset: 0, length: 400_000 })
  send(0, 0, 100_000)
  const parts = partsOf(await feeding)
  const first = (await parts.next()).value
  assert.deepEqual(first, expected({ offset: 0, length: 65_536 }))
  send(0, 100_000, 400_000)
  pages.drop()
  assert.deepEqual((await parts.next()).value, expected({ offset: 65_536, length: 65_536 }))
  const rest = parts.next()
  await turn()
  await turn()
  assert.deepEqual(feeds[1]?.range, { offset: 131_072, length: 268_928 })
  send(1, 0, 268_928)
  assert.deepEqual((await rest).value, expected({ offset: 131_072, length: 268_928 }))
})

test('bytes of pages are handed out only where the file is known to be of that version', async () => {
  let isConfirmed = true
  const { reads, source, pages } = withPages(() => (isConfirmed ? undefined : Promise.reject(new Error('changed'))))
  const range = { offset: 5, length: 100 }
  pages.put('index', 0, expected({ offset: 0, length: 1000 }))
  assert.deepEqual(await source.read(range), expected(range))
  isConfirmed = false
  await assert.rejects(source.read(range), /changed/)
  await assert.rejects(source.feed(range), /changed/)
  assert.deepEqual(reads, [])
  source.dropPages()
  assert.deepEqual(await source.read(range), expected(range))
})

test('a chunk that is read again and again is read twice', async () => {
  const { reads, source } = withPages()
  for (let count = 0; count < 5; count++) await source.read({ offset: 700_000, length: 500 })
  assert.equal(reads.length, 2)
})
