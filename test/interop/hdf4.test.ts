import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { readZarrita, zarritaLimit } from '../corpus/read-zarrita.ts'
import { getDocument } from '../corpus/store-client.ts'
import { hashOf } from '../corpus/values.ts'
import { pythonJob } from './python.ts'
import { type ServerProcess, startServer, storeUrl } from './server-process.ts'

const FIXTURES = fileURLToPath(new URL('../fixtures/hdf4/', import.meta.url))
const FILES = ['types.hdf', 'eos.hdf', 'images.hdf']

describe('TEST-1: HDF4 through the running service, as the HDF library reads it', () => {
  let server: ServerProcess

  before(async () => {
    server = await startServer({ VZ_FILE_ROOT: FIXTURES })
  })
  after(async () => {
    await server?.stop()
  })

  const { files } = JSON.parse(readFileSync(join(FIXTURES, 'golden.json'), 'utf8')) as Golden
  /** Arrays of each file by their paths in its store. */
  const urlOf = (name: string) => storeUrl(server.url, pathToFileURL(join(FIXTURES, name)).href)
  const stores = () =>
    FILES.map((name) => {
      const arrays = Object.entries(files[name]?.arrays ?? {}).map(
        ([path, golden]) => [path.replaceAll('#', '_'), golden] as const,
      )
      return { url: urlOf(name), arrays: Object.fromEntries(arrays) }
    })

  test('every array in zarr-python, tensorstore and zarrs; a tile in xarray and rioxarray; grids of all projections in pyproj', async () => {
    const places = { url: urlOf('grids.hdf'), golden: join(FIXTURES, 'products.json') }
    const tile = `${server.url}zarr/vegetation/`
    const job = { stores: stores(), systems: [urlOf('eos.hdf')], places, tile }
    assert.deepEqual(await pythonJob('hdf4_check.py', job), [])
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
