import { type FormatCase, HDF5_CASES, TIFF_CASES } from './format-cases.ts'
import { type FormatFiles, formatFiles } from './format-files.ts'
import { hdf5Peers, placesByH5py, tiffPeers } from './format-peers.ts'
import { keepFormats, printCase } from './format-report.ts'
import { indexStep, type StepRow, serviceSteps } from './format-steps.ts'
import type { Keep, Running } from './processes.ts'
import { startService } from './service.ts'
import { type SourceServer, sourceServerProgram, startSourceServer } from './source-server.ts'

const REPEATS = 5

/**
 * Cold opens and whole indexes of large HDF5 files and TIFFs at 50 ms latency, beside others that do the same. Tells what
 * misses its goal; throws where a place is not the one that h5py finds.
 */
export async function benchFormats(keep: Keep, isQuick: boolean): Promise<void> {
  if (isQuick) return console.log('skipped: large files of HDF5 and TIFF (BENCH_QUICK)')
  const chosen = process.env['BENCH_FORMATS']?.split(',')
  const isChosen = ({ file }: FormatCase) => chosen === undefined || chosen.includes(file)
  const [hdf5, tiff] = [HDF5_CASES.filter(isChosen), TIFF_CASES.filter(isChosen)]
  const files = formatFiles([...hdf5, ...tiff])
  if (files === undefined) return
  const program = sourceServerProgram()
  if (program === undefined) return console.log('skipped: large files of HDF5 and TIFF (no Go to build their origin)')
  const origin = await startSourceServer(program, files.folder, '50ms')
  await keep(Promise.resolve(origin))
  const service = await keep(startService([origin.url]))
  const rows: StepRow[] = []
  for (const one of hdf5) {
    const own = await ours(one, service, origin)
    const others = one.isAlone === true ? [] : await hdf5Peers(one, files, origin, REPEATS)
    rows.push(...printCase(one, [...own, ...others]))
    checkPlaces(one, files, own)
  }
  for (const one of tiff) {
    const own = await ours(one, service, origin)
    rows.push(...printCase(one, [...own, ...(await tiffPeers(one, files, origin, REPEATS))]))
  }
  keepFormats(rows)
}

async function ours(one: FormatCase, service: Running, origin: SourceServer): Promise<StepRow[]> {
  return [...(await serviceSteps(one, service.url, origin, REPEATS)), await indexStep(one, origin, REPEATS)]
}

function checkPlaces(one: FormatCase, files: FormatFiles, rows: readonly StepRow[]): void {
  if (one.allArrays === true) return
  const hash = rows.find((row) => row.hash !== undefined)?.hash
  const { hash: expected, wrong } = placesByH5py(one, files)
  if (wrong === 0 && hash !== expected) throw new Error(`${one.file}: chunks are not where h5py finds them`)
  console.log(`${one.file}: all chunks are where h5py finds them`)
}
