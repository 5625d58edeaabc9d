// `npm run verify:corpus [-- FORMAT…]`: how many arrays of each corpus an independent reader confirms. Examples come first.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openSweep, sourcesIn, sweptSources } from './verify-sweep.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const CORPUS = join(ROOT, '../shared/corpus')
const FORMATS = ['tiff', 'hdf5', 'netcdf3', 'dmrpp', 'kerchunk', 'zarr', 'icechunk', 'fits', 'grib', 'hdf4']

/** Beside sidecars and references lie the files that they lead into, which are sources of other formats. */
const OF_FORMAT: Readonly<Record<string, RegExp>> = { dmrpp: /\.dmrpp$/, kerchunk: /^ref\.json$/ }
const NO_SOURCES = /^(?:golden\.json|catalog\.yaml|README.*)$/

const asked = process.argv.slice(2)
const folders = [
  ['examples', join(ROOT, 'examples')],
  ...FORMATS.map((format) => [format, join(CORPUS, format)] as const),
] as const
const sweep = await openSweep(existsSync(CORPUS) ? resolve(CORPUS, '../../..') : ROOT)
let wrong = 0

for (const [name, folder] of folders) {
  if ((asked.length > 0 && !asked.includes(name)) || !existsSync(folder)) continue
  const begun = performance.now()
  const isSource = (file: string) => !NO_SOURCES.test(file) && (OF_FORMAT[name]?.test(file) ?? true)
  const { counts, why, told } = await sweptSources(sweep, sourcesIn(folder, isSource))
  wrong += counts.differs
  const seconds = Math.round((performance.now() - begun) / 1000)
  const text = Object.entries(counts).map(([key, count]) => `${count} ${key}`)
  console.log(`${name}: ${text.join(', ')} (${seconds} s)`)
  for (const line of told) console.log(`    ${line.replace(`${folder}/`, '').slice(0, 400)}`)
  for (const [reason, count] of [...why].sort((one, other) => other[1] - one[1]).slice(0, 12))
    console.log(`    ${count} not compared: ${reason}`)
}
await sweep.close()
process.exitCode = wrong === 0 ? 0 : 1
