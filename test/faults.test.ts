import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type Behaviour, type FaultOrigin, startFaultOrigin } from './corpus/fault-origin.ts'
import { writeNetcdf3 } from './corpus/netcdf3-writer.ts'
import { startService, storeUrl, type TestService } from './corpus/service.ts'
import { assertProblem, get, type Reply } from './corpus/store-client.ts'

/** 50 MB in one variable, whose chunks lie far beyond the head that opening reads. */
const FILE = writeNetcdf3([{ name: 'field', shape: [50, 512, 512] }])
/** The same shape with other values. */
const REPLACEMENT = writeNetcdf3([
  { name: 'other', shape: [1] },
  { name: 'field', shape: [50, 512, 512] },
])
/** What one chunk request may take whatever its origin does, given `DEADLINES`. */
const DEADLINE_MILLISECONDS = 4000
const DEADLINES = { connectMs: 500, headersMs: 700, bodyWindowMs: 500, minBytesPerSecond: 1024, totalMs: 2500 }
const HTML = new TextEncoder().encode('<!DOCTYPE html><title>Log in</title><form></form>')

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

describe('faults of the origin, on a source of 50 MB', () => {
  let origin: FaultOrigin
  let service: TestService
  let store: string
  let expected: string
  let name = 0

  before(async () => {
    origin = await startFaultOrigin(FILE.bytes)
    service = await startService({ allowSources: [origin.url], deadlines: DEADLINES })
  })
  after(async () => {
    await service?.close()
    await origin?.close()
  })
  beforeEach(async () => {
    origin.replace(FILE.bytes, '"v1"')
    origin.behave(() => ({}))
    store = storeUrl(service, `${origin.url}file-${name++}.nc`)
    assert.equal((await get(`${store}zarr.json`)).status, 200)
    const chunk = await get(`${store}field/c/1/0/0`)
    assert.equal(chunk.status, 200)
    expected = hash(chunk.bytes)
  })

  async function chunkOf(): Promise<Reply> {
    return await get(`${store}field/c/1/0/0`)
  }

  const transient: Readonly<Record<string, Behaviour>> = {
    'a 500': { status: 500 },
    'a 502': { status: 502 },
    'a 503': { status: 503, headers: { 'retry-after': '0' } },
    'a 504': { status: 504 },
    'a 429': { status: 429, headers: { 'retry-after': '0' } },
    'a reset before the head': { cut: { after: -1, how: 'reset' } },
    'a close before the head': { cut: { after: -1, how: 'end' } },
    'a reset in the body': { cut: { after: 100_000, how: 'reset' } },
    'a body that ends early': { cut: { after: 100_000, how: 'end' } },
    'a silence': { stall: true },
    'a whole file instead of the range': { status: 200, body: FILE.bytes },
  }
  for (const [fault, behaviour] of Object.entries(transient)) {
    test(`${fault}, once, is invisible: 200 and the right bytes`, async () => {
      origin.behave(({ index }) => (index === 0 ? behaviour : {}))
      const chunk = await chunkOf()
      assert.equal(chunk.status, 200)
      assert.equal(hash(chunk.bytes), expected)
    })
  }

  const lasting: readonly (readonly [string, Behaviour, readonly number[]])[] = [
    ['500', { status: 500 }, [502]],
    ['503', { status: 503, headers: { 'retry-after': '7' } }, [503]],
    ['429', { status: 429, headers: { 'retry-after': '7' } }, [503]],
    ['401', { status: 401 }, [502]],
    ['403', { status: 403 }, [502]],
    ['404', { status: 404 }, [502]],
    ['410', { status: 410 }, [502]],
    ['resets', { cut: { after: -1, how: 'reset' } }, [502]],
    ['silence', { stall: true }, [504]],
    ['a Content-Range that is shifted', { headers: { 'content-range': 'bytes 0-9/52428800' } }, [502]],
    ['a 206 without Content-Range', { without: ['content-range'] }, [502]],
    ['an HTML page with 200', { status: 200, body: HTML, headers: { 'content-type': 'text/html' } }, [409, 502]],
    ['a 206 with an HTML page', { body: HTML }, [502]],
    ['a multipart answer', { headers: { 'content-type': 'multipart/byteranges; boundary=x' } }, [502]],
    ['a gzip-coded range', { headers: { 'content-encoding': 'gzip' } }, [502]],
    ['another ETag', { headers: { etag: '"v2"' } }, [409]],
  ]
  for (const [fault, behaviour, statuses] of lasting) {
    test(`${fault} for ever is ${statuses.join(' or ')} within the deadline, never bytes`, async () => {
      origin.behave(() => behaviour)
      const chunk = await chunkOf()
      assertProblem(chunk, statuses, fault)
      assert.ok(chunk.milliseconds < DEADLINE_MILLISECONDS, `took ${chunk.milliseconds} ms`)
      if (chunk.status === 503) assert.ok(Number(chunk.headers.get('retry-after')) > 0, 'says when to come back')
    })
  }

  test('another total in Content-Range is 409: the source is another version', async () => {
    origin.behave(({ first }) => ({ headers: { 'content-range': `bytes ${first}-${first + 10}/99999999` } }))
    assertProblem(await chunkOf(), [409, 502], 'another total')
  })

  for (const how of ['end', 'reset'] as const) {
    test(`a body that always breaks off (${how}) never looks complete`, async () => {
      origin.behave(() => ({ cut: { after: 1000, how } }))
      const chunk = await chunkOf().catch(() => undefined)
      if (chunk !== undefined) assertProblem(chunk, [502, 504], how)
    })
  }

  test('a source replaced between two chunks is 409, chunk after chunk, until its zarr.json is asked for again', async () => {
    origin.replace(REPLACEMENT.bytes, '"v2"')
    assertProblem(await chunkOf(), [409], 'the first chunk after the change')
    assertProblem(await get(`${store}field/c/2/0/0`), [409], 'the next chunk')
    assert.equal((await get(`${store}zarr.json`)).status, 200)
    const chunk = await chunkOf()
    assert.equal(chunk.status, 200)
    assert.notEqual(hash(chunk.bytes), expected, 'the new version has other values')
  })

  test('a replacement of the same size and ETag but another length of the file is not mixed in', async () => {
    origin.replace(FILE.bytes.subarray(0, FILE.bytes.length - 4), '"v1"')
    assertProblem(await chunkOf(), [409, 502], 'a file cut short')
  })

  test('a warm chunk costs one request of the origin, a warm zarr.json none', async () => {
    const start = origin.requests()
    await chunkOf()
    assert.equal(origin.requests() - start, 1)
    await get(`${store}zarr.json`)
    assert.equal(origin.requests() - start, 1)
  })

  test('100 cold readers at once are one parse: at most two requests', async () => {
    const start = origin.requests()
    const cold = storeUrl(service, `${origin.url}crowd.nc`)
    const replies = await Promise.all(Array.from({ length: 100 }, () => get(`${cold}zarr.json`)))
    assert.ok(replies.every((reply) => reply.status === 200))
    assert.ok(origin.requests() - start <= 2, `${origin.requests() - start} requests`)
  })
})
