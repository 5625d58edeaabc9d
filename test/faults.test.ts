import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { writeNetcdf3 } from './corpus/netcdf3-writer.ts'
import { startService, storeUrl, type TestService } from './corpus/service.ts'
import { assertProblem, get, type Reply } from './corpus/store-client.ts'
import { type Fault, type Origin, type OriginFile, startOrigin } from './helpers/origin.ts'

/** 50 MB in one variable, whose chunks lie far beyond the head that opening reads. */
const FILE = writeNetcdf3([{ name: 'field', shape: [50, 512, 512] }]).bytes
/** The same variable with other values. */
const REPLACEMENT = writeNetcdf3([
  { name: 'other', shape: [1] },
  { name: 'field', shape: [50, 512, 512] },
]).bytes
/** What one chunk request may take whatever its origin does, given `DEADLINES`. */
const DEADLINE_MILLISECONDS = 4000
const DEADLINES = {
  connectMs: 500,
  headersMs: 700,
  slowHeadersMs: 1000,
  bodyWindowMs: 500,
  minBytesPerSecond: 1024,
  stalledMs: 1500,
  totalMs: 2500,
}

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const status = (code: number, headers = {}): Fault => ({ kind: 'status', status: code, headers })

/** Faults that pass: the client sees nothing of one of them. */
const TRANSIENT: Readonly<Record<string, Fault>> = {
  'a 500': status(500),
  'a 502': status(502),
  'a 503': status(503, { 'retry-after': '0' }),
  'a 504': status(504),
  'a 429': status(429, { 'retry-after': '0' }),
  'a reset before the head': { kind: 'reset' },
  'a reset in the body': { kind: 'cut', after: 100_000, how: 'reset' },
  'a body that ends early': { kind: 'cut', after: 100_000, how: 'close' },
  'a silence before the head': { kind: 'stall' },
  'a whole file instead of the range': { kind: 'whole' },
}

/** Faults that stay: how each is answered to the client. */
const LASTING: readonly (readonly [string, Fault, readonly number[]])[] = [
  ['500', status(500), [502]],
  ['503', status(503, { 'retry-after': '7' }), [503]],
  ['429', status(429, { 'retry-after': '7' }), [503]],
  ['401', status(401), [424]],
  ['403', status(403), [424]],
  ['404', status(404), [424]],
  ['410', status(410), [424]],
  ['204', status(204), [502]],
  ['resets', { kind: 'reset' }, [502]],
  ['silence', { kind: 'stall' }, [504]],
  ['a Content-Range that is shifted', { kind: 'content-range', value: `bytes 0-9/${FILE.length}` }, [502]],
  ['no Content-Range', { kind: 'content-range', value: undefined }, [502]],
  ['an HTML page with 200', { kind: 'html' }, [502]],
  ['a multipart answer', { kind: 'multipart' }, [502]],
  ['a gzip-coded range', { kind: 'gzip' }, [502]],
]

