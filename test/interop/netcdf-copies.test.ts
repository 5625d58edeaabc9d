import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { pythonJob } from './python.ts'
import { type ServerProcess, startServer, storeUrl } from './server-process.ts'

/** Row, column, x and y of the ground control points of `points.tif`. */
const POINTS = [
  [0, 0, 10, 50],
  [0, 600, 16, 50],
  [600, 0, 10, 44],
  [600, 600, 16, 44],
]

interface Case {
  readonly id: string
  readonly url: string
  /** Is opened as one DataTree too. */
  readonly tree?: boolean
  readonly points?: readonly (readonly number[])[]
}

describe('what xarray opens it can write to NetCDF, and reads the same from there', () => {
  let server: ServerProcess
  let folder: string

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'interop-netcdf-'))
    server = await startServer({ VZ_FILE_ROOT: folder })
  })
  after(async () => {
    await server?.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  test('every example, in each of its groups', async () => {
    const answer = (await (await fetch(`${server.url}datasets`)).json()) as { datasets: readonly { id: string }[] }
    await checkCopies(
      answer.datasets.map(({ id }) => ({ id, url: `${server.url}zarr/${id}/` })),
      2 * answer.datasets.length,
    )
  })

  test('TIFF with scales, colours, control points, overviews and masks; layout=levels as one DataTree', async () => {
    await pythonJob('netcdf_copies.py', { make: folder })
    const files = readdirSync(folder).filter((name) => name.endsWith('.tif'))
    assert.equal(files.length, 5)
    const cases = files.flatMap((name) => {
      const source = pathToFileURL(join(folder, name)).href
      return [
        { id: name, url: storeUrl(server.url, source), ...(name === 'points.tif' && { points: POINTS }) },
        { id: `${name} in levels`, url: storeUrl(server.url, source, ';layout=levels'), tree: true },
      ]
    })
    await checkCopies(cases, 2 * (4 + 5 + 3 + 2))
  })

  async function checkCopies(cases: readonly Case[], least: number): Promise<void> {
    const { written, failures } = await pythonJob<{ written: number; failures: readonly string[] }>(
      'netcdf_copies.py',
      { cases },
    )
    assert.deepEqual(failures, [])
    assert.ok(written >= least, `${written} files were written`)
  }
})
