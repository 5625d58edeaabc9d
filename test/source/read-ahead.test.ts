import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ByteRange } from '../../src/bytes/byte-range.ts'
import { bytesOfFeed, type Feed, feedOf, type Sink } from '../../src/bytes/feed.ts'
import { chunkReads } from '../../src/source/chunk-reads.ts'
import { type AheadRoom, aheadRoom } from '../../src/source/read-ahead.ts'
import type { ReadOptions, Source } from '../../src/source/source.ts'

const CHUNK = 10_000
const CHUNKS = 300
const BYTES = Uint8Array.from({ length: CHUNK * CHUNKS + 17 }, (_, i) => (i * 7) % 251)

/** A source that notes what is read and what is fed of it, `turns` after it was asked; what is fed comes in pieces, when it is let. */
function notedSource(room: AheadRoom = aheadRoom(), told: Partial<Source> = {}, turns = 0) {
  const reads: ByteRange[] = []
  const fed: (ByteRange & { sink: Sink | undefined; isStopped: boolean })[] = []
  let flows = true
  const slice = ({ offset, length }: ByteRange) => BYTES.slice(offset, offset + length)
  const flow = (one: (typeof fed)[number]) => {
    if (one.sink === undefined) return
    const bytes = slice(one)
    for (let at = 0; at < bytes.length; at += 7001) one.sink?.data(bytes.subarray(at, at + 7001))
    one.sink?.end()
    one.sink = undefined
  }
  const inner: Source = {
    url: 'http://origin/file',
    size: BYTES.length,
    validator: 'v',
    ...told,
    async read(range: ByteRange, { signal }: ReadOptions = {}) {
      signal?.throwIfAborted()
      reads.push(range)
      await passed(turns)
      return slice(range)
    },
    async feed(range): Promise<Feed> {
      const one: (typeof fed)[number] = { ...range, sink: undefined, isStopped: false }
      fed.push(one)
      await passed(turns)
      return {
        ...feedOf(new Uint8Array(0)),
        start(sink) {
          one.sink = sink
          if (flows) flow(one)
        },
        stop() {
          one.sink = undefined
          one.isStopped = true
        },
      }
    },
  }
  const hold = () => {
    flows = false
  }
  return { reads, fed, source: chunkReads(inner, room), hold, flow, room }
}

/** Turns of the event loop. */
async function passed(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
}

const chunk = (index: number): ByteRange => ({ offset: index * CHUNK, length: CHUNK })

function assertBytes(bytes: Uint8Array, { offset, length }: ByteRange): void {
  assert.ok(Buffer.from(bytes).equals(BYTES.subarray(offset, offset + length)), `bytes ${offset}+${length}`)
}

/** Reads chunks, so many at a time. */
async function readAll(source: Source, indexes: readonly number[], atOnce: number): Promise<void> {
  const left = indexes.values()
  const reader = async () => {
    for (const index of left) assertBytes(await source.read(chunk(index)), chunk(index))
  }
  await Promise.all(Array.from({ length: atOnce }, reader))
}

const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index)

for (const atOnce of [1, 10, 64]) {
  test(`chunks that follow each other are read ahead, each byte once, ${atOnce} at a time`, async () => {
    const { reads, fed, source } = notedSource()
    await readAll(source, upTo(CHUNKS), atOnce)
    const bytes = [...reads, ...fed].reduce((sum, { length }) => sum + length, 0)
    assert.ok(reads.length + fed.length < 40, `${reads.length} reads, ${fed.length} fed`)
    assert.ok(bytes <= BYTES.length, `${bytes} of ${BYTES.length} bytes`)
  })
}

for (const fronts of [1, 3, 6, 12]) {
  test(`chunks all asked for at once, at ${fronts} places, are read in few requests, and next to none of them twice`, async () => {
    const { reads, fed, source } = notedSource(aheadRoom(), {}, 10)
    const each = CHUNKS / fronts
    const indexes = upTo(CHUNKS).map((index) => (index % fronts) * each + Math.floor(index / fronts))
    const reading: Promise<void>[] = []
    for (const index of indexes) {
      reading.push(source.read(chunk(index)).then((bytes) => assertBytes(bytes, chunk(index))))
      if (reading.length % 8 === 0) await passed(1)
    }
    await Promise.all(reading)
    const bytes = [...reads, ...fed].reduce((sum, { length }) => sum + length, 0)
    // Twelve of each place, before it is known how they go on.
    assert.ok(reads.length + fed.length < 14 * fronts + 24, `${reads.length} reads, ${fed.length} fed`)
    assert.ok(bytes <= 1.02 * BYTES.length, `${bytes} of ${BYTES.length} bytes`)
  })
}

test('what would be fed is read ahead, too, and a chunk may lie in two stretches', async () => {
  const { fed, source } = notedSource()
  for (const index of upTo(CHUNKS)) {
    assertBytes(await bytesOfFeed(await source.feed(chunk(index)), CHUNK), chunk(index))
  }
  assert.ok(fed.length < 40, `${fed.length} fed`)
})

test('a row of a screen, chunks far from each other, backwards or again are read as they are asked for', async () => {
  for (const indexes of [
    upTo(11),
    upTo(11, 40).concat(upTo(11, 140), upTo(11, 240)),
    upTo(30).map((index) => (index * 37) % CHUNKS),
    upTo(40).reverse(),
    upTo(40).map(() => 5),
  ]) {
    const { reads, fed, source } = notedSource()
    await readAll(source, indexes, 1)
    assert.equal(fed.length, 0)
    assert.equal(reads.length, indexes.length)
  }
})

