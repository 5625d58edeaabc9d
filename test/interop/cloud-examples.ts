import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CloudService, storeOf } from './cloud-service.ts'
import { pythonJob } from './python.ts'

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url))

/** The bundled examples, one of each format at least, as keys and bytes. */
export function* exampleFiles(): Generator<readonly [key: string, bytes: Uint8Array]> {
  for (const entry of readdirSync(EXAMPLES, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) yield [path.slice(EXAMPLES.length), readFileSync(path)]
  }
}

const NETCDF3 = ['sea-surface.nc', 'buoy.nc', 'relief.nc']
const ZARR = ['chlorophyll.zarr/', 'forest.zarr/', 'rivers.zarr.zip']
/** Those that scripts read beside their files. */
const BY_SCRIPTS = [
  ...NETCDF3,
  ...ZARR,
  'harvest.tif',
  'atmosphere.nc',
  'nebula.fits',
  'currents.nc.dmrpp',
  'storms.json',
]
/** Examples that none of them has an oracle for: of other formats, and made of several files. */
const OTHERS = ['vegetation.hdf']
const OF_MANY = ['rain.json', 'coast.json', 'meadow.json']

interface Row {
  readonly client: string
  readonly case: string
  readonly read: number
  readonly failures: readonly string[]
}

type LocationOf = (key: string) => string

/**
 * Lets xarray, zarr-python and others read each example through the service from where `locationOf` says that it lies, and
 * compares with what readers of the files themselves (netCDF4, h5py, rasterio, astropy, fsspec) show.
 */
export async function readExamples(service: CloudService, locationOf: LocationOf): Promise<readonly Row[]> {
  const refs = await referencesOf(service, 'storms.json')
  return await rowsOf((folder) => {
    const path = join(folder, 'storms.json')
    writeFileSync(path, refs)
    return jobsOf(service, locationOf, path)
  })
}

/** Lets xarray read each example from there and over HTTP: whom one cloud's bytes satisfy, another's do when they are the same. */
export async function compareExamples(service: CloudService, locationOf: LocationOf): Promise<readonly Row[]> {
  return await rowsOf(() => ({
    'same_store.py': [...BY_SCRIPTS, ...OTHERS, ...OF_MANY].map(sameStore(service, locationOf)),
  }))
}

/** Runs scripts of the folder `python`, each with its cases. */
async function rowsOf(jobs: (folder: string) => Readonly<Record<string, readonly object[]>>): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'clouds-'))
  try {
    const rows: Row[] = []
    for (const [script, cases] of Object.entries(jobs(folder))) {
      rows.push(...(await pythonJob<{ rows: readonly Row[] }>(script, { cases })).rows)
    }
    return rows
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function sameStore(service: CloudService, locationOf: LocationOf) {
  return (name: string) => ({
    id: `examples/${name}`,
    url: service.url + storeOf(locationOf(name)),
    other: service.url + storeOf(service.examples + name),
  })
}

/** References to the example as it lies over HTTP: fsspec reads them without the service, and without what makes up the example. */
async function referencesOf(service: CloudService, name: string): Promise<string> {
  const response = await fetch(`${service.url}export?url=${encodeURIComponent(service.examples + name)}`)
  assert.equal(response.status, 200)
  return await response.text()
}

/** The cases of each script: what it needs besides the URL is that of the same examples in the tests of their formats. */
function jobsOf(service: CloudService, locationOf: LocationOf, refs: string) {
  const urlOf = (key: string, options = '') => service.url + storeOf(locationOf(key), options)
  // By such names the scripts know what is documented to be otherwise than xarray shows it.
  const file = (name: string) => ({
    id: `examples/${name}`,
    source: join(EXAMPLES, name).replace(/\/$/, ''),
    url: urlOf(name),
  })
  const paths = ['/time', '/air_temperature', '/precipitation', '/cloud', '/stations/name', '/stations/hourly/pressure']
  return {
    'read_all.py': [
      ...NETCDF3.map((name) => ({ ...file(name), format: 'netcdf3', golden: null })),
      ...ZARR.map((name) => ({ ...file(name), format: 'zarr', golden: null })),
    ],
    'tiff_check.py': [{ ...file('harvest.tif'), flat: urlOf('harvest.tif', ';layout=ifd'), golden: null }],
    'hdf5_check.py': [{ ...file('atmosphere.nc'), paths, isNetcdf: true }],
    'fits_check.py': [file('nebula.fits')],
    'dmrpp_check.py': [{ ...file('currents.nc.dmrpp'), source: join(EXAMPLES, 'currents.nc'), hashes: null }],
    // What independent readers of the files show is compared with the same stores by the tests of their formats.
    'same_store.py': [...OTHERS, ...OF_MANY].map(sameStore(service, locationOf)),
    'export_check.py': [{ id: 'storms.json', url: urlOf('storms.json', ';codecs=native'), refs, set: null }],
  }
}

/** Fails with what differs; answers how many arrays were read. */
export function assertAllEqual(rows: readonly Row[]): number {
  const failures = rows.flatMap((row) => row.failures.map((failure) => `${row.client}, ${row.case}: ${failure}`))
  assert.deepEqual(failures, [])
  const cases = new Set(rows.filter(({ read }) => read > 0).map((row) => row.case))
  assert.equal(cases.size, BY_SCRIPTS.length + OTHERS.length + OF_MANY.length, [...cases].join(', '))
  return rows.reduce((sum, row) => sum + row.read, 0)
}
