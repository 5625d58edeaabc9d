import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { processorMilliseconds } from '../helpers/processor-time.ts'
import { impatientWorld, JoinWorld, month, numbers } from './helpers.ts'

describe('sources that fail, change or are not there', () => {
  const world = new JoinWorld()
  before(async () => {
    await world.start()
    for (let n = 1; n <= 5; n++) world.put(`a${n}.nc`, month(`2000-01-0${n}`, 1, { first: 100 * n }))
  })
  after(() => world.close())
  const sources = { template: 'a{n}.nc', n: '1..5' }

  test('a source that is down costs its own chunks only, and is never read as fill', async () => {
    for (let n = 1; n <= 3; n++) world.put(`d${n}.nc`, month(`2000-01-0${n}`, 1, { first: 100 * n }))
    world.put('d4.nc', month('2000-01-04', 1, { first: 400 }))
    const store = world.join({ sources: { template: 'd{n}.nc', n: '1..4' }, along: 'time', lengths: 1 })
    await store.describe()
    world.origin.fault({ kind: 'status', status: 500 }, Number.POSITIVE_INFINITY, 'd3.nc')
    await assert.rejects(store.chunk('t', [2, 0]), { code: 'source-unavailable', message: /d3\.nc/ })
    assert((await store.chunk('t', [1, 0])) !== undefined)
    await assert.rejects(store.chunk('time', [0]), { code: 'source-unavailable' })
    world.origin.heal()
  })

  test('a source that is absent is refused, or reads as missing where the document says so', async () => {
    const gap = { template: 'a{n}.nc', n: '1..6' }
    const refused = world.join({ sources: gap, along: 'time' })
    await assert.rejects(refused.describe(), { code: 'source-not-found', message: /a6\.nc/ })
    const lengthless = world.join({ sources: gap, along: 'time', missing: 'fill' })
    await assert.rejects(lengthless.describe(), { code: 'malformed-source', message: /no lengths/ })
    const listed = { list: ['a1.nc', 'gone.nc', 'a3.nc'] }
    const store = world.join({ sources: listed, along: 'time', lengths: 1, missing: 'fill' })
    assert.deepEqual(await numbers(store, 't'), [100, 101, Number.NaN, Number.NaN, 300, 301])
    assert.deepEqual(await numbers(store, 'time'), [0, -(2 ** 63), 2])
    assert.equal((await store.document('time'))['fill_value'], -(2n ** 63n))
    const counts = { n: { dims: ['time'], type: 'int', values: [5] } } as const
    world.put('n1.nc', month('2000-01-01', 1, { variables: counts }))
    const counted = world.join({ sources: ['n1.nc', 'gone.nc'], along: 'time', lengths: 1, missing: 'fill' })
    await assert.rejects(numbers(counted, 'n'), { code: 'malformed-source', message: /source 2 .* no value of n says/ })
    const wanted = world.join({ sources: listed, along: 'time', lengths: 1 })
    await assert.rejects(wanted.chunk('t', [1, 0]), { code: 'source-not-found' })
  })

  test('VERSION-3: a source that changes is source-changed for its chunks, until the metadata is asked for', async () => {
    const world = await impatientWorld()
    for (let n = 1; n <= 5; n++) world.put(`a${n}.nc`, month(`2000-01-0${n}`, 1, { first: 100 * n }))
    const store = world.join({ sources, along: 'time', lengths: 1, check: 'none' })
    const before = (await store.describe()).parsed.version
    assert((await store.chunk('t', [3, 0])) !== undefined)
    const old = await store.chunk('t', [1, 0])
    world.put('a4.nc', month('2000-01-04', 1, { first: 7 }), '"v2"')
    await assert.rejects(store.chunk('t', [3, 0]), { code: 'source-changed' })
    await assert.rejects(store.chunk('t', [3, 0]), { code: 'source-changed' })
    assert.deepEqual(await store.chunk('t', [1, 0]), old)
    const { parsed } = await store.describe()
    assert.deepEqual((await numbers(store, 't')).slice(6, 8), [7, 8])
    assert.equal(parsed.version, before)
    await world.close()
  })

  test('a source that is a join itself is refused, one that names itself too', async () => {
    world.join({ sources: ['self.json'], along: 'time' }, 'self.json')
    await assert.rejects(world.open('self.json').describe(), {
      code: 'unsupported-feature',
      message: /is a join itself/,
    })
  })

  test('opening a join ends in time, however many sources it would read', async () => {
    const hasty = new JoinWorld()
    await hasty.start({ milliseconds: 300 })
    for (let n = 1; n <= 400; n++) hasty.put(`slow-${n}.nc`, month('2000-01-01', 1))
    hasty.origin.latencyMs = 50
    const store = hasty.join({ sources: { template: 'slow-{n}.nc', n: '1..400' }, along: 'time' })
    await assert.rejects(store.describe(), { code: 'source-timeout' })
    const asked = new Set(hasty.origin.requests.map(({ path }) => path)).size
    assert(asked < 400, `${asked} sources were asked for`)
    await hasty.close()
  })

  test('guard: a remote document names no local file, and no address that its reader may not reach', async () => {
    const local = world.join({ sources: ['a1.nc', 'file:///etc/passwd'], along: 'time' })
    await assert.rejects(local.describe(), { code: 'source-forbidden' })
    const lazy = world.join({ sources: ['a1.nc', 'http://169.254.169.254/x.nc', 'a3.nc'], along: 'time', lengths: 1 })
    await lazy.describe()
    await assert.rejects(lazy.chunk('t', [1, 0]), { code: 'source-forbidden' })
  })

  test('a hundred thousand templated sources are opened by two headers, in little time and memory', async () => {
    for (const n of ['000001', '050000', '100000'])
      world.put(`many-${n}.nc`, month('2000-01-01', 1, { first: Number(n) }))
    const small = world.join({ sources: { template: 'many-{n:06}.nc', n: '1..1' }, along: { new: 'run' } })
    await small.describe()
    const store = world.join({ sources: { template: 'many-{n:06}.nc', n: '1..100000' }, along: { new: 'run' } })
    world.origin.forget()
    const before = process.memoryUsage().heapUsed
    const start = processorMilliseconds()
    await store.describe()
    assert(processorMilliseconds() - start < 1000)
    assert(process.memoryUsage().heapUsed - before < 10_000_000, 'less than 100 bytes a source')
    assert(world.origin.requests.length <= 8, `${world.origin.requests.length} requests`)
    assert((await store.chunk('t', [49_999, 0, 0])) !== undefined)
    await assert.rejects(store.chunk('t', [49_998, 0, 0]), { code: 'source-not-found' })
  })
})
