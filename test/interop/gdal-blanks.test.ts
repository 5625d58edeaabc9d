import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { pythonScript } from './python.ts'
import { type ServerProcess, startServer, storeUrl } from './server-process.ts'

const VALUES = [
  [0, 1, 2, 3],
  [4, 5, 6, 7],
]

describe("CL-1: GDAL's Zarr driver opens arrays whose path contains a blank", () => {
  let server: ServerProcess
  let folder: string

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'interop-gdal-'))
    const zarray = { zarr_format: 2, shape: [2, 4], chunks: [2, 4], dtype: '<f4', compressor: null, filters: null }
    const document = JSON.stringify({ ...zarray, fill_value: 0, order: 'C' })
    const bytes = `base64:${Buffer.from(new Float32Array(VALUES.flat()).buffer).toString('base64')}`
    const refs = ['My Grid/Data Fields/v', 'two words', 'plain'].flatMap((path) => [
      [`${path}/.zarray`, document],
      [`${path}/0.0`, bytes],
    ])
    const groups = ['.zgroup', 'My Grid/.zgroup', 'My Grid/Data Fields/.zgroup'].map((key) => [
      key,
      '{"zarr_format": 2}',
    ])
    writeFileSync(
      join(folder, 'blanks.json'),
      JSON.stringify({ version: 1, refs: Object.fromEntries([...groups, ...refs]) }),
    )
    server = await startServer({ VZ_FILE_ROOT: folder })
  })
  after(async () => {
    await server?.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  test('in the spelling that its own listing gives them', async () => {
    const url = storeUrl(server.url, pathToFileURL(join(folder, 'blanks.json')).href)
    const paths = ['My%20Grid/Data%20Fields/v', 'two%20words', 'plain']
    const check = pythonScript('gdal_blanks_check.py')
    const { gdal, values } = await check<{ gdal: string; values: object }>(url.replace(/\/$/, ''), ...paths)
    console.log(`GDAL ${gdal}`)
    assert.deepEqual(values, Object.fromEntries(paths.map((path) => [path, VALUES])))
  })
})
