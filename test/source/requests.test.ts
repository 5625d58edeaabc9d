import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { partsOf } from '../../src/bytes/feed.ts'
import { forParsing } from '../../src/source/parsing.ts'
import { drain, failure, openWorld, patterned } from './world.ts'

const BUDGET = { bytes: 16_000_000, requests: 100 }
const FILE = patterned(3_000_000)

describe('what reading costs the origin', () => {
  test('opening a small file and reading all of it is one request, and no HEAD', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a', patterned(60_000))
    const source = await sources.open(origin.url('a'))
    const parsing = forParsing(source, BUDGET)
    for (let at = 0; at < 60_000; at += 100) await parsing.source.read({ offset: at, length: 100 })
    assert.equal(origin.requests.length, 1)
    assert.equal(origin.requests[0]?.method, 'GET')
    assert.equal(origin.requests[0]?.headers['range'], 'bytes=0-65535')
  })

  test('once parsing is done each read asks the origin, exactly once', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a', patterned(60_000))
    const source = await sources.open(origin.url('a'))
    forParsing(source, BUDGET).done()
    origin.forget()
    await source.read({ offset: 100, length: 100 })
    await drain(await source.feed({ offset: 100, length: 100 }))
    assert.equal(origin.requests.length, 2)
  })

  test('parsing 1 MB front to back in small steps is at most 6 requests', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a', FILE)
    const { source } = forParsing(await sources.open(origin.url('a')), BUDGET)
    for (let at = 0; at < 1_000_000; at += 1_000) await source.read({ offset: at, length: 1_000 })
    assert.ok(origin.requests.length <= 6, `${origin.requests.length} requests`)
    assert.ok(origin.bytesSent <= 2_200_000, `${origin.bytesSent} bytes`)
  })

  test('100 concurrent identical reads while parsing are one request', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a', FILE)
    const { source } = forParsing(await sources.open(origin.url('a')), BUDGET)
    origin.forget()
    const reads = Array.from({ length: 100 }, () => source.read({ offset: 1_000_000, length: 5_000 }))
    for (const bytes of await Promise.all(reads)) assert.deepEqual(bytes, FILE.subarray(1_000_000, 1_005_000))
    assert.equal(origin.requests.length, 1)
  })

  test('neighbouring reads of one turn are one request, far ones are not joined', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a', FILE)
    const { source } = forParsing(await sources.open(origin.url('a')), BUDGET)
    origin.forget()
    const offsets = [1_000_000, 1_070_000, 1_200_000, 2_500_000]
    await Promise.all(offsets.map((offset) => source.read({ offset, length: 10 })))
    assert.equal(origin.requests.length, 2)
  })

  test('a scattered read brings one block, not what lies around it', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a', FILE)
    const { source } = forParsing(await sources.open(origin.url('a')), BUDGET)
    origin.forget()
    await source.read({ offset: 2_000_000, length: 10 })
    await source.read({ offset: 1_000_000, length: 10 })
    assert.equal(origin.requests.length, 2)
    assert.ok(origin.bytesSent <= 2 * 65_536)
  })
})

describe('the budget of a parse', () => {
  test('bytes and requests beyond it are limit-exceeded before they are asked for', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a', FILE)
    const source = await sources.open(origin.url('a'))
    const few = forParsing(source, { bytes: 1_000_000, requests: 2 }).source
    await few.read({ offset: 500_000, length: 1 })
    await few.read({ offset: 1_500_000, length: 1 })
    origin.forget()
    await assert.rejects(few.read({ offset: 2_500_000, length: 1 }), failure('limit-exceeded'))
    const small = forParsing(source, { bytes: 100_000, requests: 100 }).source
    await assert.rejects(small.read({ offset: 1_000_000, length: 200_000 }), failure('limit-exceeded'))
    assert.equal(origin.requests.length, 0)
  })

  test('after done it no longer applies', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a', FILE)
    const parsing = forParsing(await sources.open(origin.url('a')), { bytes: 70_000, requests: 1 })
    await parsing.source.read({ offset: 500_000, length: 1 })
    parsing.done()
    for (let at = 0; at < 3_000_000; at += 300_000) {
      assert.deepEqual(await parsing.source.read({ offset: at, length: 7 }), FILE.subarray(at, at + 7))
    }
  })
})

