import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OriginFile } from '../helpers/origin.ts'
import { drain, failure, openWorld, patterned } from './world.ts'

const OLD = patterned(1_000_000, 1)
const NEW = patterned(1_000_000, 2)
const PART = { offset: 500_000, length: 1_000 }
const LARGE = { offset: 100_000, length: 800_000 }
const MONDAY = 'Mon, 05 Jan 2026 10:00:00 GMT'
const TUESDAY = 'Tue, 06 Jan 2026 10:00:00 GMT'

type Told = Omit<OriginFile, 'bytes'>

describe('fault 13: a source that is replaced is never mixed', { concurrency: 8 }, () => {
  const cases: readonly (readonly [string, Told, Told, Uint8Array])[] = [
    ['same size, new ETag', { etag: '"a"' }, { etag: '"b"' }, NEW],
    ['same size, new ETag, If-Match ignored', { etag: '"a"', ifMatch: false }, { etag: '"b"', ifMatch: false }, NEW],
    [
      'same ETag, new Last-Modified',
      { etag: '"a"', lastModified: MONDAY },
      { etag: '"a"', lastModified: TUESDAY },
      NEW,
    ],
    ['new Last-Modified', { lastModified: MONDAY }, { lastModified: TUESDAY }, NEW],
    ['same Last-Modified, new size', { lastModified: MONDAY }, { lastModified: MONDAY }, NEW.subarray(0, 999_999)],
    ['new size, no validator', {}, {}, NEW.subarray(0, 999_999)],
    ['much shorter, no validator', {}, {}, NEW.subarray(0, 100)],
    ['a new weak ETag', { etag: 'W/"a"' }, { etag: 'W/"b"' }, NEW],
    ['the same weak ETag', { etag: 'W/"a"' }, { etag: 'W/"a"' }, NEW],
    ['weak ETag and new Last-Modified', { etag: 'W/"a"', lastModified: MONDAY }, { lastModified: TUESDAY }, NEW],
    ['no validator', {}, {}, NEW],
    ['a validator where there was none', {}, { etag: '"a"' }, NEW],
    ['new ETag, ranges ignored', { etag: '"a"' }, { etag: '"b"', ranges: false }, NEW],
    ['no validator, ranges ignored', {}, { ranges: false }, NEW],
  ]
  for (const [name, before, after, bytes] of cases) {
    test(`${name}: reads and feeds are source-changed, and it is not fresh`, async (t) => {
      const { origin, sources } = await openWorld(t)
      origin.put('a', { bytes: OLD, ...before })
      const source = await sources.open(origin.url('a'))
      assert.deepEqual(await source.read(PART), OLD.subarray(500_000, 501_000))
      assert.equal(await sources.isFresh(source), true)
      origin.put('a', { bytes, ...after })
      assert.equal(await sources.isFresh(source).catch((error) => error.code !== 'source-changed'), false)
      await assert.rejects(source.read(PART), failure('source-changed'))
      await assert.rejects(source.feed(LARGE).then(drain), failure('source-changed'))
      assert.notEqual((await sources.open(origin.url('a'))).validator, source.validator)
    })
  }

  test('a feed that breaks off does not go on with another version', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a', { bytes: OLD, etag: '"a"', ifMatch: false })
    const source = await sources.open(origin.url('a'))
    origin.fault({ kind: 'cut', after: 300_000, how: 'close' }, 1)
    const feed = await source.feed(LARGE)
    origin.put('a', { bytes: NEW, etag: '"b"', ifMatch: false })
    await assert.rejects(drain(feed), failure('source-changed'))
  })

  test('an answer that no longer tells the version never becomes bytes', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a', { bytes: OLD, etag: '"a"' })
    const source = await sources.open(origin.url('a'))
    origin.put('a', { bytes: NEW, ifMatch: false })
    await assert.rejects(source.read(PART), failure('source-unavailable'))
  })

  test('a whole file that was replaced is noticed once it is asked for again', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a', { bytes: OLD, etag: '"a"', ranges: false })
    const source = await sources.open(origin.url('a'))
    origin.put('a', { bytes: NEW, etag: '"b"', ranges: false })
    await new Promise((resolve) => setTimeout(resolve, 2_100))
    await assert.rejects(source.read(PART), failure('source-changed'))
  })

  test('a whole file without validators is compared as a whole when it is read again', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a', { bytes: OLD, ranges: false })
    const source = await sources.open(origin.url('a'))
    const changed = new Uint8Array(OLD)
    changed[900_000] = 1 + (OLD[900_000] ?? 0)
    origin.put('a', { bytes: changed, ranges: false })
    await new Promise((resolve) => setTimeout(resolve, 2_100))
    await assert.rejects(source.read(PART), failure('source-changed'))
  })

  test('an empty file without validators is fresh as long as it is empty', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a', { bytes: new Uint8Array(0) })
    const source = await sources.open(origin.url('a'))
    assert.equal(await sources.isFresh(source), true)
    origin.put('a', { bytes: OLD })
    assert.equal(await sources.isFresh(source), false)
  })

  test('fault 16: a source that was deleted is source-not-found and not fresh', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a', OLD)
    const source = await sources.open(origin.url('a'))
    origin.remove('a')
    await assert.rejects(source.read(PART), failure('source-not-found'))
    assert.equal(await sources.isFresh(source), false)
  })
})

