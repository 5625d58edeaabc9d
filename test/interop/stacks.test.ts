import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { pythonJob } from './python.ts'
import { type ServerProcess, startServer, storeUrl } from './server-process.ts'

const FIXTURES = fileURLToPath(new URL('../fixtures/tiff-stacks/', import.meta.url))

describe('TEST-1: stacks of OME-TIFF and ImageJ, through the running service, as tifffile reads them', () => {
  let server: ServerProcess
  let folder: string

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'interop-stacks-'))
    server = await startServer({ VZ_FILE_ROOT: folder })
  })
  after(async () => {
    await server?.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  test('every image and level in xarray and tensorstore', async () => {
    for (const name of tiffsIn(FIXTURES)) cpSync(join(FIXTURES, name), join(folder, name))
    await pythonJob('stacks_check.py', { folder })
    const cases = tiffsIn(folder).map((name) => {
      const source = join(folder, name)
      return { id: name, source, url: storeUrl(server.url, pathToFileURL(source).href) }
    })
    assert.ok(cases.length >= 23, `${cases.length} files`)
    assert.deepEqual(await pythonJob('stacks_check.py', { cases }), [])
  })
})

function tiffsIn(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.tif'))
}
