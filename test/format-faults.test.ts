import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { startService, storeUrl, type TestService } from './corpus/service.ts'
import { assertProblem, get } from './corpus/store-client.ts'
import { buildTiff, greyFields } from './formats/tiff/build.ts'
import { type Fault, type Origin, startOrigin } from './helpers/origin.ts'

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
/** Where the values lie: far beyond what opening reads. */
const FAR = 400_000

interface Sample {
  readonly name: string
  readonly file: string
  /** Two versions of a file. */
  readonly versions: readonly [Uint8Array, Uint8Array]
  /** A chunk in the default output, and in the one that is decoded here. */
  readonly portable: string
  readonly raw: string
}

const FIXTURES = new URL('fixtures/hdf5/', import.meta.url)

/** The fixture, with the values of `g/b` moved to the end; the addresses are those that golden.json and h5py tell. */
function hdf5File(salt: number): Uint8Array {
  const fixture = readFileSync(new URL('old.h5', FIXTURES))
  const [from, length] = [9904n, 80n]
  const file = Buffer.alloc(FAR + Number(length), salt)
  fixture.copy(file)
  const place = Buffer.alloc(16)
  place.writeBigUInt64LE(from)
  place.writeBigUInt64LE(length, 8)
  const at = fixture.indexOf(place)
  assert.ok(at > 0, 'the layout message of g/b')
  file.writeBigUInt64LE(BigInt(FAR), at)
  // The end of the file, in a superblock of version 0.
  file.writeBigUInt64LE(BigInt(file.length), 40)
  return file
}

/** Where an image lies: a file that says so is all that is asked for. */
const PLACED = [
  { tag: 33550, type: 12, values: [10, 5, 0] },
  { tag: 33922, type: 12, values: [0, 0, 0, 500_000, 4_600_000, 0] },
  { tag: 34735, type: 3, values: [1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 32_631] },
]

function tiffFile(salt: number): Uint8Array {
  const [width, height] = [300, 300]
  const grey = greyFields(width, height, PLACED)
  const fields = grey.map((field) => (field.tag === 273 ? { ...field, values: [FAR] } : field))
  const file = Buffer.alloc(FAR + width * height, salt)
  file.set(buildTiff([{ fields }]))
  return file
}

const SAMPLES: readonly Sample[] = [
  {
    name: 'HDF5',
    file: 'sample.h5',
    versions: [hdf5File(1), hdf5File(2)],
    portable: 'g/b/c/0',
    raw: ';codecs=raw/g/b/c/0',
  },
  {
    name: 'TIFF',
    file: 'sample.tif',
    versions: [tiffFile(1), tiffFile(2)],
    portable: 'band_data/c/0/0',
    raw: ';codecs=raw/band_data/c/0/0',
  },
]

const status = (code: number, headers = {}): Fault => ({ kind: 'status', status: code, headers })

const TRANSIENT: Readonly<Record<string, Fault>> = {
  'a 500': status(500),
  'a 503': status(503, { 'retry-after': '0' }),
  'a 429': status(429, { 'retry-after': '0' }),
  'a reset before the head': { kind: 'reset' },
  'a body that ends early': { kind: 'cut', after: 40, how: 'close' },
  'a silence before the head': { kind: 'stall' },
  'a whole file instead of the range': { kind: 'whole' },
}

const LASTING: readonly (readonly [string, Fault, number])[] = [
  ['500', status(500), 502],
  ['503', status(503, { 'retry-after': '7' }), 503],
  ['403', status(403), 424],
  ['404', status(404), 424],
  ['resets', { kind: 'reset' }, 502],
  ['silence', { kind: 'stall' }, 504],
  ['a Content-Range that is shifted', { kind: 'content-range', value: 'bytes 0-9/500000' }, 502],
  ['an HTML page with 200', { kind: 'html' }, 502],
  ['a gzip-coded range', { kind: 'gzip' }, 502],
]