describe('faults of the origin, on a source of 50 MB', () => {
  let origin: Origin
  let service: TestService
  let store: string
  let file: string
  let expected: string
  let count = 0

  before(async () => {
    origin = await startOrigin()
    service = await startService({ allowSources: [origin.base], deadlines: DEADLINES })
  })
  after(async () => {
    await service?.close()
    await origin?.close()
  })
  beforeEach(async () => {
    origin.heal()
    file = `file-${count++}.nc`
    origin.put(file, FILE)
    store = storeUrl(service, origin.url(file))
    assert.equal((await get(`${store}zarr.json`)).status, 200)
    const chunk = await readChunk()
    assert.equal(chunk.status, 200)
    expected = hash(chunk.bytes)
    origin.forget()
  })

  async function readChunk(): Promise<Reply> {
    return await get(`${store}field/c/1/0/0`)
  }

  for (const [name, fault] of Object.entries(TRANSIENT)) {
    test(`${name}, once, is invisible: 200 and the right bytes`, async () => {
      origin.fault(fault, 1)
      const chunk = await readChunk()
      assert.equal(chunk.status, 200)
      assert.equal(hash(chunk.bytes), expected)
    })
  }

  for (const [name, fault, statuses] of LASTING) {
    test(`${name} for ever is ${statuses.join(' or ')} within the deadline, never bytes`, async () => {
      origin.fault(fault)
      const chunk = await readChunk()
      assertProblem(chunk, statuses, name)
      assert.ok(chunk.milliseconds < DEADLINE_MILLISECONDS, `took ${chunk.milliseconds} ms`)
      if (chunk.status === 503) assert.ok(Number(chunk.headers.get('retry-after')) > 0, 'says when to come back')
    })
  }

  test('whole files instead of ranges, for ever, are the right bytes: the file is under the limit', async () => {
    origin.fault({ kind: 'whole' })
    const chunk = await readChunk()
    assert.equal(chunk.status, 200)
    assert.equal(hash(chunk.bytes), expected)
  })

  test('another total in Content-Range, under the same ETag, is 502: the origin contradicts itself', async () => {
    await readChunk()
    const asked = (origin.requests.at(-1)?.headers['range'] ?? '').replace(/^bytes=/, 'bytes ')
    origin.fault({ kind: 'content-range', value: `${asked}/99999999` })
    assertProblem(await readChunk(), [502], 'another total')
  })

  for (const how of ['close', 'reset'] as const) {
    test(`a body that always breaks off (${how}) never looks complete`, async () => {
      origin.fault({ kind: 'cut', after: 1000, how })
      const chunk = await readChunk().catch(() => undefined)
      if (chunk !== undefined) assertProblem(chunk, [502, 504], how)
    })
  }

  const replacements: Readonly<Record<string, { readonly before: OriginFile; readonly after: OriginFile }>> = {
    'another ETag': { before: { bytes: FILE, etag: '"v1"' }, after: { bytes: REPLACEMENT, etag: '"v2"' } },
    'another ETag, If-Match ignored': {
      before: { bytes: FILE, etag: '"v1"' },
      after: { bytes: REPLACEMENT, etag: '"v2"', ifMatch: false },
    },
    'another date': {
      before: { bytes: FILE, lastModified: 'Mon, 01 Jan 2024 00:00:00 GMT' },
      after: { bytes: REPLACEMENT, lastModified: 'Tue, 02 Jan 2024 00:00:00 GMT' },
    },
    'another length, the only thing that tells': { before: { bytes: FILE }, after: { bytes: REPLACEMENT } },
  }
  for (const [name, version] of Object.entries(replacements)) {
    test(`a source replaced between two chunks (${name}) is 409 until its zarr.json is asked for again`, async () => {
      const path = `replaced-${count}.nc`
      origin.put(path, version.before)
      const url = storeUrl(service, origin.url(path))
      assert.equal((await get(`${url}zarr.json`)).status, 200)
      const first = await get(`${url}field/c/1/0/0`)
      assert.equal(first.status, 200)
      origin.put(path, version.after)
      assertProblem(await get(`${url}field/c/1/0/0`), [409], 'the first chunk after the change')
      assertProblem(await get(`${url}field/c/2/0/0`), [409], 'the next chunk')
      assert.equal((await get(`${url}zarr.json`)).status, 200)
      const chunk = await get(`${url}field/c/1/0/0`)
      assert.equal(chunk.status, 200)
      assert.notEqual(hash(chunk.bytes), hash(first.bytes), 'the new version has other values')
    })
  }

  test('GEN-3: a warm chunk costs one request of the origin, a warm zarr.json none', async () => {
    await readChunk()
    assert.equal(origin.requests.length, 1)
    await get(`${store}zarr.json`)
    assert.equal(origin.requests.length, 1)
  })

  test('100 cold readers at once are one parse: at most two requests', async () => {
    origin.put('crowd.nc', FILE)
    const cold = `${storeUrl(service, origin.url('crowd.nc'))}zarr.json`
    const replies = await Promise.all(Array.from({ length: 100 }, () => get(cold)))
    assert.ok(replies.every((reply) => reply.status === 200))
    assert.ok(origin.requests.length <= 2, `${origin.requests.length} requests`)
  })
})

test('metadata that takes longer than opening may is 504, not a failure of the server', async () => {
  const origin = await startOrigin()
  const service = await startService({ allowSources: [origin.base], deadlines: DEADLINES, openingMs: 300 })
  try {
    origin.put('a.nc', FILE)
    origin.fault({ kind: 'stall', after: 100 })
    assertProblem(await get(`${storeUrl(service, origin.url('a.nc'))}zarr.json`), [504], 'a stall in the head')
  } finally {
    await service.close()
    await origin.close()
  }
})
