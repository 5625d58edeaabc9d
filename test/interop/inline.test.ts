import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startServer } from './server-process.ts'
import { interopPython } from './venv.ts'

const SCRIPT = fileURLToPath(new URL('python/inline_check.py', import.meta.url))

interface Result {
  readonly failures: readonly string[]
  readonly requests: Readonly<Record<string, number>>
}

test('inlined arrays are what netCDF4 reads, in stores and in exports, and take xarray a few requests', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vz-inline-'))
  const server = await startServer({ VZ_FILE_ROOT: folder })
  try {
    const { stdout } = await promisify(execFile)(interopPython(), [SCRIPT, server.url, folder])
    const { failures, requests } = JSON.parse(stdout.slice(stdout.lastIndexOf('\n{'))) as Result
    assert.deepEqual(failures, [])
    // The document, the time axis, and the names and positions of stations.
    const { plain = 0, inline = 0 } = requests
    assert.ok(plain > 240 && inline < 20, JSON.stringify(requests))
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
