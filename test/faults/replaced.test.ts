import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { startService, storeUrl } from '../corpus/service.ts'
import { assertProblem, get } from '../corpus/store-client.ts'
import { type OriginFile, startOrigin } from '../helpers/origin.ts'
import { ask } from './ask.ts'
import { putSample, type World } from './matrix.ts'
import { SAMPLES } from './samples.ts'
import { WAYS } from './validators.ts'
import { QUICK, startWorld } from './world.ts'

const sample = SAMPLES.find(({ name }) => name === 'netcdf3')
const [strong] = WAYS
assert.ok(sample !== undefined && strong !== undefined)
const { key, source } = sample
const [FILE, REPLACEMENT] = [sample.files(0)[source], sample.files(1)[source]]
assert.ok(FILE !== undefined && REPLACEMENT !== undefined)

let world: World & { close(): Promise<void> }
before(async () => {
  world = await startWorld()
})
after(async () => await world.close())
beforeEach(() => world.origin.heal())

let count = 0
const urlOf = (path: string) => storeUrl(world.service, world.origin.url(path))

describe('a source that is replaced', () => {
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
    'another length, the only thing that tells': {
      before: { bytes: FILE },
      after: { bytes: Buffer.concat([REPLACEMENT, Buffer.alloc(4)]) },
    },
    'nothing told, the head is another': { before: { bytes: FILE }, after: { bytes: REPLACEMENT } },
  }
  for (const [name, version] of Object.entries(replacements)) {
    test(`a source replaced between two chunks (${name}) is 409 until its zarr.json is asked for again`, async () => {
      const path = `replaced-${count++}.nc`
      world.origin.put(path, version.before)
      const url = urlOf(path)
      assert.equal((await get(`${url}zarr.json`)).status, 200)
      const first = await get(`${url}${key}`)
      assert.equal(first.status, 200)
      world.origin.put(path, version.after)
      assertProblem(await get(`${url}${key}`), [409], 'the first chunk after the change')
      assertProblem(await get(`${url}${key}`), [409], 'the next one')
      assert.equal((await get(`${url}zarr.json`)).status, 200)
      const chunk = await get(`${url}${key}`)
      assert.equal(chunk.status, 200)
      assert.notEqual(
        Buffer.from(chunk.bytes).toString('hex'),
        Buffer.from(first.bytes).toString('hex'),
        'the new version has other values',
      )
    })
  }

  test('another total in Content-Range, under the same ETag, is 502: the origin contradicts itself', async () => {
    const path = `total-${count++}.nc`
    world.origin.put(path, { bytes: FILE, etag: '"v1"' })
    assert.equal((await get(`${urlOf(path)}zarr.json`)).status, 200)
    assert.equal((await get(urlOf(path) + key)).status, 200)
    const asked = (world.origin.requests.at(-1)?.headers['range'] ?? '').replace(/^bytes=/, 'bytes ')
    world.origin.fault({ kind: 'content-range', value: `${asked}/99999999` })
    assertProblem(await get(urlOf(path) + key), [502], 'another total')
  })
})

for (const format of SAMPLES.filter(({ document, data }) => document === data)) {
  // What was decoded and made anew is kept; what passes is asked for each time.
  const requests = format.name === 'grib' ? 0 : 1
  test(`GEN-3: a warm chunk of ${format.name} costs ${requests} requests of the origin, a warm zarr.json none`, async () => {
    const folder = putSample(world, { sample: format, way: strong })
    const store = urlOf(`${folder}/${format.source}`)
    world.origin.forget()
    assert.equal((await ask(`${store}zarr.json`)).status, 200)
    // Three names beside a TIFF are asked for at the same time as the file.
    const most = format.name === 'tiff' ? 6 : 3
    assert.ok(world.origin.requests.length <= most, `${world.origin.requests.length} requests for zarr.json`)
    await ask(store + format.key)
    world.origin.forget()
    assert.equal((await ask(store + format.key)).status, 200)
    assert.equal(world.origin.requests.length, requests)
    await ask(`${store}zarr.json`)
    assert.equal(world.origin.requests.length, requests)
  })
}

test('100 cold readers at once are one parse: at most two requests', async () => {
  const { origin } = world
  origin.put('crowd.nc', FILE)
  origin.forget()
  const cold = `${urlOf('crowd.nc')}zarr.json`
  const replies = await Promise.all(Array.from({ length: 100 }, () => get(cold)))
  assert.ok(replies.every((reply) => reply.status === 200))
  assert.ok(origin.requests.length <= 2, `${origin.requests.length} requests`)
})

test('metadata that takes longer than opening may is 504, not a failure of the server', async () => {
  const origin = await startOrigin()
  const service = await startService({ allowSources: [origin.base], deadlines: QUICK, openingMs: 300 })
  try {
    origin.put('a.nc', FILE)
    origin.fault({ kind: 'stall', after: 100 })
    assertProblem(await get(`${storeUrl(service, origin.url('a.nc'))}zarr.json`), [504], 'a stall in the head')
  } finally {
    await service.close()
    await origin.close()
  }
})
