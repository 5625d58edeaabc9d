import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FormatCase } from './format-cases.ts'

const GENERATOR = fileURLToPath(new URL('../../shared/bench/gen.py', import.meta.url))
const CACHE = new URL('../node_modules/.cache/', import.meta.url)
const FOLDER = process.env['BENCH_DATA'] ?? fileURLToPath(new URL('bench', CACHE))
const FIXTURES = new URL('../test/fixtures/', import.meta.url)
const PACKAGES = ['h5py', 'netCDF4', 'rasterio', 'fsspec', 'aiohttp', 'obstore']
const PEERS = ['async-tiff', 'virtual-tiff', 'virtualizarr', 'async-hdf5']

/** Where the files are, and what reads them. */
export interface FormatFiles {
  readonly folder: string
  /** The interpreter that has the peers. */
  readonly python: string
  /** A folder with geotiff.js in it; undefined where it could not be installed. */
  readonly geotiff: string | undefined
}

/** Makes what is missing; undefined, with the reason told, where it can't be made. */
export function formatFiles(cases: readonly FormatCase[]): FormatFiles | undefined {
  mkdirSync(FOLDER, { recursive: true })
  try {
    const python = pythonOf(fileURLToPath(new URL('bench-venv', CACHE)))
    const letters = new Set(cases.filter(({ file }) => !existsSync(join(FOLDER, file))).map(({ letter }) => letter))
    if (letters.size > 0) {
      if (!existsSync(GENERATOR)) throw new Error('../shared/bench/gen.py is not on this machine')
      console.log(`making ${[...letters].join(', ')} in ${FOLDER}`)
      execFileSync(python, [GENERATOR, FOLDER, ...letters], { stdio: ['ignore', 'ignore', 'inherit'] })
    }
    for (const [fixture, name] of WARM_UPS) copyFileSync(new URL(fixture, FIXTURES), join(FOLDER, name))
    return { folder: FOLDER, python, geotiff: geotiffFolder() }
  } catch (error) {
    console.log(`skipped: large files of HDF5 and TIFF (${error instanceof Error ? error.message : error})`)
    return undefined
  }
}

const WARM_UPS = [
  ['hdf5/netcdf.nc', 'warm.nc'],
  ['hdf5/indexes.h5', 'warm.h5'],
  ['tiff/cog.tif', 'warm.tif'],
] as const

/** A small file of the same kind, opened first so that nobody pays for loading code. */
export function warmUpOf(file: string): string {
  return `warm${file.slice(file.lastIndexOf('.'))}`
}

function pythonOf(environment: string): string {
  const python = join(environment, 'bin', 'python')
  if (existsSync(python)) return python
  execFileSync('python3', ['-m', 'venv', environment])
  execFileSync(python, ['-m', 'pip', 'install', '--quiet', ...PACKAGES, ...PEERS], { stdio: 'inherit' })
  return python
}

function geotiffFolder(): string | undefined {
  const folder = fileURLToPath(new URL('bench-npm', CACHE))
  if (existsSync(join(folder, 'node_modules', 'geotiff'))) return folder
  mkdirSync(folder, { recursive: true })
  try {
    execFileSync('npm', ['install', '--prefix', folder, '--silent', 'geotiff@3'], { stdio: 'ignore' })
    return folder
  } catch {
    return undefined
  }
}
