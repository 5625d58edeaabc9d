import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ObjectPart } from '../../src/source/source.ts'
import { drain, failure, openWorld, patterned } from './world.ts'

const CHUNK = patterned(10_000)
const LARGE = patterned(1_000_000)

describe('whole objects', () => {
  test('an object is one GET, whose length is known before its body', async (t) => {
    const { origin, sources } = await openWorld(t)
    for (const bytes of [CHUNK, LARGE, new Uint8Array(0)]) {
      origin.put('c/0', bytes)
      origin.forget()
      const object = await sources.object(origin.url('c/0'))
      assert.equal(object?.size, bytes.length)
      assert.equal(object?.validator, '"v1"')
      assert.deepEqual(
        object === undefined ? undefined : await drain(await object.feed({ offset: 0, length: object.size })),
        new Uint8Array(bytes),
      )
      assert.equal(origin.requests.length, 1)
    }
  })

  test('only 404 and 410 say that an object does not exist', async (t) => {
    const { origin, sources } = await openWorld(t)
    for (const options of [{}, { headOnly: true }, { part: { kind: 'last', length: 5 } as const }]) {
      for (const status of [404, 410]) {
        origin.answer('c/0', status)
        assert.equal(await sources.object(origin.url('c/0'), options), undefined)
      }
      for (const [status, code] of [
        [401, 'source-denied'],
        [403, 'source-denied'],
        [400, 'source-unavailable'],
        [500, 'source-unavailable'],
        [503, 'source-unavailable'],
        [204, 'source-unavailable'],
      ] as const) {
        origin.answer('c/0', status)
        await assert.rejects(sources.object(origin.url('c/0'), options), failure(code), `${status}`)
      }
    }
  })

  test('what is no chunk never becomes one: a page, a coding, several parts', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('c/0', CHUNK)
    for (const kind of ['html', 'gzip', 'multipart'] as const) {
      origin.heal()
      origin.fault({ kind })
      await assert.rejects(sources.object(origin.url('c/0')), failure('source-unavailable'), kind)
    }
  })

  test('a part is asked for as a range', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('c/0', CHUNK)
    const parts: readonly (readonly [ObjectPart, number, number])[] = [
      [{ kind: 'from', offset: 100, length: 50 }, 100, 150],
      [{ kind: 'from', offset: 9_990, length: 50 }, 9_990, 10_000],
      [{ kind: 'from', offset: 9_000, length: undefined }, 9_000, 10_000],
      [{ kind: 'last', length: 30 }, 9_970, 10_000],
      [{ kind: 'last', length: 30_000 }, 0, 10_000],
      [{ kind: 'from', offset: 10_000, length: 5 }, 10_000, 10_000],
      [{ kind: 'from', offset: 20_000, length: undefined }, 10_000, 10_000],
    ]
    for (const ranges of [true, false]) {
      origin.put('c/0', { bytes: CHUNK, etag: '"v1"', ranges })
      for (const [part, start, end] of parts) {
        const object = await sources.object(origin.url('c/0'), { part })
        assert.ok(object)
        assert.equal(object.size, 10_000)
        origin.forget()
        assert.deepEqual(
          new Uint8Array(await object.read({ offset: start, length: end - start })),
          CHUNK.slice(start, end),
        )
        assert.equal(origin.requests.length, 0, 'its first answer brought them')
      }
    }
  })

  test('a part that is not the one asked for is refused', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('c/0', CHUNK)
    origin.fault({ kind: 'content-range', value: 'bytes 101-150/10000' })
    await assert.rejects(
      sources.object(origin.url('c/0'), { part: { kind: 'from', offset: 100, length: 50 } }),
      failure('source-unavailable'),
    )
  })

  test('the head of an object is a HEAD, or its first byte where HEAD is refused', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('c/0', CHUNK)
    const object = await sources.object(origin.url('c/0'), { headOnly: true })
    assert.deepEqual([object?.size, origin.requests[0]?.method], [10_000, 'HEAD'])
    for (const status of [405, 501]) {
      origin.forget()
      origin.fault({ kind: 'status', status }, 1)
      const again = await sources.object(origin.url('c/0'), { headOnly: true })
      assert.equal(again?.size, 10_000)
      assert.deepEqual(
        origin.requests.map(({ method }) => method),
        ['HEAD', 'GET'],
      )
    }
  })

  test('an object without announced length is read before it is handed over', async (t) => {
    const { origin, sources } = await openWorld(t, { maxWholeBytes: 500_000 })
    origin.put('c/0', CHUNK)
    origin.put('c/1', LARGE)
    origin.fault({ kind: 'chunked' })
    assert.equal((await sources.object(origin.url('c/0')))?.size, 10_000)
    await assert.rejects(sources.object(origin.url('c/1')), failure('source-unavailable'))
  })

  test('one fault is invisible, also in the middle of a large body', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('c/0', LARGE)
    for (const fault of [
      { kind: 'status', status: 500 },
      { kind: 'reset' },
      { kind: 'cut', after: 400_000, how: 'reset' },
      { kind: 'cut', after: 400_000, how: 'close' },
      { kind: 'stall', after: 400_000 },
    ] as const) {
      origin.fault(fault, 1)
      const object = await sources.object(origin.url('c/0'))
      assert.deepEqual(
        object === undefined ? undefined : await drain(await object.feed({ offset: 0, length: object.size })),
        LARGE,
      )
    }
  })

  test('a large body that breaks off is never continued with another version, or without one', async (t) => {
    const { origin, sources } = await openWorld(t)
    for (const [before, after] of [
      ['"a"', '"b"'],
      [undefined, undefined],
    ]) {
      origin.put('c/0', { bytes: LARGE, ifMatch: false, ...(before === undefined ? {} : { etag: before }) })
      origin.fault({ kind: 'cut', after: 400_000, how: 'close' }, 1)
      const object = await sources.object(origin.url('c/0'))
      origin.put('c/0', { bytes: patterned(1_000_000, 9), ...(after === undefined ? {} : { etag: after }) })
      await assert.rejects(
        object === undefined ? Promise.resolve() : object.feed({ offset: 0, length: object.size }).then(drain),
        { name: 'VirtualZarrError' },
      )
    }
  })
})
