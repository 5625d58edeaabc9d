import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { runApp, storeUrlOf } from '../helpers/app.ts'
import { startOrigin } from '../helpers/origin.ts'

const ARRAY = {
  zarr_format: 2,
  shape: [4],
  chunks: [4],
  dtype: '|i1',
  order: 'C',
  fill_value: 0,
  compressor: { id: 'zlib', level: 1 },
  filters: [{ id: 'delta', dtype: '|i1', astype: '|i1' }],
}
const DELTAS = { a: [1, 1, 1, 1], b: [5, 5, 5, 5] }

test('two arrays with one and the same document have chunks and ETags of their own, in every group', async () => {
  const origin = await startOrigin()
  const app = await runApp({}, { VZ_ALLOW_SOURCES: origin.base })
  try {
    const metadata: Record<string, unknown> = { '.zgroup': { zarr_format: 2 } }
    for (const group of ['g', 'h']) {
      metadata[`${group}/.zgroup`] = { zarr_format: 2 }
      for (const [name, deltas] of Object.entries(DELTAS)) {
        metadata[`${group}/${name}/.zarray`] = ARRAY
        const stored = deflateSync(Int8Array.from(deltas, (delta) => (group === 'g' ? delta : -delta)))
        origin.put(`s.zarr/${group}/${name}/0`, { bytes: stored, etag: '"same"' })
      }
    }
    const consolidated = { zarr_consolidated_format: 1, metadata }
    origin.put('s.zarr/.zmetadata', Buffer.from(JSON.stringify(consolidated)))
    const store = storeUrlOf(app, origin.url('s.zarr/')).slice(0, -1)
    const seen = new Map<string, string>()
    for (const key of ['/g/a/c/0', '/g/b/c/0', '/h/a/c/0', '/h/b/c/0', ';group=g/a/c/0', ';group=h/a/c/0']) {
      const answer = await app.http.inject({ method: 'GET', url: `${store}${key}` })
      assert.equal(answer.statusCode, 200, key)
      const body = answer.rawPayload.toString('hex')
      const etag = String(answer.headers['etag'])
      assert.equal(seen.has(etag), false, `${key}: its ETag is that of another chunk`)
      seen.set(etag, body)
    }
    assert.equal(new Set(seen.values()).size, 4, 'the four arrays differ')
  } finally {
    await app.close()
    await origin.close()
  }
})

test('a document of another version of its source has another ETag, whatever it says', async () => {
  const origin = await startOrigin()
  const app = await runApp({}, { VZ_ALLOW_SOURCES: origin.base, VZ_FRESH_SECONDS: '0' })
  try {
    const document = Buffer.from(JSON.stringify({ ...ARRAY, compressor: null, filters: null }))
    origin.put('a.zarr/.zarray', { bytes: document, etag: '"one"' })
    const url = `${storeUrlOf(app, origin.url('a.zarr/'))}zarr.json`
    const get = (headers = {}) => app.http.inject({ method: 'GET', url, headers })
    const first = await get()
    assert.equal((await get({ 'if-none-match': first.headers['etag'] })).statusCode, 304)
    origin.put('a.zarr/.zarray', { bytes: document, etag: '"two"' })
    // Else a cache that asks whether its copy is good would keep the link to the old version.
    const second = await get({ 'if-none-match': first.headers['etag'] })
    assert.equal(second.statusCode, 200)
    assert.equal(second.body, first.body)
    assert.notEqual(second.headers['link'], first.headers['link'])
  } finally {
    await app.close()
    await origin.close()
  }
})
