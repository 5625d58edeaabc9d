import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recodeWorkers } from '../../src/delivery/recoding/workers.ts'
import { isVirtualZarrError } from '../../src/errors.ts'
import { addressOfUrl } from '../../src/service/store-address.ts'
import { storeService } from '../../src/service/store-service.ts'
import { openSources } from '../../src/source/open.ts'
import { DEFAULT_SOURCE_SETTINGS } from '../../src/source/settings.ts'
import { heapUsed } from '../helpers/heap-used.ts'

test('RELIABILITY 2.10: what is remembered of failed opens does not grow with their URLs, nor their number', async (t) => {
  const sources = openSources(DEFAULT_SOURCE_SETTINGS)
  const workers = recodeWorkers({ threads: 1 })
  t.after(async () => {
    await workers.close()
    await sources.close()
  })
  const parse = { bytes: 2 ** 28, requests: 20_000, milliseconds: 60_000, wholeBytes: 2 ** 26 }
  const stores = storeService(sources, workers, { cacheBytes: 2 ** 28, freshSeconds: 600, parse })
  const fail = async (name: string) => {
    const address = addressOfUrl(`http://10.0.0.1/${name}`, new Map())
    await assert.rejects(
      async () => await stores.get({ address, key: 'zarr.json' }),
      (error) => isVirtualZarrError(error),
    )
  }
  await fail('first')
  const before = heapUsed()
  for (const query of [`?${'y'.repeat(6000)}`, '']) {
    for (let i = 0; i < 10_000; i++) await fail(`${i}${query}`)
    const bytes = heapUsed() - before
    assert.ok(bytes < 16 * 2 ** 20, `${bytes} bytes where the query is ${query.length} long`)
  }
  assert.equal(stores.statistics.failedOpens, 20_001)
})
