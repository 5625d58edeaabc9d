import { invalidRequest } from '../../errors.ts'
import { writeJson } from '../../json/write.ts'
import { StoreSigner } from '../../service/signed-stores.ts'
import { isCatalogId, namedStorePath, signedSource } from '../../service/store-address.ts'
import { parseStoreOptions } from '../../service/store-options.ts'
import { readConfig } from '../config.ts'
import { ConfigError } from '../config-error.ts'
import { type Given, isGiven, textOf } from './command.ts'
import { print, urlOf } from './reading.ts'

/** `virtual-zarr sign URL|ID [--for 24h] [options]`: the URL of a store, which opens it without a key for so long. */
export async function signCommand(given: Given): Promise<undefined> {
  const [named = ''] = given.words
  const { environment, options } = given
  const { access, publicUrl, host, port } = readConfig({ flags: {}, environment, bundledCatalog: undefined })
  if (access.signingKeys.length === 0) throw new ConfigError('VZ_SIGNING_KEYS', 'there is no key to sign with')
  parseStoreOptions(options)
  const source = signedSource(isCatalogId(named) ? named : urlOf(named))
  const expires = Math.floor((Date.now() + milliseconds(textOf(given, 'for') ?? '24h')) / 1000)
  const signed = new StoreSigner(access.signingKeys).sign({ source, options }, expires)
  const url = (publicUrl ?? `http://${host}:${port}`) + namedStorePath(source, signed)
  await print([isGiven(given, 'json') ? `${writeJson({ url, expires })}\n` : `${url}\n`])
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
/** Ten years: who wants more means something else. */
const MOST_MILLISECONDS = 3653 * 86_400_000

function milliseconds(text: string): number {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  const span = Number(count) * (UNITS[unit] ?? Number.NaN)
  if (!(span > 0 && span <= MOST_MILLISECONDS))
    throw invalidRequest(`--for ${text}: expected a time such as 30m, 24h or 7d, up to ten years`)
  return span
}
