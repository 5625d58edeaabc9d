import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { documentOf } from '../../src/service/document.ts'
import { type RunningApp, runApp, storeUrlOf } from '../helpers/app.ts'
import { v2Array } from '../helpers/zarr-store.ts'

/** References of many arrays, whose documents are longer. */
function manyArrays(count: number): Uint8Array {
  const arrays = Array.from({ length: count }, (_none, at) => [`v${at}/.zarray`, JSON.stringify(v2Array())])
  const refs = { '.zgroup': '{"zarr_format":2}', ...Object.fromEntries(arrays) }
  return Buffer.from(JSON.stringify({ version: 1, refs }))
}

describe('what opened sources are weighed by', () => {
  let app: RunningApp
  afterEach(async () => await app.close())
  const cached = () => app.service.stores.statistics
  const get = async (url: string) => assert.equal((await app.http.inject({ method: 'GET', url })).statusCode, 200)

  test('the documents of each store that is made of a source weigh, not only its first parse', async () => {
    app = await runApp({ 'a.json': manyArrays(200) })
    const store = storeUrlOf(app, 'a.json')
    const weights: number[] = []
    for (const options of ['', ';codecs=native', ';codecs=raw']) {
      await get(`${store.slice(0, -1)}${options}/zarr.json`)
      weights.push(cached().cachedBytes)
    }
    const [first = 0, second = 0, third = 0] = weights
    const documents = 200 * 500
    assert.ok(first > documents && second > first + documents && third > second + documents, weights.join(', '))
    assert.equal(cached().cachedSources, 1)
  })

  test('sources are evicted for the documents that were made of them', async () => {
    const names = Array.from({ length: 12 }, (_none, at) => `${at}.json`)
    const file = manyArrays(200)
    const limit = 4 * 2 ** 20
    app = await runApp(Object.fromEntries(names.map((name) => [name, file])), { VZ_CACHE_BYTES: String(limit) })
    for (const name of names) await get(`${storeUrlOf(app, name)}zarr.json`)
    assert.ok(cached().cachedBytes <= limit, `${cached().cachedBytes} bytes`)
    assert.ok(cached().cachedSources < names.length, `${cached().cachedSources} sources`)
    // What is weighed is what is there: each source as much as one alone.
    const each = cached().cachedBytes / cached().cachedSources
    assert.ok(each > 200 * 2500, `${each} bytes a source`)
  })

  test('a document holds no memory but its own: short buffers are cut from a common one', async () => {
    app = await runApp({})
    const document = documentOf(Buffer.from(`{"a":"${'b'.repeat(1000)}"}`), 'v')
    const forms = [document.identity, await document.in('gzip'), await document.in('br'), await document.in('zstd')]
    for (const { bytes } of forms) assert.equal(bytes.buffer.byteLength, bytes.length)
  })
})
