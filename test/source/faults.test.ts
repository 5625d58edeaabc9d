import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { ByteRange } from '../../src/bytes/byte-range.ts'
import type { Source, Sources } from '../../src/source/source.ts'
import type { Fault, Origin } from '../helpers/origin.ts'
import { drain, failure, openWorld, patterned, QUICK, sha256 } from './world.ts'

const FILE = patterned(2_000_000)
const SMALL: ByteRange = { offset: 300_001, length: 100_000 }
const LARGE: ByteRange = { offset: 300_001, length: 1_200_000 }
const HARMLESS_ONCE: readonly (readonly [string, Fault])[] = [
  ...[500, 502, 503, 504, 429].map((status) => [`status ${status}`, { kind: 'status', status }] as const),
  ['503 with Retry-After', { kind: 'status', status: 503, headers: { 'retry-after': '0' } }],
  ['a reset before the headers', { kind: 'reset' }],
  ['a reset in the body', { kind: 'cut', after: 50_000, how: 'reset' }],
  ['an end in the body', { kind: 'cut', after: 50_000, how: 'close' }],
  ['stalled headers', { kind: 'stall' }],
  ['a stalled body', { kind: 'stall', after: 1_000 }],
  ['one byte at a time', { kind: 'drip', everyMs: 50 }],
  ['a shifted Content-Range', { kind: 'content-range', value: 'bytes 300000-399999/2000000' }],
  ['another total', { kind: 'content-range', value: 'bytes 300001-400000/2000001' }],
  ['no Content-Range', { kind: 'content-range', value: undefined }],
  ['a senseless Content-Range', { kind: 'content-range', value: 'bytes 9-1/zz' }],
  ['the whole file', { kind: 'whole' }],
  ['status 200 with the right Content-Range', { kind: 'status-200' }],
  ['several parts', { kind: 'multipart' }],
  ['a gzip coding', { kind: 'gzip' }],
  ['an HTML page', { kind: 'html' }],
  ['a body without length', { kind: 'chunked' }],
  ['a connection closed after the answer', { kind: 'hang-up' }],
  ['a body shorter than announced', { kind: 'length', announced: 100_000, sent: 99_999 }],
  ['a body longer than announced', { kind: 'length', announced: 100_001, sent: 100_001 }],
]

async function readBoth(source: Source, range: ByteRange): Promise<void> {
  const expected = sha256(FILE.subarray(range.offset, range.offset + range.length))
  assert.equal(sha256(await source.read(range)), expected)
}

describe('faults 1, 3-12, 18, 20: a fault that comes once is invisible', { concurrency: 8 }, () => {
  for (const [name, fault] of HARMLESS_ONCE) {
    test(`${name}, once, costs no byte of a read`, async (t) => {
      const { origin, sources } = await openWorld(t)
      origin.put('a.bin', FILE)
      const source = await sources.open(origin.url('a.bin'))
      origin.fault(fault, 1)
      await readBoth(source, SMALL)
      await readBoth(source, { offset: 0, length: 70_000 })
    })
  }

  for (const [name, fault] of HARMLESS_ONCE) {
    test(`${name}, once, costs no byte of a feed`, async (t) => {
      const { origin, sources } = await openWorld(t)
      origin.put('a.bin', FILE)
      const source = await sources.open(origin.url('a.bin'))
      origin.fault(fault.kind === 'length' ? { kind: 'cut', after: 700_000, how: 'close' } : fault, 1)
      const bytes = await drain(await source.feed(LARGE))
      assert.equal(sha256(bytes), sha256(FILE.subarray(LARGE.offset, LARGE.offset + LARGE.length)))
    })
  }

  for (const [name, fault] of HARMLESS_ONCE) {
    if (fault.kind === 'length' || fault.kind === 'content-range') continue
    test(`${name}, once, is invisible when the source is opened`, async (t) => {
      const { origin, sources } = await openWorld(t)
      origin.put('a.bin', FILE)
      origin.fault(fault, 1)
      const source = await sources.open(origin.url('a.bin'))
      assert.equal(source.size, FILE.length)
      await readBoth(source, { offset: 10, length: 1_000 })
      await readBoth(source, SMALL)
    })
  }

  test('connections that are reset as soon as they are made are made again', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a.bin', FILE)
    origin.refusals = 2
    const source = await sources.open(origin.url('a.bin'))
    assert.equal(source.size, FILE.length)
  })

  test('a feed that breaks off goes on from the byte it had reached', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a.bin', FILE)
    const source = await sources.open(origin.url('a.bin'))
    origin.forget()
    origin.fault({ kind: 'cut', after: 600_000, how: 'close' }, 1)
    assert.equal((await drain(await source.feed(LARGE))).length, LARGE.length)
    assert.equal(origin.requests.length, 2)
    assert.equal(origin.requests[1]?.headers['range'], `bytes=${300_001 + 600_000}-1500000`)
  })
})

