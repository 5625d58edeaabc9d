import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { drain, failure, openWorld, patterned } from './world.ts'

const FILE = patterned(1_000_000)

describe('a file that a document named is opened by its first read', () => {
  test('one request brings size, version and the bytes; each further read is one more', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('data.bin', FILE)
    const source = sources.reference(origin.url('data.bin'), origin.url('refs.json'))
    assert.equal(origin.requests.length, 0)
    assert.deepEqual(await source.read({ offset: 500_000, length: 100 }), FILE.subarray(500_000, 500_100))
    assert.equal(origin.requests.length, 1)
    assert.equal(origin.requests[0]?.headers['range'], 'bytes=500000-500099')
    assert.deepEqual(await source.read({ offset: 0, length: 100 }), FILE.subarray(0, 100))
    assert.equal(origin.requests.length, 2)
  })

  test('a feed opens it as well', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('data.bin', FILE)
    const source = sources.reference(origin.url('data.bin'), origin.url('refs.json'))
    const feed = await source.feed({ offset: 10, length: 900_000 })
    assert.deepEqual(await drain(feed), FILE.subarray(10, 900_010))
    assert.equal(origin.requests.length, 1)
  })

  test('first reads at the same time are one request each, and all of one version', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('data.bin', FILE)
    const source = sources.reference(origin.url('data.bin'), origin.url('refs.json'))
    const reads = Array.from({ length: 20 }, (_, i) => source.read({ offset: i * 1000, length: 1000 }))
    for (const [i, bytes] of (await Promise.all(reads)).entries()) {
      assert.deepEqual(bytes, FILE.subarray(i * 1000, i * 1000 + 1000))
    }
    assert.equal(origin.requests.length, 20)
  })

  test('a file that is replaced between two reads is source-changed', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('data.bin', FILE)
    const source = sources.reference(origin.url('data.bin'), origin.url('refs.json'))
    await source.read({ offset: 0, length: 100 })
    origin.put('data.bin', { bytes: patterned(1_000_000, 2), etag: '"v2"' })
    await assert.rejects(source.read({ offset: 0, length: 100 }), failure('source-changed'))
  })

  test('a range outside the file is the fault of who named it, on the first read and on later ones', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('data.bin', FILE)
    for (const range of [
      { offset: 999_950, length: 100 },
      { offset: 2_000_000, length: 10 },
    ]) {
      const source = sources.reference(origin.url('data.bin'), origin.url('refs.json'))
      origin.forget()
      await assert.rejects(source.read(range), failure('source-unavailable'))
      await assert.rejects(source.feed(range), failure('source-unavailable'))
      assert.ok(origin.requests.length <= 2, `${origin.requests.length} requests: it is not asked again and again`)
      await source.read({ offset: 0, length: 10 })
      await assert.rejects(source.read(range), failure('source-unavailable'))
    }
  })

  test('an absent file is source-not-found, and found once it is there', async (t) => {
    const { origin, sources } = await openWorld(t)
    const source = sources.reference(origin.url('data.bin'), origin.url('refs.json'))
    await assert.rejects(source.read({ offset: 0, length: 10 }), failure('source-not-found'))
    origin.put('data.bin', FILE)
    assert.deepEqual(await source.read({ offset: 0, length: 10 }), FILE.subarray(0, 10))
  })

  test('an aborted first read does not spoil the others', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('data.bin', FILE)
    const source = sources.reference(origin.url('data.bin'), origin.url('refs.json'))
    const leaving = new AbortController()
    const left = source.read({ offset: 0, length: 10 }, { signal: leaving.signal })
    const stays = source.read({ offset: 20, length: 10 })
    leaving.abort(new Error('left'))
    await assert.rejects(left, /left/)
    assert.deepEqual(await stays, FILE.subarray(20, 30))
  })

  test('GUARD-5: no local file from a remote document, neither by range nor as a whole', async (t) => {
    const { origin, sources } = await openWorld(t, { fileRoots: ['/'] })
    assert.throws(() => sources.reference('file:///etc/hostname', origin.url('refs.json')), failure('source-forbidden'))
    const referrer = origin.url('refs.json')
    await assert.rejects(sources.object('file:///etc/hostname', { referrer }), failure('source-forbidden'))
  })
})
