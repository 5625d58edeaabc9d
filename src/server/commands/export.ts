import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { invalidRequest } from '../../errors.ts'
import { writeJson } from '../../json/write.ts'
import { type ExportedDocument, exportKerchunk } from '../../service/export/export.ts'
import { exportIcechunk } from '../../service/export/icechunk/export.ts'
import { exportParquet, type SetFile } from '../../service/export/parquet.ts'
import { ExportProgress } from '../../service/export/progress.ts'
import type { StoreDescription } from '../../service/store-service.ts'
import { ConfigError } from '../config-error.ts'
import { withProgressBar } from '../progress-bar.ts'
import { shownText } from '../shown.ts'
import { type Given, isGiven, textOf } from './command.ts'
import { print, withStore } from './reading.ts'

const SETS = { 'kerchunk-parquet': exportParquet, icechunk: exportIcechunk } as const

/** What was written, for programs. */
interface Written {
  readonly files: number
  readonly bytes: number
  readonly leftOut: Readonly<Record<string, string>>
}

/** `virtual-zarr export URL --to kerchunk`, or `--to kerchunk-parquet|icechunk --out FOLDER` */
export async function exportCommand(given: Given): Promise<undefined> {
  const { to, out } = checked(given)
  await withStore(given, new Map([...given.options, ['codecs', 'native']]), async (stores, address) => {
    const description = await stores.describe(address)
    const progress = new ExportProgress(description)
    const writing =
      to === 'kerchunk'
        ? writeDocument(description, progress, out)
        : writeSet(SETS[to](description, progress), progress, out ?? '')
    const { files, bytes, leftOut } = await withProgressBar(writing, () => progress.soFar, process.stderr, 'chunks')
    if (isGiven(given, 'json')) {
      await print([`${writeJson({ to, out: out ?? '', files, bytes, left_out: leftOut })}\n`])
      return
    }
    for (const [path, reason] of Object.entries(leftOut))
      process.stderr.write(`left out: ${shownText(`${path}: ${reason}`)}\n`)
  })
}

type Target = 'kerchunk' | keyof typeof SETS

/** What is wrong with the flags is told before anything is opened. */
function checked(given: Given): { readonly to: Target; readonly out: string | undefined } {
  const codecs = given.options.get('codecs') ?? 'native'
  if (codecs !== 'native') throw new ConfigError('--codecs', 'references are to bytes as they are stored: native')
  const to = textOf(given, 'to') ?? 'kerchunk'
  const out = textOf(given, 'out')
  if (!isTarget(to)) throw new ConfigError('--to', `${to} is none of kerchunk, kerchunk-parquet, icechunk`)
  if (to !== 'kerchunk' && out === undefined) throw new ConfigError('--out', `the folder for ${to} is missing`)
  if (isGiven(given, 'json') && out === undefined)
    throw new ConfigError('--json', 'the document itself goes to standard output: --out says where else')
  return { to, out }
}

function isTarget(to: string): to is Target {
  return to === 'kerchunk' || to in SETS
}

async function writeDocument(
  description: StoreDescription,
  progress: ExportProgress,
  out: string | undefined,
): Promise<Written> {
  const { pieces, notExported }: ExportedDocument = await exportKerchunk(description, progress)
  if (out === undefined) await pipeline(pieces, process.stdout, { end: false })
  else await writeFile(out, pieces)
  const bytes = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
  return { files: 1, bytes, leftOut: notExported }
}

async function writeSet(files: AsyncIterable<SetFile>, progress: ExportProgress, folder: string): Promise<Written> {
  const written = { files: 0, bytes: 0 }
  for await (const [path, bytes] of files) {
    const target = join(folder, path)
    // Names of arrays come from the source.
    if (!resolve(target).startsWith(`${resolve(folder)}${sep}`)) throw invalidRequest(`${path} is no path of a set`)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, bytes)
    written.files++
    written.bytes += bytes.length
  }
  return { ...written, leftOut: progress.leftOut }
}
