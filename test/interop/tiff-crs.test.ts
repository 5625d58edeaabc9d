import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { startStaticOrigin } from '../corpus/static-origin.ts'
import { pythonScript } from './python.ts'
import { startServer } from './server-process.ts'

interface Report {
  readonly same: number
  readonly without: number
  readonly failures: readonly string[]
}

const python = pythonScript('crs_check.py')

test('TEST-1: points are where rasterio has them, in each system of the fixtures', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'interop-crs-'))
  await python('write', folder)
  const origin = await startStaticOrigin(pathToFileURL(`${folder}/`))
  const server = await startServer({ VZ_ALLOW_SOURCES: origin.url })
  try {
    const { same, without, failures } = await python<Report>('compare', folder, server.url, origin.url)
    assert.deepEqual(failures, [])
    assert.ok(same > 500, `${same} systems have the same points`)
    console.log(`${same} systems have the same points, ${without} have none on a map, here or there`)
  } finally {
    await server.stop()
    await origin.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
