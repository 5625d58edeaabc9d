import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type FormatFiles, servedFormat } from './format-files.ts'
import { pythonJob } from './python.ts'
import { storeUrl } from './server-process.ts'

const EXAMPLES = new URL('../../examples/', import.meta.url)

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
  const files = servedFormat('hdf5')

  test('TEST-1, TEST-2: xarray, zarr-python, tensorstore and zarrs', async () => {
    const cases = [exampleCase(files.server), ...fixtureCases(files), ...corpusCases(files)]
    const { rows } = await pythonJob<{ rows: readonly Row[] }>('hdf5_check.py', { cases })
    printTable(rows)
    const failures = rows.flatMap((row) => row.failures.map((failure) => `${row.client}, ${row.case}: ${failure}`))
    assert.deepEqual(failures, [])
    const read = rows.reduce((sum, row) => sum + row.read, 0)
    assert.ok(read >= cases.length * 4, `${read} arrays of ${cases.length} files were read`)
  })
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

function fixtureCases({ server, own, ownUrl }: FormatFiles): Case[] {
  const golden = JSON.parse(readFileSync(new URL('golden.json', own), 'utf8')) as Record<string, Golden>
  const usual = Object.entries(golden).map(([name, arrays]) => [name, Object.keys(arrays)] as const)
  return [...usual, ...Object.entries(ODD)].map(([name, paths]) => ({
    id: `fixtures/${name}`,
    source: fileURLToPath(new URL(name, own)),
    url: storeUrl(server, ownUrl + name),
    paths,
    isNetcdf: name.endsWith('.nc'),
  }))
}

function corpusCases({ server, shared, sharedUrl }: FormatFiles): Case[] {
  if (sharedUrl === undefined) return []
  const { files } = JSON.parse(readFileSync(new URL('golden.json', shared), 'utf8')) as {
    files: Record<string, GoldenFile>
  }
  return Object.entries(files)
    .filter(([, { expect }]) => expect === 'ok' || expect === 'unsupported-ok')
    .map(([name, { arrays, features }]) => ({
      id: `hdf5/${name}`,
      source: fileURLToPath(new URL(name.split('/').map(encodeURIComponent).join('/'), shared)),
      url: storeUrl(server, sharedUrl + name.split('/').map(encodeURIComponent).join('/')),
      paths: Object.entries(arrays).flatMap(([path, array]) => (isRead(array) ? [path] : [])),
      isNetcdf: /\.nc4?$/.test(name) || features.includes('nc-dims'),
    }))
}

/** What was never written and has no fill value is not the same in two readers. */
function isRead({ expect, values, dimension_only: isDimension }: GoldenArray): boolean {
  return expect === undefined && isDimension !== true && values?.includes('undefined') !== true
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
