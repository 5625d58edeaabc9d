import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type StaticOrigin, startStaticOrigin } from '../corpus/static-origin.ts'
import { CORPUS_FOLDER } from './cases.ts'
import { pythonJob } from './python.ts'
import { type ServerProcess, startServer, storeUrl } from './server-process.ts'

/** Files of the shared corpus with regular grids that GDAL places too. */
const OF_CORPUS = [
  'netcdf3/byte_nc3_golden.nc',
  'netcdf3/netcdf-4d.nc',
  'netcdf3/testWriteRecord.nc',
  'netcdf3/trmm-nc2.nc',
  'hdf5/gdal__era5_t2m.nc',
  'hdf5/gdal__ushort.nc',
]

describe('CONV-8: regular grids of NetCDF files lie where GDAL and xarray have them', () => {
  let server: ServerProcess
  let origin: StaticOrigin | undefined
  let folder: string

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'interop-grids-'))
    if (existsSync(CORPUS_FOLDER)) origin = await startStaticOrigin(CORPUS_FOLDER)
    else
      console.log(
        'skipped: the shared corpus (../shared/corpus) is not on this machine; only files of our own are read',
      )
    server = await startServer({ VZ_FILE_ROOT: folder, VZ_ALLOW_SOURCES: origin?.url ?? '' })
  })
  after(async () => {
    await server?.stop()
    await origin?.close()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  test('transform, shape and reference system', async () => {
    await pythonJob('grids_check.py', { folder })
    const own = readdirSync(folder)
      .filter((name) => name.endsWith('.nc'))
      .map((name) => ({ ...caseOf(name, pathToFileURL(join(folder, name))), isOwn: true }))
    assert.equal(own.length, 10)
    const shared = OF_CORPUS.map((name) => caseOf(name, new URL(name, CORPUS_FOLDER), `${origin?.url}${name}`))
    const answer = await pythonJob('grids_check.py', { cases: [...own, ...(origin === undefined ? [] : shared)] })
    assert.deepEqual(answer, [])
  })

  function caseOf(id: string, file: URL, url = file.href) {
    return { id, source: fileURLToPath(file), url: storeUrl(server.url, url) }
  }
})