describe('faults 2-12: a fault that stays is its own error, in time', { concurrency: 8 }, () => {
  const cases: readonly (readonly [string, Fault, string])[] = [
    ...[500, 502, 503, 504, 429].map(
      (status) => [`status ${status}`, { kind: 'status', status }, 'source-unavailable'] as const,
    ),
    ['status 404', { kind: 'status', status: 404 }, 'source-not-found'],
    ['status 410', { kind: 'status', status: 410 }, 'source-not-found'],
    ['status 401', { kind: 'status', status: 401 }, 'source-denied'],
    ['status 403', { kind: 'status', status: 403 }, 'source-denied'],
    ['status 400', { kind: 'status', status: 400 }, 'source-unavailable'],
    ['status 204', { kind: 'status', status: 204 }, 'source-unavailable'],
    ['a reset', { kind: 'reset' }, 'source-unavailable'],
    ['an end in the body', { kind: 'cut', after: 5, how: 'close' }, 'source-unavailable'],
    ['a reset in the body', { kind: 'cut', after: 5, how: 'reset' }, 'source-unavailable'],
    ['one byte at a time', { kind: 'drip', everyMs: 50 }, 'source-timeout'],
    ['stalled headers', { kind: 'stall' }, 'source-timeout'],
    ['a stalled body', { kind: 'stall', after: 7 }, 'source-timeout'],
    ['a shifted range', { kind: 'content-range', value: 'bytes 300002-400001/2000000' }, 'source-unavailable'],
    ['a shorter range', { kind: 'content-range', value: 'bytes 300001-300002/2000000' }, 'source-unavailable'],
    ['another total', { kind: 'content-range', value: 'bytes 300001-400000/9999999' }, 'source-unavailable'],
    ['no Content-Range', { kind: 'content-range', value: undefined }, 'source-unavailable'],
    ['several parts', { kind: 'multipart' }, 'source-unavailable'],
    ['a gzip coding', { kind: 'gzip' }, 'source-unavailable'],
    ['an HTML page', { kind: 'html' }, 'source-unavailable'],
  ]
  for (const [name, fault, code] of cases) {
    test(`${name}, for ever, is ${code} for a read, a feed and an opening`, async (t) => {
      const { origin, sources } = await openWorld(t)
      origin.put('a.bin', FILE)
      const source = await sources.open(origin.url('a.bin'))
      origin.fault(fault)
      await assert.rejects(source.read(SMALL), failure(code))
      await assert.rejects(source.feed(LARGE).then(drain), failure(code))
      if (fault.kind !== 'content-range') await assert.rejects(sources.open(origin.url('a.bin')), failure(code))
      await settled(() => origin.sockets.size === 0 || fault.kind === 'status' || fault.kind === 'html')
    })
  }

  test('what the origin asks for with 429 and 503 is passed on', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.fault({ kind: 'status', status: 429, headers: { 'retry-after': '17' } })
    await assert.rejects(sources.open(origin.url('a.bin')), (error: { context: { retryAfterSeconds: number } }) => {
      assert.equal(error.context.retryAfterSeconds, 17)
      return true
    })
  })

  test('an unreachable port is source-unavailable', async (t) => {
    const { origin, sources } = await openWorld(t)
    const url = origin.url('a.bin')
    await origin.close()
    await assert.rejects(sources.open(url), failure('source-unavailable'))
    await origin.start()
  })
})

