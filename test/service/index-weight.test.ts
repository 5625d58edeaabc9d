import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { recodeWorkers } from '../../src/delivery/recoding/workers.ts'
import { addressOfUrl } from '../../src/service/store-address.ts'
import { storeService } from '../../src/service/store-service.ts'
import { openSources } from '../../src/source/open.ts'
import { DEFAULT_SOURCE_SETTINGS } from '../../src/source/settings.ts'
import { Origin } from '../helpers/origin.ts'

const FILE = readFileSync(new URL('../../examples/atmosphere.nc', import.meta.url))

test('what chunk indexes load is weighed with their file, be it asked for by itself or through a join', async (t) => {
  const origin = new Origin()
  await origin.start()
  const sources = openSources({ ...DEFAULT_SOURCE_SETTINGS, allow: [origin.base] })
  const workers = recodeWorkers({ threads: 1 })
  t.after(async () => {
    await workers.close()
    await sources.close()
    await origin.close()
  })
  const parse = { bytes: 2 ** 28, requests: 20_000, milliseconds: 60_000, wholeBytes: 2 ** 26 }
  for (const n of [1, 2, 3]) origin.put(`a${n}.nc`, { bytes: FILE, etag: '"v1"' })
  const along = { new: 'run', values: [1, 2] }
  const join = { virtual_zarr: 'join/1', sources: ['a1.nc', 'a2.nc'], along }
  origin.put('join.json', Buffer.from(JSON.stringify(join)))
  for (const [url, coords] of [
    ['a3.nc', '0/0/0/0'],
    ['join.json', '0/0/0/0/0'],
  ]) {
    const stores = storeService(sources, workers, { cacheBytes: 2 ** 28, freshSeconds: 600, parse })
    const address = addressOfUrl(`${origin.base}${url}`, new Map())
    const get = async () => {
      const answer = await stores.get({ address, key: `air_temperature/c/${coords}` })
      assert.equal(answer.kind, 'chunk')
    }
    await stores.get({ address, key: 'zarr.json' })
    await stores.get({ address, key: 'air_temperature/zarr.json' })
    const before = stores.statistics.cachedBytes
    await Promise.all(Array.from({ length: 20 }, get))
    const grown = stores.statistics.cachedBytes - before
    assert.ok(grown > 1000, `${url} grew by ${grown}`)
    await get()
    assert.equal(stores.statistics.cachedBytes - before, grown, url)
  }
})
