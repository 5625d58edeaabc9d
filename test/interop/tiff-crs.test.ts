import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { startStaticOrigin } from '../corpus/static-origin.ts'
import { startServer } from './server-process.ts'
import { interopPython } from './venv.ts'

interface Report {
  readonly same: number
  readonly without: number
  readonly failures: readonly string[]
}

const script = fileURLToPath(new URL('python/crs_check.py', import.meta.url))

test('TEST-1: points are where rasterio has them, in each system of the fixtures', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'interop-crs-'))
  const run = (...args: string[]) =>
    promisify(execFile)(interopPython(), ['-W', 'ignore', script, ...args], { maxBuffer: 2 ** 24 })
  await run('write', folder)
  const origin = await startStaticOrigin(pathToFileURL(`${folder}/`))
  const server = await startServer({ VZ_ALLOW_SOURCES: origin.url })
  try {
    const { stdout } = await run('compare', folder, server.url, origin.url)
    const { same, without, failures } = JSON.parse(stdout) as Report
    assert.deepEqual(failures, [])
    assert.ok(same > 500, `${same} systems have the same points`)
    console.log(`${same} systems have the same points, ${without} have none on a map, here or there`)
  } finally {
    await server.stop()
    await origin.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
