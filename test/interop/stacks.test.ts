import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type ServerProcess, startServer } from './server-process.ts'
import { interopPython } from './venv.ts'

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
    await python({ folder })
    const cases = tiffsIn(folder).map((name) => {
      const source = join(folder, name)
      const address = Buffer.from(pathToFileURL(source).href).toString('base64url')
      return { id: name, source, url: `${server.url}zarr/~${address}/` }
    })
    assert.ok(cases.length >= 23, `${cases.length} files`)
    assert.deepEqual(JSON.parse(await python({ cases })), [])
  })

  async function python(job: object): Promise<string> {
    const path = join(folder, 'job.json')
    writeFileSync(path, JSON.stringify(job))
    const script = fileURLToPath(new URL('python/stacks_check.py', import.meta.url))
    return (await promisify(execFile)(interopPython(), ['-W', 'ignore', script, path], { maxBuffer: 2 ** 24 })).stdout
  }
})

function tiffsIn(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.tif'))
}
