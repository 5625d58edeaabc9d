import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
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

  test('every array in zarr-python, tensorstore and zarrs; a tile in xarray and rioxarray', async () => {
    const { files } = JSON.parse(readFileSync(join(FIXTURES, 'golden.json'), 'utf8'))
    const stores = FILES.map((name) => {
      const address = Buffer.from(pathToFileURL(join(FIXTURES, name)).href).toString('base64url')
      const arrays = Object.fromEntries(
        Object.entries(files[name].arrays).map(([path, golden]) => [path.replaceAll('#', '_'), golden]),
      )
      return { url: `${server.url}zarr/~${address}/`, arrays }
    })
    const path = join(folder, 'job.json')
    writeFileSync(path, JSON.stringify({ stores, systems: [stores[1]?.url], tile: `${server.url}zarr/vegetation/` }))
    const script = fileURLToPath(new URL('python/hdf4_check.py', import.meta.url))
    const { stdout } = await promisify(execFile)(interopPython(), ['-W', 'ignore', script, path], {
      maxBuffer: 2 ** 24,
    })
    assert.deepEqual(JSON.parse(stdout), [])
  })
})
