import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { invalidRequest } from '../errors.ts'
import { writeJson } from '../json/write.ts'
import { ownReach } from '../library/node-world.ts'
import { type ExportedDocument, exportKerchunk } from '../service/export/export.ts'
import { exportIcechunk } from '../service/export/icechunk/export.ts'
import { exportParquet, type SetFile } from '../service/export/parquet.ts'
import { inspectionOf } from '../service/inspect.ts'
import { addressOfUrl, type StoreAddress } from '../service/store-address.ts'
import { OPTION_NAMES, type OptionTexts } from '../service/store-options.ts'
import type { StoreService } from '../service/store-service.ts'
import { openReading } from '../service/values/read-array.ts'
import { type Config, fileUrl, readConfig } from './config.ts'
import { ConfigError } from './config-error.ts'
import { inspectionText } from './inspection-text.ts'
import { ownFormats } from './own-formats.ts'
import { withProgressBar } from './progress-bar.ts'
import { openService } from './service.ts'
import { shownText } from './shown.ts'
import { valuesJson, valuesText } from './values-text.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** `virtual-zarr inspect URL [--json] [--all]` */
export async function inspectCommand(words: readonly string[], environment: Environment): Promise<void> {
  const query = parseQuery(words, { json: FLAG, all: FLAG }, 1)
  await withStores(query, environment, async (stores, address) => {
    const inspection = inspectionOf(await stores.describe(address))
    const isAll = query.flags['all'] === true
    await print([query.flags['json'] === true ? `${writeJson(inspection)}\n` : inspectionText(inspection, isAll)])
  })
}

/** `virtual-zarr export URL --to kerchunk`, or `--to kerchunk-parquet|icechunk --out FOLDER` */
export async function exportCommand(words: readonly string[], environment: Environment): Promise<void> {
  const query = parseQuery(words, { to: TEXT, out: TEXT }, 1)
  const codecs = query.options.get('codecs') ?? 'native'
  if (codecs !== 'native') throw new ConfigError('--codecs', 'references are to bytes as they are stored: native')
  const { to = 'kerchunk' } = query.flags
  const out = typeof query.flags['out'] === 'string' ? query.flags['out'] : undefined
  if (to !== 'kerchunk' && to !== 'kerchunk-parquet' && to !== 'icechunk') {
    throw new ConfigError('--to', `${to} is none of kerchunk, kerchunk-parquet, icechunk`)
  }
  if (to !== 'kerchunk' && out === undefined) throw new ConfigError('--out', `the folder for ${to} is missing`)
  const native = { ...query, options: new Map([...query.options, ['codecs', 'native']]) }
  await withStores(native, environment, async (stores, address) => {
    const description = await stores.describe(address)
    if (to === 'kerchunk-parquet') await writeSet(exportParquet(description), out ?? '')
    else if (to === 'icechunk') await writeSet(exportIcechunk(description), out ?? '')
    else await writeDocument(await exportKerchunk(description), out)
  })
}

async function writeDocument({ pieces, notExported }: ExportedDocument, out: string | undefined): Promise<void> {
  for (const [path, reason] of Object.entries(notExported))
    process.stderr.write(`left out: ${shownText(`${path}: ${reason}`)}\n`)
  if (out === undefined) await pipeline(pieces, process.stdout, { end: false })
  else await writeFile(out, pieces)
}

async function writeSet(files: AsyncIterable<SetFile>, folder: string): Promise<void> {
  for await (const [path, bytes] of files) {
    const target = join(folder, path)
    // Names of arrays come from the source.
    if (!resolve(target).startsWith(`${resolve(folder)}${sep}`)) throw invalidRequest(`${path} is no path of a set`)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, bytes)
  }
}

/** `virtual-zarr read URL ARRAY [--slice 0,1:3] [--decoded] [--json] [--all]` */
export async function readCommand(words: readonly string[], environment: Environment): Promise<void> {
  const query = parseQuery(words, { slice: TEXT, decoded: FLAG, json: FLAG, all: FLAG }, 2)
  const { slice, decoded, json, all } = query.flags
  const path = query.words[1] ?? ''
  const raw = { ...query, options: new Map([['codecs', 'raw'], ...query.options]) }
  await withStores(raw, environment, async (stores, address) => {
    const request = { address, path, slice: typeof slice === 'string' ? slice : undefined, isDecoded: decoded === true }
    const reading = await openReading(stores, request)
    const isAll = all === true
    await print(json === true ? valuesJson(reading, isAll) : valuesText(reading, isAll))
  })
}

export async function print(pieces: Iterable<string> | AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(pieces, process.stdout, { end: false })
  } catch (error) {
    // Whoever reads has had enough, as `head` has.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error
  }
}

export interface Query {
  readonly words: readonly string[]
  readonly url: string
  readonly options: OptionTexts
  readonly flags: Readonly<Record<string, string | boolean | undefined>>
}

export const TEXT = { type: 'string' } as const
export const FLAG = { type: 'boolean' } as const

/** Every option of a store is a flag, `null_fill` being `--null-fill` too. */
const OPTION_FLAGS = new Map(
  OPTION_NAMES.flatMap((name) => [name, name.replaceAll('_', '-')].map((flag) => [flag, name])),
)

export function parseQuery(
  args: readonly string[],
  flags: Readonly<Record<string, typeof TEXT | typeof FLAG>>,
  most: number,
): Query {
  const optionFlags = Object.fromEntries([...OPTION_FLAGS.keys()].map((flag) => [flag, TEXT]))
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { ...optionFlags, ...flags, option: { type: 'string', multiple: true } },
    allowPositionals: true,
    strict: true,
  })
  const [source] = positionals
  if (source === undefined || positionals.length > most)
    throw invalidRequest(`expected ${most === 1 ? 'a URL or a path' : 'a URL or a path, and an array'}`)
  const { option = [], ...given } = values as { option?: string[] } & Record<string, string | boolean | undefined>
  const options = new Map<string, string>()
  for (const text of option) {
    const equals = text.indexOf('=')
    if (equals < 1) throw invalidRequest(`--option ${text}: expected name=value`)
    options.set(text.slice(0, equals), text.slice(equals + 1))
  }
  for (const [flag, name] of OPTION_FLAGS) {
    const text = given[flag]
    if (typeof text === 'string') options.set(name, text)
  }
  return { words: positionals, url: urlOf(source), options, flags: given }
}

/** What is no URL is a path; a folder keeps its final slash, by which it is known as one. */
function urlOf(source: string): string {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(source)) return source
  if (!existsSync(source)) throw invalidRequest(`${source} is neither a URL nor a file`)
  return fileUrl(source) + (source.endsWith('/') ? '/' : '')
}

async function withStores(
  { url, options }: Pick<Query, 'url' | 'options'>,
  environment: Environment,
  use: (stores: StoreService, address: StoreAddress) => Promise<void>,
): Promise<void> {
  const config = readConfig({ flags: {}, environment, bundledCatalog: undefined })
  const service = openService(trusting(config, url), { formats: await ownFormats(config.formats) })
  try {
    const address = addressOfUrl(url, options)
    const opening = service.stores.describe(address)
    await withProgressBar(opening, () => service.stores.progressOf(address), process.stderr)
    await use(service.stores, address)
  } finally {
    await service.close()
  }
}

/** Whoever runs the command may read what they name, wherever it is: the guard is for URLs of strangers. */
export function trusting(config: Config, url: string): Config {
  const { allow, fileRoots } = ownReach(url)
  return {
    ...config,
    fileRoots: [...config.fileRoots, ...fileRoots],
    allowSources: [...config.allowSources, ...allow],
  }
}