describe('faults 5 and 6: an origin that falls silent', { concurrency: 8 }, () => {
  const { headersMs, slowHeadersMs, bodyWindowMs, stalledMs } = QUICK.deadlines
  /** Once silence has lasted for `stalledMs`, no further attempt is made: the last one may have begun just before. */
  const MAX_ATTEMPTS = Math.ceil(stalledMs / Math.min(headersMs, bodyWindowMs)) + 1
  const silences: readonly (readonly [string, Fault])[] = [
    ['before its headers', { kind: 'stall' }],
    ['behind its headers', { kind: 'stall', after: 0 }],
    ['in the middle of a body', { kind: 'stall', after: 70_000 }],
    ['but for a byte now and then', { kind: 'drip', everyMs: 50 }],
  ]
  const kinds: Readonly<Record<string, (origin: Origin, sources: Sources, opened: Source) => Promise<unknown>>> = {
    read: (_origin, _sources, source) => source.read(SMALL),
    feed: (_origin, _sources, source) => source.feed(LARGE).then(drain),
    opening: (origin, sources) => sources.open(origin.url('a.bin')),
    object: async (origin, sources) => {
      const object = await sources.object(origin.url('a.bin'))
      return await object?.feed(LARGE).then(drain)
    },
    reference: (origin, sources) => sources.reference(origin.url('a.bin'), origin.base).read(SMALL),
  }
  for (const [place, fault] of silences) {
    for (const [kind, task] of Object.entries(kinds)) {
      // What opening asks for is shorter than that.
      const silence = kind === 'opening' && 'after' in fault ? { ...fault, after: Math.min(fault.after, 100) } : fault
      const world = async (t: TestContext) => {
        // More attempts than there is time for: it is the deadline that ends them.
        const { origin, sources } = await openWorld(t, { retry: { attempts: 40, baseDelayMs: 5 } })
        origin.put('a.bin', { bytes: FILE, lastModified: 'Mon, 01 Jan 2024 00:00:00 GMT' })
        const source = await sources.open(origin.url('a.bin'))
        source.settle?.()
        origin.forget()
        /** How many requests the task made until it ended as it should. */
        return async (times: number, ended: (work: Promise<unknown>) => Promise<unknown>) => {
          origin.fault(silence, times)
          await ended(task(origin, sources, source))
          return origin.requests.length
        }
      }

      test(`${place}, for ever, is a timeout within the deadline: ${kind}`, async (t) => {
        const run = await world(t)
        const requests = await run(Number.POSITIVE_INFINITY, (work) => assert.rejects(work, failure('source-timeout')))
        assert.ok(requests <= MAX_ATTEMPTS, `${requests} requests`)
      })

      test(`${place}, once, costs one stall: ${kind}`, async (t) => {
        const run = await world(t)
        const requests = await run(1, (work) => work)
        assert.equal(requests, 2)
      })
    }
  }

  test('behind its headers, where the head is compared meanwhile, is a timeout within the deadline as well', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a.bin', { bytes: FILE, etag: 'W/"a"' })
    const source = await sources.open(origin.url('a.bin'))
    source.settle?.()
    const range = `bytes=${LARGE.offset}-${LARGE.offset + LARGE.length - 1}`
    origin.faultOf = ({ headers }) => (headers['range'] === range ? { kind: 'stall', after: 0 } : undefined)
    origin.forget()
    await assert.rejects(source.feed(LARGE).then(drain), failure('source-timeout'))
    const attempts = origin.requests.filter(({ headers }) => headers['range'] === range)
    assert.ok(attempts.length <= MAX_ATTEMPTS, `${attempts.length} attempts`)
  })

  test('a slow origin, whose first answer came too late, has more time for the next ones', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a.bin', FILE)
    origin.latencyMs = (headersMs + slowHeadersMs) / 2
    const source = await sources.open(origin.url('a.bin'))
    origin.forget()
    await readBoth(source, SMALL)
    assert.equal(origin.requests.length, 1)
  })

  test('a reader that rests is no origin that is silent', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a.bin', FILE)
    const feed = await (await sources.open(origin.url('a.bin'))).feed({ offset: 0, length: FILE.length })
    await new Promise((resolve) => setTimeout(resolve, 3 * bodyWindowMs))
    assert.equal((await drain(feed)).length, FILE.length)
  })
})

describe('faults 8 and 19: origins without ranges', () => {
  test('a range that is ignored for ever is served from the whole file, which is read once', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a.bin', { bytes: FILE, etag: '"v1"', ranges: false })
    const source = await sources.open(origin.url('a.bin'))
    await readBoth(source, SMALL)
    const bytes = await drain(await source.feed(LARGE))
    assert.equal(sha256(bytes), sha256(FILE.subarray(LARGE.offset, LARGE.offset + LARGE.length)))
    assert.equal(origin.requests.length, 1)
  })

  test('a file over the limit is refused, and no more than the limit is read', async (t) => {
    const { origin, sources } = await openWorld(t, { maxWholeBytes: 500_000 })
    origin.put('a.bin', { bytes: FILE, etag: '"v1"', ranges: false })
    await assert.rejects(sources.open(origin.url('a.bin')), failure('source-unavailable'))
    assert.equal(origin.requests.length, 1)
  })

  test('a body without length over the limit is refused', async (t) => {
    const { origin, sources } = await openWorld(t, { maxWholeBytes: 500_000 })
    origin.put('a.bin', { bytes: FILE, etag: '"v1"', ranges: false })
    origin.fault({ kind: 'chunked' })
    await assert.rejects(sources.open(origin.url('a.bin')), failure('source-unavailable'))
  })

  test('an origin that stops doing ranges is read whole, under the limit', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a.bin', FILE)
    const source = await sources.open(origin.url('a.bin'))
    origin.fault({ kind: 'whole' })
    await readBoth(source, SMALL)
  })

  test('an origin that stops doing ranges is refused over the limit', async (t) => {
    const { origin, sources } = await openWorld(t, { maxWholeBytes: 500_000 })
    origin.put('a.bin', FILE)
    const source = await sources.open(origin.url('a.bin'))
    origin.fault({ kind: 'whole' })
    await assert.rejects(source.read(SMALL), failure('source-unavailable'))
  })

  test('an empty file has size 0 and no bytes', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a.bin', new Uint8Array(0))
    const source = await sources.open(origin.url('a.bin'))
    assert.equal(source.size, 0)
    assert.equal((await source.read({ offset: 0, length: 0 })).length, 0)
    await assert.rejects(source.read({ offset: 0, length: 1 }), failure('malformed-source'))
  })
})

async function settled(condition: () => boolean): Promise<void> {
  const end = performance.now() + 1_000
  while (!condition()) {
    assert.ok(performance.now() < end, 'sockets stay open')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
