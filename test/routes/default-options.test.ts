import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildTiff, greyFields } from '../formats/tiff/build.ts'
import { type RunningApp, runApp, storeUrlOf } from '../helpers/app.ts'

/** uint8 with a nodata value that it can't hold, as Pix4D writes it. */
const NODATA = { tag: 42113, type: 2, values: '-10000\0' }
const FILES = { 'a.tif': buildTiff([{ fields: greyFields(3, 2, [NODATA]) }], { data: new Uint8Array(6) }) }

async function withApp(environment: Readonly<Record<string, string>>, work: (app: RunningApp) => Promise<void>) {
  const app = await runApp(FILES, environment)
  try {
    await work(app)
  } finally {
    await app.close()
  }
}

const storeOf = (app: RunningApp, options = '') => `${storeUrlOf(app, 'a.tif').slice(0, -1)}${options}/zarr.json`

test('a nodata value that the type cannot hold refuses a TIFF, and the answer names the option that serves it', async () => {
  await withApp({}, async (app) => {
    const answer = await app.http.inject({ url: storeOf(app) })
    assert.equal(answer.statusCode, 422)
    const { detail, option } = answer.json()
    assert.equal(option, 'sentinel')
    assert.match(detail, /gdal_no_data is "-10000", which .* can't hold .*;sentinel=warn serves it without/)
  })
})

test('VZ_DEFAULT_OPTIONS holds for URLs that do not give the option, as if they did', async () => {
  await withApp({ VZ_DEFAULT_OPTIONS: 'sentinel=warn' }, async (app) => {
    const plain = await app.http.inject({ url: storeOf(app) })
    const written = await app.http.inject({ url: storeOf(app, ';sentinel=warn') })
    assert.equal(plain.statusCode, 200)
    assert.deepEqual([plain.headers['etag'], plain.body], [written.headers['etag'], written.body])
    assert.equal((await app.http.inject({ url: storeOf(app, ';sentinel=error') })).statusCode, 422)
    const source = encodeURIComponent(`file://${app.folder}/a.tif`)
    const resolved = await app.http.inject({ url: `/resolve?url=${source}` })
    assert.deepEqual(resolved.json().default_options, { sentinel: 'warn' })
    for (const path of ['inspect', 'export'])
      assert.equal((await app.http.inject({ url: `/${path}?url=${source}` })).statusCode, 200, path)
    assert.equal((await app.http.inject({ url: `/inspect?url=${source}&sentinel=error` })).statusCode, 422)
  })
})
