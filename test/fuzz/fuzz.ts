import { readdirSync, readFileSync } from 'node:fs'
import { randoms } from '../helpers/randoms.ts'
import { startBombOrigin } from '../hostile/bomb-origin.ts'
import { firstChunk } from '../hostile/first-chunk.ts'
import { type Cost, startLab } from '../hostile/lab.ts'
import { tooMuch } from '../hostile/too-much.ts'
import { damaged } from './damaged.ts'

const FIXTURES = new URL('../fixtures/', import.meta.url)
const FORMATS = ['dmrpp', 'fits', 'grib', 'hdf4', 'hdf5', 'kerchunk', 'netcdf3', 'tiff'] as const
const SOURCES = /\.(?:tiff?|h5|hdf|nc|fits|grib2?|grb2?|json|dmrpp)$/
const MOST_FILE_BYTES = 4 * 2 ** 20

export interface FuzzSettings {
  /** After these many damaged files, or so much time, it ends. */
  readonly rounds: number
  readonly milliseconds: number
  readonly seed: number
  /** All formats where none is named. */
  readonly format?: string | undefined
}

export interface FuzzReport {
  readonly rounds: number
  readonly statuses: ReadonlyMap<number, number>
  /** Answers that no damaged file may get, with the numbers that make it again. */
  readonly finds: readonly string[]
  /** The longest time in which nobody else was answered. */
  readonly blockedMilliseconds: number
}

/** Asks a server for damaged copies of fixtures, documents and chunks, and tells what it should not have answered. */
export async function fuzz({ rounds, milliseconds, seed, format }: FuzzSettings): Promise<FuzzReport> {
  const files = fixtures(format)
  const origin = await startBombOrigin()
  const lab = await startLab([origin.url])
  const statuses = new Map<number, number>()
  const finds: string[] = []
  let blockedMilliseconds = 0
  let round = 0
  const note = (cost: Cost, what: string) => {
    statuses.set(cost.status, (statuses.get(cost.status) ?? 0) + 1)
    blockedMilliseconds = Math.max(blockedMilliseconds, cost.blockedMilliseconds)
    const reason = tooMuch(cost)
    if (reason !== undefined) finds.push(`${what}, seed ${seed}: ${reason}`)
  }
  try {
    for (const end = Date.now() + milliseconds; round < rounds && Date.now() < end; round++) {
      const path = files[round % files.length] ?? ''
      const name = `${round}-${path.slice(path.lastIndexOf('/') + 1)}`
      origin.clear()
      origin.put(name, damaged(readFileSync(new URL(path, FIXTURES)), randoms(seed + round)))
      const document = await lab.ask(origin.url + name, 'zarr.json')
      note(document, `${path} round ${round} zarr.json`)
      const key = document.status === 200 ? firstChunk(document.text) : undefined
      if (key !== undefined) note(await lab.ask(origin.url + name, key), `${path} round ${round} ${key}`)
    }
  } finally {
    await lab.stop()
    await origin.close()
  }
  return { rounds: round, statuses, finds, blockedMilliseconds }
}

/** Sources of one file each, below the fixtures. */
function fixtures(format: string | undefined): string[] {
  const formats = format === undefined ? FORMATS : FORMATS.filter((name) => name === format)
  if (formats.length === 0) throw new RangeError(`format ${format} is none of ${FORMATS.join(', ')}`)
  return formats.flatMap((name) =>
    readdirSync(new URL(`${name}/`, FIXTURES))
      .filter((file) => SOURCES.test(file) && file !== 'golden.json')
      .map((file) => `${name}/${file}`)
      .filter((path) => readFileSync(new URL(path, FIXTURES)).length <= MOST_FILE_BYTES),
  )
}
