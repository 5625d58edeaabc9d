import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { pythonJob } from './python.ts'
import { type ServerProcess, startServer, storeUrl } from './server-process.ts'

describe('PACK-7: TIFFs whose bands differ in scale, offset or nodata, through the running service, as rasterio reads them', () => {
  let server: ServerProcess
  let folder: string

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'interop-bands-'))
    server = await startServer({ VZ_FILE_ROOT: folder })
  })
  after(async () => {
    await server?.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  test('planar and interleaved, strips and tiles, overviews, masks, PAM, and VRTs of them', async () => {
    await pythonJob('bands_check.py', { folder })
    const cases = readdirSync(folder)
      .filter((name) => /\.(?:tif|vrt)$/.test(name))
      .map(caseOf)
    assert.equal(cases.length, 37)
    assert.deepEqual(await pythonJob('bands_check.py', { cases }), [])
  })

  function caseOf(name: string) {
    const source = join(folder, name)
    const { href } = pathToFileURL(source)
    const [url, levels, masked] = ['', ';layout=levels', ';missing=mask'].map((options) =>
      storeUrl(server.url, href, options),
    )
    return { id: name, source, url, levels, masked }
  }
})
