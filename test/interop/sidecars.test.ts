import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type ServerProcess, startServer } from './server-process.ts'
import { interopPython } from './venv.ts'

describe('TEST-1: PAM documents and world files that GDAL writes, through the running service, as rasterio reads them', () => {
  let server: ServerProcess
  let folder: string

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'interop-sidecars-'))
    server = await startServer({ VZ_FILE_ROOT: folder })
  })
  after(async () => {
    await server?.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  test('place, reference system, nodata, scale, offset, unit, names and metadata', async () => {
    await python({ folder })
    const files = readdirSync(folder)
    assert.ok(files.filter((name) => name.endsWith('.aux.xml')).length >= 15, files.join(' '))
    const cases = files.filter((name) => /\.tif$/i.test(name)).map(caseOf)
    assert.equal(cases.length, 25)
    assert.deepEqual(JSON.parse(await python({ cases })), [])
  })

  function caseOf(name: string) {
    const source = join(folder, name)
    const address = Buffer.from(pathToFileURL(source).href).toString('base64url')
    return { id: name, source, url: `${server.url}zarr/~${address}/` }
  }

  async function python(job: object): Promise<string> {
    const path = join(folder, 'job.json')
    writeFileSync(path, JSON.stringify(job))
    const script = fileURLToPath(new URL('python/sidecars_check.py', import.meta.url))
    return (await promisify(execFile)(interopPython(), ['-W', 'ignore', script, path], { maxBuffer: 2 ** 24 })).stdout
  }
})
