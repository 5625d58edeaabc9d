import { existsSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { invalidRequest } from '../../errors.ts'
import { ownReach } from '../../library/node-world.ts'
import { addressOfUrl, type StoreAddress } from '../../service/store-address.ts'
import type { OptionTexts } from '../../service/store-options.ts'
import type { StoreService } from '../../service/store-service.ts'
import { type Config, fileUrl, readConfig } from '../config.ts'
import { ownFormats } from '../own-formats.ts'
import { withProgressBar } from '../progress-bar.ts'
import { openService } from '../service.ts'
import type { Given } from './command.ts'

// What all commands share that read one source: where it is, how it is opened, how text goes out.

/** What is no URL is a path; a folder keeps its final slash, by which it is known as one. */
export function urlOf(source: string): string {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(source)) return source
  if (!existsSync(source)) throw invalidRequest(`${source} is neither a URL nor a file`)
  return fileUrl(source) + (source.endsWith('/') ? '/' : '')
}

/** Opens the store that a command's first word and its options name, with a bar on a terminal while that takes. */
export async function withStore<T>(
  { words: [source = ''], environment }: Given,
  options: OptionTexts,
  use: (stores: StoreService, address: StoreAddress) => Promise<T>,
): Promise<T> {
  const url = urlOf(source)
  const config = readConfig({ flags: {}, environment, bundledCatalog: undefined })
  const service = openService(trusting(config, url), { formats: await ownFormats(config.formats) })
  try {
    const address = addressOfUrl(url, options)
    const opening = service.stores.describe(address)
    await withProgressBar(opening, () => service.stores.progressOf(address), process.stderr)
    return await use(service.stores, address)
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

export async function print(pieces: Iterable<string> | AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(pieces, process.stdout, { end: false })
  } catch (error) {
    // Whoever reads has had enough, as `head` has.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error
  }
}
