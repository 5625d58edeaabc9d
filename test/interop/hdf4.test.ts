import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { readZarrita, zarritaLimit } from '../corpus/read-zarrita.ts'
import { getDocument } from '../corpus/store-client.ts'
import { hashOf } from '../corpus/values.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { interopPython } from './venv.ts'

const FIXTURES = fileURLToPath(new URL('../fixtures/hdf4/', import.meta.url))
const FILES = ['types.hdf', 'eos.hdf', 'images.hdf']

describe('TEST-1: HDF4 through the running service, as the HDF library reads it', () => {
  let server: ServerProcess
  let folder: string

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'interop-hdf4-'))
    server = await startServer({ VZ_FILE_ROOT: FIXTURES })
  })
  after(async () => {
    await server?.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  const { files } = JSON.parse(readFileSync(join(FIXTURES, 'golden.json'), 'utf8')) as Golden
  /** Arrays of each file by their paths in its store. */
  const urlOf = (name: string) =>
    `${server.url}zarr/~${Buffer.from(pathToFileURL(join(FIXTURES, name)).href).toString('base64url')}/`
  const stores = () =>
    FILES.map((name) => {
      const arrays = Object.entries(files[name]?.arrays ?? {}).map(
        ([path, golden]) => [path.replaceAll('#', '_'), golden] as const,
      )
      return { url: urlOf(name), arrays: Object.fromEntries(arrays) }
    })

  test('every array in zarr-python, tensorstore and zarrs; a tile in xarray and rioxarray; grids of all projections in pyproj', async () => {
    const path = join(folder, 'job.json')
    const places = { url: urlOf('grids.hdf'), golden: join(FIXTURES, 'products.json') }
    const tile = `${server.url}zarr/vegetation/`
    writeFileSync(path, JSON.stringify({ stores: stores(), systems: [urlOf('eos.hdf')], places, tile }))
    const script = fileURLToPath(new URL('python/hdf4_check.py', import.meta.url))
    const { stdout } = await promisify(execFile)(interopPython(), ['-W', 'ignore', script, path], {
      maxBuffer: 2 ** 24,
    })
    assert.deepEqual(JSON.parse(stdout), [])
  })

  test('every array of numbers in zarrita', async () => {
    for (const { url, arrays } of stores()) {
      let read = 0
      for (const [path, { sha256, dtype }] of Object.entries(arrays)) {
        if (typeof dtype !== 'string' || zarritaLimit(await getDocument(url, path)) !== undefined) continue
        assert.equal(hashOf((await readZarrita(url, path, true)).values), sha256, `${url} ${path}`)
        read++
      }
      assert.ok(read > 10, `${read} arrays of ${url}`)
    }
  })
})

interface Golden {
  readonly files: Readonly<Record<string, { readonly arrays: Readonly<Record<string, GoldenArray>> }>>
}

interface GoldenArray {
  readonly sha256: string
  /** The name of a type of numbers; of characters there is more to say. */
  readonly dtype: unknown
}
