import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { invalidRequest } from '../errors.ts'
import type { Json } from '../json/json.ts'
import { writeJson } from '../json/write.ts'
import { type ExportedDocument, exportKerchunk } from '../service/export.ts'
import { exportParquet, type SetFile } from '../service/export-parquet.ts'
import { inspectionOf } from '../service/inspect.ts'
import { readArray } from '../service/read-array.ts'
import { addressOfUrl, type StoreAddress } from '../service/store-address.ts'
import type { OptionTexts } from '../service/store-options.ts'
import type { StoreService } from '../service/store-service.ts'
import { type Config, fileUrl, readConfig } from './config.ts'
import { ConfigError } from './config-error.ts'
import { openService } from './service.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** `virtual-zarr inspect URL` */
export async function inspectCommand(words: readonly string[], environment: Environment): Promise<void> {
  const query = parseQuery(words, {}, 1, {})
  await answer(query, environment, async (stores, address) => inspectionOf(await stores.describe(address)))
}

/** `virtual-zarr export URL --to kerchunk`, or `--to kerchunk-parquet --out FOLDER` */
export async function exportCommand(words: readonly string[], environment: Environment): Promise<void> {
  const query = parseQuery(words, { to: { type: 'string' }, out: { type: 'string' } }, 1, { codecs: 'native' })
  const { to = 'kerchunk', out } = query.flags
  if (to !== 'kerchunk' && to !== 'kerchunk-parquet') {
    throw new ConfigError('--to', `${to} is none of kerchunk, kerchunk-parquet`)
  }
  if (to === 'kerchunk-parquet' && out === undefined) throw new ConfigError('--out', 'the folder of the set is missing')
  await withStores(query, environment, async (stores, address) => {
    const description = await stores.describe(address)
    if (to === 'kerchunk-parquet') await writeSet(exportParquet(description), out ?? '')
    else await writeDocument(await exportKerchunk(description), out)
  })
}

async function writeDocument({ pieces, notExported }: ExportedDocument, out: string | undefined): Promise<void> {
  for (const [path, reason] of Object.entries(notExported)) process.stderr.write(`left out: ${path}: ${reason}\n`)
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

/** `virtual-zarr read URL ARRAY [--slice 0,1:3]` */
export async function readCommand(words: readonly string[], environment: Environment): Promise<void> {
  const query = parseQuery(words, { slice: { type: 'string' } }, 2, { codecs: 'raw' })
  await answer(
    query,
    environment,
    async (stores, address) => await readArray(stores, address, query.words[1] ?? '', query.flags['slice']),
  )
}

interface Query {
  readonly words: readonly string[]
  readonly url: string
  readonly options: OptionTexts
  readonly flags: Readonly<Record<string, string | undefined>>
}

function parseQuery(
  args: readonly string[],
  flags: Readonly<Record<string, { type: 'string' }>>,
  most: number,
  fixed: Readonly<Record<string, string>>,
): Query {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { ...flags, option: { type: 'string', multiple: true } },
    allowPositionals: true,
    strict: true,
  })
  const [source] = positionals
  if (source === undefined || positionals.length > most)
    throw invalidRequest(`expected ${most === 1 ? 'a URL' : 'a URL and an array'}`)
  const options = new Map<string, string>()
  for (const text of (values as { option?: string[] }).option ?? []) {
    const equals = text.indexOf('=')
    if (equals < 1) throw invalidRequest(`--option ${text}: expected name=value`)
    options.set(text.slice(0, equals), text.slice(equals + 1))
  }
  for (const [name, value] of Object.entries(fixed)) options.set(name, value)
  return { words: positionals, url: urlOf(source), options, flags: values as Query['flags'] }
}

/** What is no URL is a path; a folder keeps its final slash, by which it is known as one. */
function urlOf(source: string): string {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(source)) return source
  if (!existsSync(source)) throw invalidRequest(`${source} is neither a URL nor a file`)
  return fileUrl(source) + (source.endsWith('/') ? '/' : '')
}

async function answer(
  { url, options }: Query,
  environment: Environment,
  make: (stores: StoreService, address: StoreAddress) => Promise<Json>,
): Promise<void> {
  await withStores({ url, options }, environment, async (stores, address) => {
    process.stdout.write(`${writeJson(await make(stores, address))}\n`)
  })
}

async function withStores(
  { url, options }: Pick<Query, 'url' | 'options'>,
  environment: Environment,
  use: (stores: StoreService, address: StoreAddress) => Promise<void>,
): Promise<void> {
  const service = openService(trusting(readConfig({ flags: {}, environment, bundledCatalog: undefined }), url))
  try {
    await use(service.stores, addressOfUrl(url, options))
  } finally {
    await service.close()
  }
}

/** Whoever runs the command may read what they name, wherever it is: the guard is for URLs of strangers. */
function trusting(config: Config, url: string): Config {
  const { protocol, origin, pathname } = new URL(url)
  if (protocol === 'file:')
    return { ...config, fileRoots: [...config.fileRoots, dirname(resolve(decodeURIComponent(pathname)))] }
  return { ...config, allowSources: [...config.allowSources, `${origin}/`] }
}
