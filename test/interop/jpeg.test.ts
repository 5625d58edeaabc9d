import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { pythonJob } from './python.ts'
import { type ServerProcess, startServer, storeUrl } from './server-process.ts'

const HAS_DEBIAN_GDAL = existsSync('/usr/bin/gdal_translate')

interface Report {
  readonly read: { readonly imagecodecs: number; readonly rasterio: number; readonly Debian: number }
  readonly failures: readonly string[]
  readonly disagree: readonly string[]
}

describe('JPEG of all sampling factors and YCbCr, through the running service', () => {
  let server: ServerProcess
  let folder: string

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'interop-jpeg-'))
    server = await startServer({ VZ_FILE_ROOT: folder })
  })
  after(async () => {
    await server?.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  test('TEST-1: values equal those of libjpeg-turbo in imagecodecs and in GDAL', async () => {
    const cases = await casesOf('jpeg_check.py')
    const { read, failures, disagree } = await pythonJob<Report>('jpeg_check.py', { cases })
    assert.deepEqual(failures, [])
    assert.deepEqual(disagree, [])
    assert.equal(read.imagecodecs, cases.length)
    if (!HAS_DEBIAN_GDAL) console.log('skipped: /usr/bin/gdal_translate is not on this machine')
    console.log(`${cases.length} pictures; equal: ${JSON.stringify(read)}`)
  })

  test('TEST-1: old JPEG, YCbCr without JPEG and short tables of strips, as GDAL reads them', async () => {
    const cases = await casesOf('ycbcr_check.py')
    assert.deepEqual(await pythonJob('ycbcr_check.py', { cases }), [])
    console.log(`${cases.length} files equal`)
  })

  async function casesOf(script: string) {
    const seed = Number(process.env['JPEG_SEED'] ?? '1')
    const names = await pythonJob<readonly string[]>(script, { folder, seed })
    return names.map((id) => {
      const source = join(folder, `${id}.tif`)
      return { id, source, url: storeUrl(server.url, pathToFileURL(source).href) }
    })
  }
})
