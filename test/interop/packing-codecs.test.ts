import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { parse } from 'yaml'
import { type StaticOrigin, startStaticOrigin } from '../corpus/static-origin.ts'
import { CORPUS_FOLDER } from './cases.ts'
import { pythonJob, pythonScript } from './python.ts'
import { type ServerProcess, startServer, storeUrl } from './server-process.ts'

const SCRIPT = 'packing_codecs_check.py'
const CATALOG = new URL('../../examples/catalog.yaml', import.meta.url)
const FORMATS = ['netcdf3', 'hdf5', 'hdf4', 'fits']

interface Case {
  readonly id: string
  /** Of the store, without its last slash: options follow. */
  readonly url: string
}

interface Report {
  readonly arrays: number
  readonly values: number
  readonly exact: number
  readonly files: readonly string[]
  readonly failures: readonly string[]
}

describe('COD-1: zarr-python unpacks packing=codecs by itself, as xarray unpacks the attributes', () => {
  let server: ServerProcess
  let origin: StaticOrigin | undefined
  let folder: string
  let refusal: string | undefined

  before(async () => {
    const version: string = await pythonScript(SCRIPT)('version')
    if (isOld(version)) refusal = `zarr-python ${version} has no codecs scale_offset and cast_value: 3.2 is the first`
    folder = mkdtempSync(join(tmpdir(), 'interop-packing-codecs-'))
    if (existsSync(CORPUS_FOLDER)) origin = await startStaticOrigin(CORPUS_FOLDER)
    server = await startServer({ VZ_FILE_ROOT: folder, VZ_ALLOW_SOURCES: origin?.url ?? '' })
  })
  after(async () => {
    await server?.stop()
    await origin?.close()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  test('the examples', async (t) => {
    if (refusal !== undefined) return t.skip(refusal)
    const { datasets } = parse(readFileSync(CATALOG, 'utf8')) as { datasets: readonly { readonly id: string }[] }
    const report = await read(datasets.map(({ id }) => ({ id, url: `${server.url}zarr/${id}` })))
    assert.ok(report.files.length >= 10 && report.arrays >= 54, `${report.arrays} arrays`)
  })

  test('every type, factor, sign and sentinel', async (t) => {
    if (refusal !== undefined) return t.skip(refusal)
    const paths: readonly string[] = await pythonScript(SCRIPT)('made', folder)
    const report = await read(paths.map((path) => caseOf(basename(path), pathToFileURL(path).href)))
    assert.ok(report.files.length === 2 && report.arrays > 5000, `${report.arrays} arrays`)
  })

  test('files of the corpus', async (t) => {
    if (refusal !== undefined) return t.skip(refusal)
    if (origin === undefined) return t.skip('the shared corpus is not on this machine')
    const { url } = origin
    const report = await read(goodFiles().map((path) => caseOf(path, url + path)))
    assert.ok(
      report.files.length >= 17 && report.arrays >= 70,
      `${report.arrays} arrays of ${report.files.length} files`,
    )
  })

  function caseOf(id: string, source: string): Case {
    return { id, url: storeUrl(server.url, source).slice(0, -1) }
  }
})

async function read(cases: readonly Case[]): Promise<Report> {
  const report = await pythonJob<Report>(SCRIPT, { cases })
  assert.deepEqual(report.failures, [])
  console.log(
    `${report.arrays} arrays of ${report.files.length} files, ${report.exact} of ${report.values} values exact`,
  )
  return report
}

function goodFiles(): string[] {
  return FORMATS.flatMap((format) => {
    const golden = readFileSync(new URL(`${format}/golden.json`, CORPUS_FOLDER), 'utf8')
    const { files } = JSON.parse(golden) as { files: Readonly<Record<string, { readonly expect: string }>> }
    const good = Object.entries(files).filter(([name, { expect }]) => expect === 'ok' && !name.startsWith('malformed/'))
    return good.map(([name]) => `${format}/${name}`)
  })
}

function isOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < 3 || (major === 3 && minor < 2)
}