for (const sample of SAMPLES) {
  describe(`faults of the origin, on a source of ${sample.name}`, () => {
    let origin: Origin
    let service: TestService
    let path: string
    let store: string
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
      path = `${count++}-${sample.file}`
      origin.put(path, { bytes: sample.versions[0], etag: '"v1"' })
      origin.forget()
      store = storeUrl(service, origin.url(path))
      assert.equal((await get(`${store}zarr.json`)).status, 200)
      assert.ok(origin.requests.length <= 2, `${origin.requests.length} requests for zarr.json`)
      const chunk = await get(store + sample.portable)
      assert.equal(chunk.status, 200)
      expected = hash(chunk.bytes)
      origin.forget()
    })

    test('GEN-3: a warm chunk costs one request of the origin, a warm zarr.json none', async () => {
      assert.equal((await get(store + sample.portable)).status, 200)
      assert.equal(origin.requests.length, 1)
      await get(`${store}zarr.json`)
      assert.equal(origin.requests.length, 1)
    })

    for (const [name, fault] of Object.entries(TRANSIENT)) {
      test(`${name}, once, is invisible: 200 and the right bytes`, async () => {
        origin.fault(fault, 1)
        const chunk = await get(store + sample.portable)
        assert.equal(chunk.status, 200)
        assert.equal(hash(chunk.bytes), expected)
      })
    }

    for (const [name, fault, expectedStatus] of LASTING) {
      test(`${name} for ever is ${expectedStatus} within the deadline, never bytes`, async () => {
        const raw = await openRaw()
        origin.fault(fault)
        for (const url of [store + sample.portable, raw]) {
          const chunk = await get(url)
          assertProblem(chunk, [expectedStatus], name)
          assert.ok(chunk.milliseconds < DEADLINE_MILLISECONDS, `took ${chunk.milliseconds} ms`)
        }
      })
    }

    test('a source replaced between two chunks is 409 until its zarr.json is asked for again', async () => {
      origin.put(path, { bytes: sample.versions[1], etag: '"v2"' })
      assertProblem(await get(store + sample.portable), [409], 'the first chunk after the change')
      assertProblem(await get(store + sample.portable), [409], 'the next chunk')
      assert.equal((await get(`${store}zarr.json`)).status, 200)
      const chunk = await get(store + sample.portable)
      assert.equal(chunk.status, 200)
      assert.notEqual(hash(chunk.bytes), expected, 'the new version has other values')
    })

    async function openRaw(): Promise<string> {
      const [options = '', ...key] = sample.raw.split('/')
      const raw = storeUrl(service, origin.url(path), options)
      assert.equal((await get(`${raw}zarr.json`)).status, 200)
      return raw + key.join('/')
    }
  })
}

describe('stored bytes that lead their decoder astray', () => {
  let origin: Origin
  let service: TestService

  before(async () => {
    origin = await startOrigin()
    service = await startService({ allowSources: [origin.base] })
  })
  after(async () => {
    await service?.close()
    await origin?.close()
  })

  test('a damaged chunk of HDF5 is refused, its neighbours and the server live', async () => {
    const file = readFileSync(new URL('old.h5', FIXTURES))
    const golden = JSON.parse(readFileSync(new URL('golden.json', FIXTURES), 'utf8')) as {
      'old.h5': { a: { chunks: Record<string, [number, number, number]> } }
    }
    const [offset, length] = golden['old.h5'].a.chunks['0/0'] ?? [0, 0]
    file.fill(0xa5, offset + 2, offset + length)
    origin.put('damaged.h5', { bytes: file, etag: '"1"' })
    const store = storeUrl(service, origin.url('damaged.h5'), ';codecs=raw')
    assertProblem(await get(`${store}a/c/0/0`), [422], 'the damaged chunk')
    assert.equal((await get(`${store}a/c/0/1`)).status, 200)
  })

  // WebP, JPEG 2000 and JPEG XL: decoders in WebAssembly.
  for (const compression of [50001, 34712, 50002]) {
    test(`garbage as TIFF's compression ${compression} is refused, and the server lives`, async () => {
      const fields = greyFields(64, 64).map((field) => {
        if (field.tag === 259) return { ...field, values: [compression] }
        return field.tag === 279 ? { ...field, values: [1000] } : field
      })
      const data = Uint8Array.from({ length: 1000 }, (_, i) => (i * 7919) % 251)
      origin.put(`${compression}.tif`, { bytes: buildTiff([{ fields }], { data }), etag: '"1"' })
      const store = storeUrl(service, origin.url(`${compression}.tif`))
      for (const _ of ['once', 'again']) assertProblem(await get(`${store}band_data/c/0/0`), [422, 502], 'garbage')
      assert.equal((await get(`${store}zarr.json`)).status, 200)
    })
  }
})

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