describe('which version a source is', () => {
  test('a strong ETag (with its date) names it, else date or a hash of the head, weak tag and size', async (t) => {
    const { origin, sources } = await openWorld(t)
    const validatorOf = async (told: Told, bytes = OLD) => {
      origin.put('a', { bytes, ...told })
      return (await sources.open(origin.url('a'))).validator
    }
    assert.equal(await validatorOf({ etag: '"a"' }), '"a"')
    assert.equal(await validatorOf({ etag: '"a"', lastModified: MONDAY }), `"a"; ${MONDAY}`)
    assert.equal(await validatorOf({ etag: 'W/"a"', lastModified: MONDAY }), `${MONDAY}; W/"a"; 1000000 bytes`)
    assert.notEqual(await validatorOf({ etag: 'W/"a"' }), await validatorOf({ etag: 'W/"b"' }))
    assert.notEqual(await validatorOf({}), await validatorOf({}, NEW))
  })

  test('every read is pinned by If-Match where there is a strong ETag', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a', { bytes: OLD, etag: '"a"' })
    const source = await sources.open(origin.url('a'))
    await source.read(PART)
    assert.equal(origin.requests.at(-1)?.headers['if-match'], '"a"')
  })

  test('an origin that refuses every If-Match is asked without it from then on', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a', { bytes: OLD, etag: '"a"', ifMatch: 'refused' })
    const source = await sources.open(origin.url('a'))
    origin.forget()
    assert.deepEqual(await source.read(PART), OLD.subarray(500_000, 501_000))
    assert.equal(origin.requests.length, 2)
    await source.read(PART)
    assert.equal(origin.requests.length, 3)
  })

  test('freshness is one conditional request without content', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a', { bytes: OLD, etag: '"a"' })
    const source = await sources.open(origin.url('a'))
    origin.forget()
    assert.equal(await sources.isFresh(source), true)
    assert.equal(origin.requests.length, 1)
    assert.equal(origin.bytesSent, 0)
  })

  test('freshness is known from an origin that ignores conditions', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a', { bytes: OLD, lastModified: MONDAY, conditional: false })
    const source = await sources.open(origin.url('a'))
    assert.equal(await sources.isFresh(source), true)
    origin.put('a', { bytes: OLD, lastModified: TUESDAY, conditional: false })
    assert.equal(await sources.isFresh(source), false)
  })

  test('an origin that fails is no answer about freshness', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a', OLD)
    const source = await sources.open(origin.url('a'))
    origin.fault({ kind: 'status', status: 500 })
    await assert.rejects(sources.isFresh(source), failure('source-unavailable'))
  })

  test('the compression of a .gz file may be announced as its coding', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.put('a.fits.gz', { bytes: OLD, etag: '"a"', headers: { 'content-encoding': 'x-gzip' } })
    const source = await sources.open(origin.url('a.fits.gz'))
    assert.deepEqual(await source.read(PART), OLD.subarray(500_000, 501_000))
    origin.put('a.fits', { bytes: OLD, etag: '"a"', headers: { 'content-encoding': 'gzip' } })
    await assert.rejects(sources.open(origin.url('a.fits')), failure('source-unavailable'))
  })
})
