import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { gribPython, interopPython } from '../interop/venv.ts'
import { judgeDifferences, lineOf, readAccepted } from './accepted.ts'
import { compareFiles } from './compare.ts'
import { findFiles } from './find-files.ts'

const HELP = `npm run compare -- [--from DIR…] [--format NAME]

Sends every file of our formats below DIR through a running service and through the reference reader of its format, and
lists what differs and is not in test/compare/accepted.yaml. Without --from: the shared corpora, and what the packages in
node_modules and in the Python environments of the interoperability tests bring along. Exits with 1 on a new difference.
--format   only files of this format (tiff, vrt, hdf5, netcdf3, fits, hdf4, grib, zarr)
--all      also lists refused and unread files one by one`

const ROOT = resolve(import.meta.dirname, '../..')

function defaultFolders(): string[] {
  const corpora = resolve(ROOT, '../shared/corpus')
  const packages = [interopPython(), gribPython()].map((python) => resolve(dirname(python), '../lib'))
  return [corpora, resolve(ROOT, 'node_modules'), ...packages].filter((folder) => existsSync(folder))
}

function groupedByReason(list: readonly (readonly [string, string])[], isEach: boolean): string[] {
  if (isEach) return list.map(([path, reason]) => `  ${path}: ${reason}`)
  const groups = Map.groupBy(list, ([, reason]) => reason.replaceAll(/[^\s:]*\/\S*|\d+/g, '…').slice(0, 100))
  const ordered = [...groups].toSorted(([, one], [, other]) => other.length - one.length)
  return ordered.map(([reason, files]) => `  ${files.length} x ${reason}, as ${files[0]?.[0]}`)
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      from: { type: 'string', multiple: true },
      format: { type: 'string' },
      all: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(HELP)
  const folders = values.from?.map((folder) => resolve(folder)) ?? defaultFolders()
  const found = folders.flatMap((folder) => [...findFiles(folder)])
  const files = found.filter(({ format }) => values.format === undefined || values.format === format)
  if (files.length === 0) throw new RangeError(`no file of our formats below ${folders.join(', ')}`)
  const isTerminal = process.stderr.isTTY
  const report = await compareFiles(files, (done) => {
    if (isTerminal) process.stderr.write(`\r${done} of ${files.length}`)
  })
  const unread = new Set(report.unread.map(([path]) => path))
  const read = report.paths.filter((path) => !unread.has(path))
  const { fresh, accepted, stale } = judgeDifferences(report.differences, read, readAccepted())
  console.log(`${report.paths.length} files, ${report.compared} comparisons`)
  console.log(`${report.refused.length} refused by the service`)
  for (const line of groupedByReason(report.refused, values.all)) console.log(line)
  console.log(`${report.unread.length} not read by the reference reader`)
  for (const line of groupedByReason(report.unread, values.all)) console.log(line)
  console.log(`${accepted.length} accepted differences`)
  for (const { file, what, reason } of stale) console.log(`  no longer seen: ${file} ${what.source} (${reason})`)
  console.log(`${fresh.length} new differences`)
  for (const difference of fresh) console.log(`  ${difference.path}: ${lineOf(difference)}`)
  if (fresh.length > 0) process.exitCode = 1
}

await main()
