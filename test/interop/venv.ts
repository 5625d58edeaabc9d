import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lazily } from '../../src/lazily.ts'
import { findPython } from './find-python.ts'

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url))

/** The Python of our own environment, made and filled with the pinned requirements on first use. */
export const interopPython = lazily(() => madePython('interop-venv', 'requirements.txt'))

/**
 * The Python that has ecCodes and cfgrib, in an environment of its own: where they lie, xarray loads them into every process, and a
 * process that has netCDF4, h5py or rasterio as well ends with damaged memory.
 */
export const gribPython = lazily(() => madePython('interop-grib-venv', 'requirements-grib.txt'))

function madePython(folder: string, requirementsName: string): string {
  const base = findPython()
  const venv = join(CACHE, folder)
  const requirements = fileURLToPath(new URL(requirementsName, import.meta.url))
  const python = join(venv, 'bin/python')
  const marker = join(venv, 'requirements.sha256')
  const wanted = createHash('sha256').update(`3.${base.minor}\n`).update(readFileSync(requirements)).digest('hex')
  if (existsSync(python) && existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return python
  // Anew, not on top: what another Python or older pins left would be found as well.
  rmSync(venv, { recursive: true, force: true })
  run(base.command, ['-m', 'venv', venv])
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements])
  writeFileSync(marker, wanted)
  return python
}

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with status ${status}`)
}
