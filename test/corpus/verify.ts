// `npm run verify:corpus [-- FORMAT…]`: how many arrays of each corpus an independent reader confirms. Examples come first.
import { existsSync, globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildApp } from '../../src/server/app.ts'
import { readConfig } from '../../src/server/config.ts'
import { openService } from '../../src/server/service.ts'
import { verifyStore } from '../../src/server/verification.ts'
import type { VerifyReport } from '../../src/verify/report.ts'
import { sourceFile } from '../../src/verify/source-file.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const CORPUS = join(ROOT, '../shared/corpus')
const FORMATS = ['tiff', 'hdf5', 'netcdf3', 'dmrpp', 'fits', 'grib', 'hdf4', 'kerchunk', 'zarr']
/** Whatever is asked for: chunks that are there by the million would only cost time. */
const SAMPLE = 1

const asked = process.argv.slice(2)
const folders = [
  ['examples', join(ROOT, 'examples')],
  ...FORMATS.map((format) => [format, join(CORPUS, format)]),
] as const
const config = readConfig({
  flags: { 'file-root': existsSync(CORPUS) ? resolve(CORPUS, '../../..') : ROOT, 'log-level': 'silent' },
  environment: {},
  bundledCatalog: undefined,
})
const service = openService(config)
const { http } = await buildApp({ ...service, catalog: config.catalog }, config)
let wrong = 0

for (const [name, folder] of folders) {
  if ((asked.length > 0 && !asked.includes(name)) || !existsSync(folder)) continue
  const paths = globSync(
    '**/*.{nc,nc4,h5,hdf5,hdf,tif,tiff,fits,fit,nxs,he5,bag,mat,dmrpp,grib,grib2,grb,cdf,HDF,hdf4}',
    { cwd: folder },
  )
  const counts = { files: 0, refused: 0, confirmed: 0, differs: 0, fault: 0, 'not-compared': 0, values: 0 }
  const why = new Map<string, number>()
  for (const path of paths.sort()) {
    const report = await reportOf(pathToFileURL(join(folder, path)).href)
    counts.files++
    if (report === undefined) {
      counts.refused++
      continue
    }
    const { totals, arrays } = report
    for (const key of ['confirmed', 'differs', 'fault', 'not-compared', 'values'] as const) counts[key] += totals[key]
    for (const [array, { result, differences, why: reason = '' }] of Object.entries(arrays)) {
      if (result === 'differs') console.log(`  ${name}/${path} ${array}: ${JSON.stringify(differences[0])}`)
      if (result === 'not-compared') why.set(reason.slice(0, 90), (why.get(reason.slice(0, 90)) ?? 0) + 1)
    }
  }
  wrong += counts.differs
  console.log(
    `${name}: ${Object.entries(counts)
      .map(([key, count]) => `${count} ${key}`)
      .join(', ')}`,
  )
  for (const [reason, count] of [...why].sort((one, other) => other[1] - one[1]).slice(0, 6))
    console.log(`    ${count} not compared: ${reason}`)
}
await http.close()
await service.close()
process.exitCode = wrong === 0 ? 0 : 1

/** Undefined for a source that is refused: the corpora hold damaged ones. */
async function reportOf(url: string): Promise<VerifyReport | undefined> {
  try {
    const file = (_parsed: object, signal: AbortSignal | undefined) => sourceFile(url, 2 ** 31, signal)
    return await verifyStore(http, service, { url, options: new Map(), sample: SAMPLE, file })
  } catch (error) {
    if (error instanceof Error && error.name === 'VirtualZarrError') return undefined
    throw error
  }
}
