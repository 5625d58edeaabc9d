import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { interopPython } from '../interop/venv.ts'
import type { LonLat } from './viewer.ts'

/** A place, and what rasterio reads there: null where it is masked. */
export type Probe = readonly [longitude: number, latitude: number, values: readonly number[] | null]

/** What a COG holds, as rasterio reads it. */
export interface Expected {
  readonly crs: string
  readonly isLossy: boolean
  readonly levels: readonly { readonly height: number; readonly width: number; readonly sha256: string }[]
  /** Lowest and highest value of an image with one band. */
  readonly range: readonly [number, number] | null
  readonly scale: number | null
  readonly offset: number | null
  readonly centres: readonly Probe[]
  /** Places four pixels inside the borders of the cells. */
  readonly borders: readonly Probe[]
  readonly outside: readonly LonLat[]
  readonly corners: readonly LonLat[]
}

/** Writes the COGs into a folder; what they hold, by name. */
export function makeCogs(folder: string): Readonly<Record<string, Expected>> {
  const script = fileURLToPath(new URL('make_cogs.py', import.meta.url))
  execFileSync(interopPython(), ['-W', 'ignore', script, folder], { stdio: ['ignore', 'inherit', 'inherit'] })
  return JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Record<string, Expected>
}
