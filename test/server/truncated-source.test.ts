import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { DiagnosticLog } from '../../src/server/diagnostic-log.ts'
import { runApp, storeUrlOf } from '../helpers/app.ts'

const FORECAST = readFileSync(new URL('../fixtures/grib/forecast.grib', import.meta.url))
const app = await runApp({ 'cut.grib': FORECAST.subarray(0, FORECAST.length - 20), 'whole.grib': FORECAST })
after(() => app.close())

async function json(url: string) {
  const response = await app.http.inject(url)
  assert.equal(response.statusCode, 200, response.body)
  return response.json()
}

const LAST =
  /^the file is truncated: it ends at byte \d+, inside of a message that begins at byte (\d+) .* which ends at byte \1$/

test("a truncated source is told of in the root's attributes and by /inspect, in every view", async () => {
  const url = storeUrlOf(app, 'cut.grib')
  for (const path of [url, url.replace(/\/$/, ';chunks=longitude:4/')]) {
    const { attributes } = await json(`${path}zarr.json`)
    assert.equal(attributes.virtual_zarr.truncated_source.length, 1)
    assert.match(attributes.virtual_zarr.truncated_source[0], LAST)
  }
  const { warnings, groups } = await json(`/inspect?url=${encodeURIComponent(`file://${app.folder}/cut.grib`)}`)
  const own = warnings.filter(({ code }: { readonly code: string }) => code === 'truncated-source')
  assert.equal(own.length, 1)
  assert.match(own[0].message, LAST)
  assert.deepEqual(groups[''].attributes.virtual_zarr.truncated_source, [own[0].message])
})

test('a whole one says nothing', async () => {
  const { attributes } = await json(`${storeUrlOf(app, 'whole.grib')}zarr.json`)
  assert.equal(attributes.virtual_zarr, undefined)
})

test('the log names the store by its shortened URL, and the diagnostic', () => {
  const lines: unknown[][] = []
  const log = new DiagnosticLog()
  log.into({ warn: (...line: unknown[]) => void lines.push(line) })
  log.tell('https://example.org/a.grib?key=secret', { code: 'attribute-repeated', message: 'twice' })
  log.tell('https://example.org/a.grib?key=secret', { code: 'truncated-source', message: 'the file is truncated' })
  assert.equal(lines.length, 1)
  assert.match(JSON.stringify(lines), /"store":"\/zarr\/~[0-9a-f]{8}".*truncated-source/)
  assert.doesNotMatch(JSON.stringify(lines), /example|secret/)
})