describe('limits and leaving', () => {
  test('no more requests than the limit are under way at one origin', async (t) => {
    const { origin, sources } = await openWorld(t, { perOriginConcurrency: 3 })
    origin.put('a', FILE)
    const source = await sources.open(origin.url('a'))
    origin.latencyMs = 20
    origin.forget()
    const reads = Array.from({ length: 12 }, (_, i) => source.read({ offset: 100_000 * (i + 1), length: 1_000 }))
    let waiting = 0
    let most = 0
    origin.faultOf = () => {
      most = Math.max(most, origin.requests.length - waiting)
      waiting++
      return undefined
    }
    await Promise.all(reads)
    assert.equal(origin.requests.length, 12)
    assert.equal(most, 3)
    assert.ok(origin.sockets.size <= 3, `${origin.sockets.size} connections`)
  })

  test('a read of one folder does not wait behind the many of another', async (t) => {
    const { origin, sources } = await openWorld(t, { perOriginConcurrency: 2 })
    origin.put('many/a', FILE)
    origin.put('one/b', FILE)
    const [many, one] = [await sources.open(origin.url('many/a')), await sources.open(origin.url('one/b'))]
    origin.latencyMs = 5
    origin.forget()
    const reads = Array.from({ length: 20 }, (_, i) => many.read({ offset: 100_000 * (i + 1), length: 1_000 }))
    reads.push(one.read({ offset: 200_000, length: 10 }), one.read({ offset: 300_000, length: 10 }))
    await Promise.all(reads)
    const order = origin.requests.map(({ path }) => path)
    assert.equal(order.length, 22)
    assert.ok(order.lastIndexOf('/one/b') < 8, order.join(' '))
    assert.deepEqual(
      order.slice(0, 6).filter((path) => path === '/one/b'),
      ['/one/b', '/one/b'],
    )
  })

  test('a reader that pauses gives its place to others', async (t) => {
    const { origin, sources } = await openWorld(t, { perOriginConcurrency: 1 })
    origin.put('a', FILE)
    const source = await sources.open(origin.url('a'))
    const slow = await source.feed({ offset: 0, length: 3_000_000 })
    assert.equal((await source.read({ offset: 200_000, length: 10 })).length, 10)
    assert.equal((await drain(slow)).length, 3_000_000)
  })

  test("feeds of an origin without validators don't wait for each other", async (t) => {
    const { origin, sources } = await openWorld(t, { perOriginConcurrency: 1 })
    origin.put('a', { bytes: FILE })
    const source = await sources.open(origin.url('a'))
    const feeds = [1, 2, 3].map((i) => source.feed({ offset: i, length: 1_000_000 }))
    for (const bytes of await Promise.all(feeds.map(async (feed) => drain(await feed)))) {
      assert.equal(bytes.length, 1_000_000)
    }
  })

  test('a waiting request leaves the queue when it is aborted', async (t) => {
    const { origin, sources } = await openWorld(t, { perOriginConcurrency: 1 })
    origin.put('a', FILE)
    const source = await sources.open(origin.url('a'))
    origin.latencyMs = 100
    const first = source.read({ offset: 100_000, length: 10 })
    const controller = new AbortController()
    const second = source.read({ offset: 100_000, length: 10 }, { signal: controller.signal })
    controller.abort(new Error('gone'))
    await assert.rejects(second, /gone/)
    await first
    origin.latencyMs = 0
    assert.equal((await source.read({ offset: 100_000, length: 10 })).length, 10)
  })

  test('fault 21: a reader that leaves frees its connection within 100 ms', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a', FILE)
    const source = await sources.open(origin.url('a'))
    const controller = new AbortController()
    const waiting = source.read({ offset: 100_000, length: 1_000 }, { signal: controller.signal })
    origin.fault({ kind: 'stall' }, 1)
    await new Promise((resolve) => setTimeout(resolve, 30))
    controller.abort(new Error('gone'))
    await assert.rejects(waiting, /gone/)
    await freed(origin.sockets)

    origin.fault({ kind: 'stall', after: 300_000 }, 1)
    const leaving = new AbortController()
    const feed = await source.feed({ offset: 0, length: 2_000_000 }, { signal: leaving.signal })
    const left = async () => {
      for await (const _part of partsOf(feed)) leaving.abort(new Error('gone'))
    }
    await assert.rejects(left(), /gone/)
    await freed(origin.sockets)
  })

  test('a feed that is stopped frees its connection within 100 ms', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a', FILE)
    const source = await sources.open(origin.url('a'))
    const feed = await source.feed({ offset: 0, length: 3_000_000 })
    feed.stop()
    await freed(origin.sockets)
  })

  test('one reader that leaves does not end a fetch that others wait for', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a', FILE)
    const { source } = forParsing(await sources.open(origin.url('a')), BUDGET)
    origin.latencyMs = 50
    origin.forget()
    const controller = new AbortController()
    const leaving = source.read({ offset: 1_000_000, length: 10 }, { signal: controller.signal })
    const staying = source.read({ offset: 1_000_000, length: 10 })
    setTimeout(() => controller.abort(new Error('gone')), 20)
    await assert.rejects(leaving, /gone/)
    assert.deepEqual(await staying, FILE.subarray(1_000_000, 1_000_010))
    assert.equal(origin.requests.length, 1)
  })

  test('a fetch that all readers have left is aborted, and does not stand in the way of the next', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a', FILE)
    const { source } = forParsing(await sources.open(origin.url('a')), BUDGET)
    origin.fault({ kind: 'stall' }, 1)
    const controller = new AbortController()
    const leaving = source.read({ offset: 1_000_000, length: 10 }, { signal: controller.signal })
    await new Promise((resolve) => setTimeout(resolve, 30))
    controller.abort(new Error('gone'))
    const next = source.read({ offset: 1_000_000, length: 10 })
    await assert.rejects(leaving, /gone/)
    assert.deepEqual(await next, FILE.subarray(1_000_000, 1_000_010))
  })

  test('signals are let go of when a read is over', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a', FILE)
    const source = await sources.open(origin.url('a'))
    const { signal } = new AbortController()
    let listeners = 0
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--
      remove(...args)
    }
    await source.read({ offset: 100_000, length: 10 }, { signal })
    await drain(await source.feed({ offset: 0, length: 1_000_000 }, { signal }))
    assert.equal(listeners, 0)
  })
})

async function freed(sockets: ReadonlySet<unknown>): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.equal(sockets.size, 0)
}
