import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { readZarrita } from '../corpus/read-zarrita.ts'
import { type StaticOrigin, startStaticOrigin } from '../corpus/static-origin.ts'
import { hashOf } from '../corpus/values.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { interopPython } from './venv.ts'

const SCRIPT = fileURLToPath(new URL('python/stac_check.py', import.meta.url))

describe('STAC, through the running service, as rasterio reads and merges the files of the Items', () => {
  let server: ServerProcess
  let origin: StaticOrigin
  let folder: string

  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'interop-stac-')))
    origin = await startStaticOrigin(pathToFileURL(`${folder}/`))
    await python('make', folder, origin.url)
    server = await startServer({ VZ_ALLOW_SOURCES: origin.url })
  })
  after(async () => {
    await server?.stop()
    await origin?.close()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  test('Items of three resolutions, stacks, pages, Collections, alternates, NetCDF and Zarr', async () => {
    const { read, failures, hashes } = JSON.parse(await python('check', folder, server.url, origin.url)) as Checked
    assert.deepEqual(failures, [])
    assert.ok(read >= 86, `${read} arrays were compared`)
    for (const [path, hash] of Object.entries(hashes)) {
      const [name = '', ...inside] = path.split('/')
      const url = `${server.url}zarr/~${Buffer.from(origin.url + name).toString('base64url')}/`
      const { values } = await readZarrita(url, inside.join('/'), true)
      assert.equal(hashOf(values), hash, path)
    }
    console.log(`${read} arrays of STAC equal in xarray, zarr-python, tensorstore and zarrita`)
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
