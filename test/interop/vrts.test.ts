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

const SCRIPT = fileURLToPath(new URL('python/vrts_check.py', import.meta.url))

describe('VRTs, through the running service, as GDAL reads them itself', () => {
  let server: ServerProcess
  let folder: string

  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'interop-vrts-')))
    await python('make', folder)
    server = await startServer({ VZ_FILE_ROOT: folder })
  })
  after(async () => {
    await server?.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  const urlOf = (name: string) => `${server.url}zarr/~${Buffer.from(`file://${folder}/${name}`).toString('base64url')}/`

  test('windows, overlaps, nodata, masks, scales, bands, types and documents in documents', async () => {
    const { read, failures, hashes } = JSON.parse(await python('check', folder, server.url)) as Checked
    assert.deepEqual(failures, [])
    assert.ok(read >= 39, `${read} VRTs were read`)
    for (const [path, hash] of Object.entries(hashes)) {
      const [name = '', ...inside] = path.split('/')
      const { values } = await readZarrita(urlOf(name), inside.join('/'), true)
      assert.equal(hashOf(values), hash, path)
    }
    console.log(`${read} VRTs equal in xarray, zarr-python, tensorstore and zarrita`)
  })

  test('what would need resampling, warping or code is refused by its name', async () => {
    for (const [name, status, message] of [
      ['scaled', 501, /resampling .*SrcRect of band 1 is 48 x 32 and DstRect 96 x 64/],
      ['between', 501, /resampling .*SrcRect of band 1 is at 0\.5/],
      ['lut', 501, /^LUT of a VRT/],
      ['average', 501, /^AveragedSource of a VRT/],
      ['derived', 501, /^VRTDerivedRasterBand of a VRT/],
      ['warped', 501, /^VRTWarpedDataset of a VRT/],
      ['rounded', 501, /float32 of .*float\.tif in a band of uint8/],
      ['driver', 501, /NETCDF:/],
      ['zip', 501, /\/vsizip/],
      ['self', 422, /r_self\.vrt is a source of itself/],
      ['bomb', 422, /document type declaration/],
    ] as const) {
      const answer = await fetch(`${urlOf(`r_${name}.vrt`)}zarr.json`)
      const { detail } = (await answer.json()) as { readonly detail: string }
      assert.equal(answer.status, status, name)
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
