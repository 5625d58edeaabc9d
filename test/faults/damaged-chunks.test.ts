import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { startService, storeUrl, type TestService } from '../corpus/service.ts'
import { assertProblem, get } from '../corpus/store-client.ts'
import { buildTiff, greyFields } from '../formats/tiff/build.ts'
import { type Origin, startOrigin } from '../helpers/origin.ts'

const FIXTURES = new URL('../fixtures/hdf5/', import.meta.url)

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
