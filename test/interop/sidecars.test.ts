import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { generate } from '../generators/pam.ts'
import { pythonJob } from './python.ts'
import { type ServerProcess, startServer, storeUrl } from './server-process.ts'

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
    await pythonJob('sidecars_check.py', { folder })
    const files = readdirSync(folder)
    assert.ok(files.filter((name) => name.endsWith('.aux.xml')).length >= 15, files.join(' '))
    const cases = files.filter((name) => /\.tif$/i.test(name)).map(caseOf)
    assert.equal(cases.length, 29)
    assert.deepEqual(await pythonJob('sidecars_check.py', { cases }), [])
  })

  function caseOf(name: string) {
    const source = join(folder, name)
    return { id: name, source, url: storeUrl(server.url, pathToFileURL(source).href) }
  }
})

test('300 random PAM documents have no nodata value, scale or place other than GDAL reads, or say so', async () => {
  const { documents, differences } = await generate(4, 300)
  assert.equal(documents, 300)
  assert.deepEqual(differences, [])
})
