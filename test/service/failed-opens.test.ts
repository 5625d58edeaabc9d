import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../src/errors.ts'
import { DEFAULT_SOURCE_SETTINGS } from '../../src/source/settings.ts'
import { heapUsed } from '../helpers/heap-used.ts'
import { testStores } from '../helpers/test-stores.ts'

test('GUARD-10: what is remembered of failed opens does not grow with their URLs, nor their number', async (t) => {
  const stores = testStores(DEFAULT_SOURCE_SETTINGS)
  t.after(() => stores.close())
  const fail = async (name: string) => {
    const store = stores.open(`http://10.0.0.1/${name}`)
    await assert.rejects(store.document(''), (error) => isVirtualZarrError(error))
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
