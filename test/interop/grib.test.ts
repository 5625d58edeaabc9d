import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { readZarrita } from '../corpus/read-zarrita.ts'
import { hashOf, withOneNaN } from '../corpus/values.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { interopPython } from './venv.ts'

const FIXTURES = fileURLToPath(new URL('../fixtures/grib/', import.meta.url))

describe('TEST-1: GRIB through the running service, as cfgrib opens it', () => {
  let server: ServerProcess
  let folder: string

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'interop-grib-'))
    server = await startServer({ VZ_FILE_ROOT: FIXTURES })
  })
  after(async () => {
    await server?.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  test('every dataset of forecasts of many centres in xarray, zarr-python, tensorstore, zarrs and zarrita: dimensions, coordinates, attributes, values', async () => {
    const urlOf = (name: string) =>
      `${server.url}zarr/~${Buffer.from(pathToFileURL(join(FIXTURES, name)).href).toString('base64url')}/`
    const models = readdirSync(join(FIXTURES, 'models'))
    assert.ok(models.length > 15)
    const path = join(folder, 'job.json')
    writeFileSync(
      path,
      JSON.stringify({
        url: urlOf('forecast.grib'),
        golden: join(FIXTURES, 'forecast.json'),
        models: {
          urls: Object.fromEntries(models.map((name) => [name, urlOf(`models/${name}`)])),
          golden: join(FIXTURES, 'models.json'),
        },
        example: { url: `${server.url}zarr/forecast/`, golden: join(FIXTURES, 'example.json') },
      }),
    )
    const script = fileURLToPath(new URL('python/grib_check.py', import.meta.url))
    const { stdout } = await promisify(execFile)(interopPython(), ['-W', 'ignore', script, path], {
      maxBuffer: 2 ** 24,
    })
    const { failures, hashes } = JSON.parse(stdout) as Report
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
