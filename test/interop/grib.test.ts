import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { readZarrita } from '../corpus/read-zarrita.ts'
import { hashOf, withOneNaN } from '../corpus/values.ts'
import { pythonJob } from './python.ts'
import { type ServerProcess, startServer, storeUrl } from './server-process.ts'

const FIXTURES = fileURLToPath(new URL('../fixtures/grib/', import.meta.url))

describe('TEST-1: GRIB through the running service, as cfgrib opens it', () => {
  let server: ServerProcess

  before(async () => {
    server = await startServer({ VZ_FILE_ROOT: FIXTURES })
  })
  after(async () => {
    await server?.stop()
  })

  test('every dataset of forecasts of many centres in xarray, zarr-python, tensorstore, zarrs and zarrita: dimensions, coordinates, attributes, values', async () => {
    const urlOf = (name: string) => storeUrl(server.url, pathToFileURL(join(FIXTURES, name)).href)
    const models = readdirSync(join(FIXTURES, 'models'))
    assert.ok(models.length > 15)
    const { failures, hashes } = await pythonJob<Report>('grib_check.py', {
      url: urlOf('forecast.grib'),
      golden: join(FIXTURES, 'forecast.json'),
      models: {
        urls: Object.fromEntries(models.map((name) => [name, urlOf(`models/${name}`)])),
        golden: join(FIXTURES, 'models.json'),
      },
      example: { url: `${server.url}zarr/forecast/`, golden: join(FIXTURES, 'example.json') },
    })
    assert.deepEqual(failures, [])
    for (const [url, arrays] of Object.entries(hashes)) {
      assert.ok(Object.keys(arrays).length > 3, url)
      for (const [array, hash] of Object.entries(arrays)) {
        assert.equal(hashOf(withOneNaN((await readZarrita(url, array, true)).values)), hash, `${array} in zarrita`)
      }
    }
  })
})

interface Report {
  readonly failures: readonly string[]
  /** Of float32 values that are right, by store and path. */
  readonly hashes: Readonly<Record<string, Readonly<Record<string, string>>>>
}
