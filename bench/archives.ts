import { execFileSync } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { idxOf, indexOf, type LargeGrib, largeGrib } from '../test/helpers/large-grib.ts'
import type { Goal } from './format-cases.ts'
import { printRows } from './format-report.ts'
import { getStore, type Run, rowOf, type StepRow } from './format-steps.ts'
import type { DecodeRates, DecodeTask } from './grib-decode.ts'
import { type Keep, type Running, startWorker } from './processes.ts'
import { pythonWith } from './python.ts'
import { startService } from './service.ts'
import { type SourceServer, sourceServerProgram, startSourceServer } from './source-server.ts'

const CACHE = new URL('../node_modules/.cache/', import.meta.url)
const SCRIPT = fileURLToPath(new URL('peers/archives.py', import.meta.url))
const FIXTURES = new URL('../test/fixtures/', import.meta.url)
const PACKAGES = ['eccodes', 'numpy', 'pyhdf']
const REPEATS = 3
const MESSAGES = 1000
const POINTS = 1440 * 721
/** Of ecCodes' speed: simply packed fields, and all others. */
const SIMPLE_GOAL = 1
const OTHER_GOAL = 0.4

/** A file, what is asked of it after it was opened, and what opening may cost. */
interface Archive {
  readonly file: string
  readonly title: string
  readonly chunks: readonly string[]
  readonly goal?: Goal
}

const ARCHIVES: readonly Archive[] = [
  { file: 'plain.grib2', title: '500 MB of GRIB, 1,000 messages', chunks: ['t/c/3/4/0/0'] },
  { file: 'noaa.grib2', title: 'the same with .idx', chunks: ['t/c/3/4/0/0'], goal: { megabytes: 2 } },
  { file: 'ecmwf.grib2', title: 'the same with .index', chunks: ['t/c/3/4/0/0'], goal: { megabytes: 2 } },
  {
    file: 'modis.hdf',
    title: '2,000 chunks of HDF4, compressed',
    chunks: ['EV_1KM_Emissive/c/3/4/5', 'EV_1KM_Emissive/c/8/1/1', 'EV_250_Aggr1km_RefSB/c/0/0/0'],
  },
]

/** Cold opens of large GRIB and HDF4 files at 50 ms latency, and how fast each packing is decoded beside ecCodes. */
export async function benchArchives(keep: Keep, isQuick: boolean): Promise<void> {
  if (isQuick) return console.log('skipped: GRIB and HDF4 (BENCH_QUICK)')
  const folder = fileURLToPath(new URL('bench/archives', CACHE))
  let python: string
  try {
    python = makeFiles(folder)
  } catch (error) {
    return console.log(`skipped: GRIB and HDF4 (${error instanceof Error ? error.message : error})`)
  }
  await compareDecoding(keep, python, folder)
  const program = sourceServerProgram()
  if (program === undefined) return console.log('skipped: opening GRIB and HDF4 (no Go to build their origin)')
  const origin = await keep(startSourceServer(program, folder, '50ms'))
  const service = await keep(startService([origin.url]))
  for (const archive of ARCHIVES) printRows(archive.title, await rowsOf(archive, folder, service, origin))
}

function makeFiles(folder: string): string {
  const python = pythonWith('bench-archives-venv', PACKAGES)
  if (existsSync(join(folder, 'ecmwf.index'))) return python
  mkdirSync(folder, { recursive: true })
  execFileSync(python, [SCRIPT, 'make', folder], { stdio: 'inherit' })
  const large = largeGrib(MESSAGES)
  for (const name of ['plain', 'noaa', 'ecmwf']) writeSparse(join(folder, `${name}.grib2`), large)
  writeFileSync(join(folder, 'noaa.grib2.idx'), idxOf(large))
  copyFileSync(new URL('grib/forecast.grib', FIXTURES), join(folder, 'warm.grib2'))
  copyFileSync(new URL('hdf4/compressed.hdf', FIXTURES), join(folder, 'warm.hdf'))
  writeFileSync(join(folder, 'ecmwf.index'), indexOf(large))
  return python
}

/** Most of it takes no room on the disk. */
function writeSparse(path: string, { size, pieces }: LargeGrib): void {
  const file = openSync(path, 'w')
  ftruncateSync(file, size)
  for (const { offset, bytes } of pieces) writeSync(file, bytes, 0, bytes.length, offset)
  closeSync(file)
}

async function compareDecoding(keep: Keep, python: string, folder: string): Promise<void> {
  const worker = await keep(startWorker('./grib-decode.ts'))
  const theirs = JSON.parse(execFileSync(python, [SCRIPT, 'decode', folder]).toString()) as DecodeRates
  const ours = await worker.call<DecodeRates>({ folder, points: POINTS } satisfies DecodeTask)
  console.log('\nGRIB, decoding: MB of float32 a second of processor time')
  const table = Object.entries(theirs).map(([packing, rate]) => {
    const own = ours[packing] ?? 0
    return { packing, ours: Math.round(own), ecCodes: Math.round(rate), ratio: Number((own / rate).toFixed(2)) }
  })
  console.table(table)
  for (const { packing, ratio } of table) {
    const goal = packing.includes('simple') ? SIMPLE_GOAL : OTHER_GOAL
    if (ratio < goal) console.log(`missed: ${packing} ${ratio} of ecCodes, goal ${goal}`)
  }
}

/** Each time under a name that was never asked for: a link to the folder. Queries would keep indexes from being looked for. */
async function rowsOf(archive: Archive, folder: string, service: Running, origin: SourceServer): Promise<StepRow[]> {
  const { file, chunks, goal } = archive
  const runs: Run[][] = [[], ...chunks.map(() => [])]
  await getStore(service.url, `${origin.url}warm${file.slice(file.lastIndexOf('.'))}`, 'zarr.json')
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const name = `cold-${process.pid}-${Math.round(performance.now())}`
    symlinkSync('.', join(folder, name))
    for (const [step, key] of ['zarr.json', ...chunks].entries()) {
      const { result, stats } = await origin.counted(async () => {
        const start = performance.now()
        await getStore(service.url, `${origin.url}${name}/${file}`, key)
        return performance.now() - start
      })
      runs[step]?.push({ ...stats, milliseconds: result })
    }
  }
  return ['zarr.json, cold', ...chunks].map((step, place) =>
    rowOf(file, step, 'ours', runs[place] ?? [], place === 0 ? goal : undefined),
  )
}
