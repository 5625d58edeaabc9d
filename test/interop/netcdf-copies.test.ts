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
    await python({ make: folder })
    const files = readdirSync(folder).filter((name) => name.endsWith('.tif'))
    assert.equal(files.length, 5)
    const cases = files.flatMap((name) => {
      const store = `${server.url}zarr/~${Buffer.from(pathToFileURL(join(folder, name)).href).toString('base64url')}`
      return [
        { id: name, url: `${store}/`, ...(name === 'points.tif' && { points: POINTS }) },
        { id: `${name} in levels`, url: `${store};layout=levels/`, tree: true },
      ]
    })
    await checkCopies(cases, 2 * (4 + 5 + 3 + 2))
  })

  async function checkCopies(cases: readonly Case[], least: number): Promise<void> {
    const { written, failures } = JSON.parse(await python({ cases }))
    assert.deepEqual(failures, [])
    assert.ok(written >= least, `${written} files were written`)
  }

  async function python(job: object): Promise<string> {
    const path = join(folder, 'job.json')
    writeFileSync(path, JSON.stringify(job))
    const script = fileURLToPath(new URL('python/netcdf_copies.py', import.meta.url))
    return (await promisify(execFile)(interopPython(), ['-W', 'ignore', script, path], { maxBuffer: 2 ** 24 })).stdout
  }
})
