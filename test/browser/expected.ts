import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { interopPython } from '../interop/venv.ts'
import type { LonLat } from './viewer.ts'

/** A place, and what rasterio reads there: null where it is masked. */
export type Probe = readonly [longitude: number, latitude: number, values: readonly number[] | null]

/** What a file holds, as rasterio or netCDF4 reads it. */
export interface Expected {
  readonly crs: string
  readonly dtype: string
  /** How far colours may be off where the picture is noisy. */
  readonly tolerance?: number
  readonly levels: readonly { readonly height: number; readonly width: number; readonly sha256: string }[]
  /** Lowest and highest value of an image with one band. */
  readonly range: readonly [number, number] | null
  readonly scale: number | null
  readonly offset: number | null
  /** The missing value as it is stored; of NetCDF files. */
  readonly fill?: number | null
  readonly centres: readonly Probe[]
  /** Places four pixels inside the borders of the cells. */
  readonly borders: readonly Probe[]
  readonly outside: readonly LonLat[]
  readonly corners: readonly LonLat[]
}

/** Writes the COGs into a folder; what they hold, by name. */
export function makeCogs(folder: string): Readonly<Record<string, Expected>> {
  return made(folder, 'make_cogs.py')
}

/** The same with NetCDF files. */
export function makeGrids(folder: string): Readonly<Record<string, Expected>> {
  return made(folder, 'make_grids.py')
}

function made(folder: string, name: string): Readonly<Record<string, Expected>> {
  const script = fileURLToPath(new URL(name, import.meta.url))
  execFileSync(interopPython(), ['-W', 'ignore', script, folder], { stdio: ['ignore', 'inherit', 'inherit'] })
  return JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Record<string, Expected>
}