test('at most half as much is read in vain as was asked for', async () => {
  for (const count of [12, 13, 20, 47, 100]) {
    const { fed, source } = notedSource()
    await readAll(source, upTo(count), 10)
    const end = Math.max(...fed.map(({ offset, length }) => offset + length))
    assert.ok(end <= 1.5 * count * CHUNK, `${end} after ${count} chunks`)
  }
})

test('chunks out of their order, left out, again, of other lengths and by many readers are the right ones', async () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let round = 0; round < 50; round++) {
    const { fed, source, flow, hold } = notedSource(aheadRoom(random(100) * CHUNK))
    if (round % 2 === 1) hold()
    const reading: Promise<void>[] = []
    let at = random(100) * CHUNK
    for (let count = 0; count < 400 && at < BYTES.length; count++) {
      at = Math.max(0, at + (random(5) === 0 ? random(16) - 5 : 1) * CHUNK)
      const range = { offset: at + random(300), length: CHUNK + random(3000) }
      if (range.offset + range.length > BYTES.length) break
      reading.push(source.read(range).then((bytes) => assertBytes(bytes, range)))
      if (random(4) === 0) await new Promise(setImmediate)
      if (random(9) === 0) for (const one of fed) flow(one)
    }
    const settled = Promise.all(reading)
    const letting = setInterval(() => fed.forEach(flow), 1)
    await settled.finally(() => clearInterval(letting))
  }
})

test('each of two readers at different places goes on with its own run', async () => {
  const { reads, fed, source } = notedSource()
  await readAll(
    source,
    upTo(100).flatMap((index) => [index, 150 + index]),
    4,
  )
  assert.ok(reads.length + fed.length < 70, `${reads.length} reads, ${fed.length} fed`)
})

test('a reader that is the last to leave ends what was read for it', async () => {
  const { fed, source, hold, room } = notedSource()
  hold()
  await readAll(source, upTo(12), 1)
  const leaving = new AbortController()
  const read = source.read(chunk(12), { signal: leaving.signal })
  const other = source.read(chunk(13), { signal: leaving.signal })
  assert.equal(fed.length, 1)
  await new Promise(setImmediate)
  leaving.abort(new Error('left'))
  await assert.rejects(read, /left/)
  await assert.rejects(other, /left/)
  assert.equal(fed[0]?.isStopped, true)
  assert.equal(room.left, aheadRoom().left)
})

test('what fails to come is read by who needs it, and is not asked for ahead again at once', async () => {
  const { reads, fed, source, hold, room } = notedSource()
  hold()
  await readAll(source, upTo(12), 1)
  const read = source.read(chunk(12))
  await new Promise(setImmediate)
  fed[0]?.sink?.fail(new Error('cut'))
  assertBytes(await read, chunk(12))
  assert.equal(reads.length, 13)
  await readAll(source, upTo(5, 13), 1)
  assert.equal(fed.length, 1)
  assert.equal(room.left, aheadRoom().left)
})

test('who waits for an origin that falls silent asks it itself', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const { reads, fed, source, hold } = notedSource()
  hold()
  await readAll(source, upTo(12), 1)
  const read = source.read(chunk(13))
  await new Promise(setImmediate)
  context.mock.timers.tick(1500)
  fed[0]?.sink?.data(BYTES.slice(12 * CHUNK, 12 * CHUNK + 10))
  context.mock.timers.tick(1500)
  assert.equal(reads.length, 12)
  context.mock.timers.tick(500)
  assertBytes(await read, chunk(13))
  assert.equal(reads.length, 13)
  assert.equal(fed[0]?.isStopped, true)
})

test('nothing is read ahead of a source whose version is a guess', async () => {
  const { fed, source } = notedSource(aheadRoom(), { isGuessed: true })
  await readAll(source, upTo(CHUNKS), 10)
  assert.equal(fed.length, 0)
})

test('a chunk is answered as soon as its own bytes have come', async () => {
  const { fed, source, hold } = notedSource()
  hold()
  await readAll(source, upTo(12), 1)
  const read = source.read(chunk(12))
  await new Promise(setImmediate)
  const [stretch] = fed
  assert.ok(stretch !== undefined && stretch.length > 2 * CHUNK)
  stretch.sink?.data(BYTES.slice(stretch.offset, stretch.offset + CHUNK))
  assertBytes(await read, chunk(12))
})

test('nothing is read ahead where there is no room, nor behind the end of the file', async () => {
  const none = notedSource(aheadRoom(1000))
  await readAll(none.source, upTo(CHUNKS), 1)
  assert.equal(none.fed.length, 0)
  const { fed, source } = notedSource()
  await readAll(source, upTo(CHUNKS - 2), 1)
  assert.ok(fed.every(({ offset, length }) => offset + length <= BYTES.length))
})

test('what was read ahead is dropped after a second, and its reader begins anew', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const { reads, fed, source, room } = notedSource()
  await readAll(source, upTo(13), 1)
  assert.notEqual(room.left, aheadRoom().left)
  context.mock.timers.tick(1000)
  assert.equal(room.left, aheadRoom().left)
  const count = fed.length
  await readAll(source, upTo(11, 13), 1)
  assert.equal(fed.length, count)
  assert.equal(reads.length, 12 + 11)
  await readAll(source, upTo(5, 24), 1)
  assert.ok(fed.length > count)
})
