import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { readZarrita } from '../corpus/read-zarrita.ts'
import { hashOf } from '../corpus/values.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { interopPython } from './venv.ts'

const SCRIPT = fileURLToPath(new URL('python/mosaics_check.py', import.meta.url))

describe('mosaics, through the running service, as rasterio merges the same files', () => {
  let server: ServerProcess
  let folder: string

  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'interop-mosaics-')))
    await python('make', folder)
    server = await startServer({ VZ_FILE_ROOT: folder })
  })
  after(async () => {
    await server?.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  const urlOf = (name: string) => `${server.url}zarr/~${Buffer.from(`file://${folder}/${name}`).toString('base64url')}/`

  test('COMB-1, COMB-4: gaps, overlaps, block sizes, nodata, masks, types, levels, files upside down', async () => {
    const { read, failures, hashes } = JSON.parse(await python('check', folder, server.url)) as Checked
    assert.deepEqual(failures, [])
    assert.ok(read >= 29, `${read} mosaics were read`)
    for (const [path, hash] of Object.entries(hashes)) {
      const [name = '', ...inside] = path.split('/')
      const { values } = await readZarrita(urlOf(name), inside.join('/'), true)
      assert.equal(hashOf(values), hash, path)
    }
    console.log(`${read} mosaics equal in xarray, zarr-python, tensorstore and zarrita`)
  })

  test('the bundled mosaic and the bundled STAC Item, by their ids', async () => {
    const examples = fileURLToPath(new URL('../../examples', import.meta.url))
    const { read, failures } = JSON.parse(await python('examples', examples, server.url)) as Checked
    assert.deepEqual(failures, [])
    assert.equal(read, 5)
  })

  test('COMB-1: what lies on no common grid is refused by name', async () => {
    for (const [name, message] of [
      ['system', /reference system is EPSG:32633 in .*r_first\.tif and EPSG:32634 in .*r_system\.tif/],
      ['size', /the pixel size in y is 10 in .*r_first\.tif and 20 in .*r_size\.tif/],
      ['beside', /r_beside\.tif lies 0\.30 pixels in x beside the pixel grid of .*r_first\.tif/],
      ['turned', /r_turned\.tif is rotated/],
      ['nowhere', /reference system is EPSG:32633 in .* and absent in .*r_nowhere\.tif/],
      ['bands', /dimensions of band_data is \(y, x\) in .* and \(band, y, x\) in .*r_bands\.tif/],
    ] as const) {
      const answer = await fetch(`${urlOf(`r_${name}.json`)}zarr.json`)
      const { detail } = (await answer.json()) as { readonly detail: string }
      assert.equal(answer.status, 422)
      assert.match(detail, message)
    }
  })
})

interface Checked {
  readonly read: number
  readonly failures: readonly string[]
  /** Of the values of each array, by document and path. */
  readonly hashes: Readonly<Record<string, string>>
}

async function python(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(interopPython(), ['-W', 'ignore', SCRIPT, ...args], {
    maxBuffer: 2 ** 26,
  })
  return stdout
}
