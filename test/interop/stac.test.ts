import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type StaticOrigin, startStaticOrigin } from '../corpus/static-origin.ts'
import { assertInZarrita, type CheckedValues, temporaryFolder } from './made-files.ts'
import { pythonScript } from './python.ts'
import { type ServerProcess, startServer, storeUrl } from './server-process.ts'

const python = pythonScript('stac_check.py')

describe('STAC, through the running service, as rasterio reads and merges the files of the Items', () => {
  const folder = temporaryFolder('interop-stac-')
  let server: ServerProcess
  let origin: StaticOrigin

  before(async () => {
    origin = await startStaticOrigin(pathToFileURL(`${folder}/`))
    await python('make', folder, origin.url)
    server = await startServer({ VZ_ALLOW_SOURCES: origin.url })
  })
  after(async () => {
    await server?.stop()
    await origin?.close()
  })

  test('Items of three resolutions, stacks, pages, Collections, alternates, NetCDF and Zarr', async () => {
    const words = [folder, server.url, origin.url] as const
    const { read, failures, hashes } = await python<CheckedValues>('check', ...words)
    assert.deepEqual(failures, [])
    assert.ok(read >= 86, `${read} arrays were compared`)
    await assertInZarrita(hashes, (name) => storeUrl(server.url, origin.url + name))
    console.log(`${read} arrays of STAC equal in xarray, zarr-python, tensorstore and zarrita`)
  })
})
