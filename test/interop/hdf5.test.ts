import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type StaticOrigin, startStaticOrigin } from '../corpus/static-origin.ts'
import { CORPUS_FOLDER } from './cases.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { interopPython } from './venv.ts'

const EXAMPLES = new URL('../../examples/', import.meta.url)
const FIXTURES = new URL('../fixtures/hdf5/', import.meta.url)
const SHARED = new URL('hdf5/', CORPUS_FOLDER)

interface Case {
  readonly id: string
  readonly source: string
  readonly url: string
  /** Of the datasets that h5py reads. */
  readonly paths: readonly string[]
  /** Whether xarray's own readers are asked too. */
  readonly isNetcdf: boolean
}

interface Row {
  readonly client: string
  readonly case: string
  readonly read: number
  readonly refused: number
  readonly failures: readonly string[]
}

type Golden = Readonly<Record<string, GoldenArray>>

interface GoldenArray {
  readonly expect?: string
  readonly dimension_only?: boolean
  /** Why they are not hashed. */
  readonly values?: string
}

interface GoldenFile {
  readonly expect: string
  readonly features: readonly string[]
  readonly arrays: Golden
}

describe('HDF5 and NetCDF-4 files, through the running service, as h5py and netCDF4 read them', () => {
  let server: ServerProcess
  let fixtures: StaticOrigin
  let corpus: StaticOrigin | undefined
  let folder: string

  before(async () => {
    fixtures = await startStaticOrigin(FIXTURES)
    if (existsSync(SHARED)) corpus = await startStaticOrigin(SHARED)
    else
      console.log('skipped: the shared corpus (../shared/corpus) is not on this machine; only our own files are read')
    const allowed = [fixtures.url, ...(corpus === undefined ? [] : [corpus.url])]
    server = await startServer({ VZ_ALLOW_SOURCES: allowed.join(',') })
    folder = mkdtempSync(join(tmpdir(), 'interop-hdf5-'))
  })
  after(async () => {
    await server?.stop()
    await fixtures?.close()
    await corpus?.close()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  test('TEST-1, TEST-2: xarray, zarr-python, tensorstore and zarrs', async () => {
    const cases = [
      exampleCase(server.url),
      ...fixtureCases(server.url, fixtures.url),
      ...(corpus === undefined ? [] : corpusCases(server.url, corpus.url)),
    ]
    const rows = await readWithPython(cases)
    printTable(rows)
    const failures = rows.flatMap((row) => row.failures.map((failure) => `${row.client}, ${row.case}: ${failure}`))
    assert.deepEqual(failures, [])
    const read = rows.reduce((sum, row) => sum + row.read, 0)
    assert.ok(read >= cases.length * 4, `${read} arrays of ${cases.length} files were read`)
  })

  async function readWithPython(cases: readonly Case[]): Promise<readonly Row[]> {
    const job = join(folder, 'job.json')
    writeFileSync(job, JSON.stringify({ cases }))
    const script = fileURLToPath(new URL('python/hdf5_check.py', import.meta.url))
    // Not the synchronous form: the origins live in this process.
    const { stdout } = await promisify(execFile)(interopPython(), ['-W', 'ignore', script, job], {
      maxBuffer: 2 ** 26,
    })
    return (JSON.parse(stdout) as { rows: Row[] }).rows
  }
})

function exampleCase(serviceUrl: string): Case {
  const paths = ['/time', '/air_temperature', '/precipitation', '/cloud', '/stations/name', '/stations/hourly/pressure']
  const source = fileURLToPath(new URL('atmosphere.nc', EXAMPLES))
  return { id: 'examples/atmosphere', source, url: `${serviceUrl}zarr/atmosphere/`, paths, isNetcdf: true }
}

/** Of make_odd.py, and what h5py reads in them. */
const ODD = {
  'sequences.h5': ['/run', '/chunked', '/unwritten', '/empty', '/scalar', '/large'],
  'references.h5': ['/cell', '/packed'],
  'names_old.h5': ['/d', '/café', '/soft1', '/soft2', '/soft3'],
  'complex.h5': ['/c32LE', '/c32BE', '/c64LE', '/c64BE'],
  'noncoord.nc': ['/v'],
}

function fixtureCases(serviceUrl: string, originUrl: string): Case[] {
  const golden = JSON.parse(readFileSync(new URL('golden.json', FIXTURES), 'utf8')) as Record<string, Golden>
  const usual = Object.entries(golden).map(([name, arrays]) => [name, Object.keys(arrays)] as const)
  return [...usual, ...Object.entries(ODD)].map(([name, paths]) => ({
    id: `fixtures/${name}`,
    source: fileURLToPath(new URL(name, FIXTURES)),
    url: storeUrl(serviceUrl, originUrl + name),
    paths,
    isNetcdf: name.endsWith('.nc'),
  }))
}

function corpusCases(serviceUrl: string, originUrl: string): Case[] {
  const { files } = JSON.parse(readFileSync(new URL('golden.json', SHARED), 'utf8')) as {
    files: Record<string, GoldenFile>
  }
  return Object.entries(files)
    .filter(([, { expect }]) => expect === 'ok' || expect === 'unsupported-ok')
    .map(([name, { arrays, features }]) => ({
      id: `hdf5/${name}`,
      source: fileURLToPath(new URL(name.split('/').map(encodeURIComponent).join('/'), SHARED)),
      url: storeUrl(serviceUrl, originUrl + name.split('/').map(encodeURIComponent).join('/')),
      paths: Object.entries(arrays).flatMap(([path, array]) => (isRead(array) ? [path] : [])),
      isNetcdf: /\.nc4?$/.test(name) || features.includes('nc-dims'),
    }))
}

/** What was never written and has no fill value is not the same in two readers. */
function isRead({ expect, values, dimension_only: isDimension }: GoldenArray): boolean {
  return expect === undefined && isDimension !== true && values?.includes('undefined') !== true
}

function storeUrl(serviceUrl: string, sourceUrl: string): string {
  return `${serviceUrl}zarr/~${Buffer.from(sourceUrl).toString('base64url')}/`
}

function printTable(rows: readonly Row[]): void {
  const clients = [...new Set(rows.map(({ client }) => client))]
  const sum = (client: string, count: (row: Row) => number) =>
    rows.filter((row) => row.client === client).reduce((total, row) => total + count(row), 0)
  console.table(
    clients.map((client) => ({
      client,
      'arrays equal': sum(client, ({ read }) => read),
      'refused (known limit)': sum(client, ({ refused }) => refused),
      failures: sum(client, ({ failures }) => failures.length),
    })),
  )
}
