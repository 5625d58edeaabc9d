import { LRUCache } from 'lru-cache'
import { utf8Text } from '../bytes/text.ts'
import { invalidRequest, VirtualZarrError } from '../errors.ts'
import { isPattern } from '../joins/sources/braces.ts'
import { parseSourceUrl } from '../source/source-url.ts'
import type { Catalog } from './catalog.ts'
import type { StoreSigner } from './signed-stores.ts'
import { type OptionTexts, parseKeyOf, parseStoreOptions, type StoreOptions, viewKeyOf } from './store-options.ts'

/** Which store: the source, and what the URL chose about it. */
export interface StoreAddress {
  readonly sourceUrl: string
  readonly options: StoreOptions
  /** Stores with this key share one parse of the source. */
  readonly sourceKey: string
  /** Tells apart the stores made of one parse. */
  readonly viewKey: string
  /** Until when its signature opens it, in seconds after 1970 began; undefined for a URL without one. */
  readonly expires?: number | undefined
}

const NO_OPTIONS: OptionTexts = new Map()

/** Memory for store URLs whose reading is remembered, so that a chunk request does none of it; strangers choose them. */
export const MOST_REMEMBERED_BYTES = 4 * 2 ** 20

/** Reads `{source}[;option=value]…`, percent-encoded as it came; the same text is read once. */
export function addressBook(
  catalog: Catalog,
  signer?: StoreSigner,
  defaults: OptionTexts = NO_OPTIONS,
): (segment: string) => StoreAddress {
  const remembered = new LRUCache<string, StoreAddress>({
    maxSize: MOST_REMEMBERED_BYTES,
    // The source, its key and the options hold the same text again; of a short one most are the objects.
    sizeCalculation: (_address, segment) => 4 * segment.length + 700,
  })
  return (segment) => {
    const known = remembered.get(segment)
    if (known !== undefined) return known
    const address = parseStoreAddress(segment, catalog, signer, defaults)
    remembered.set(segment, address)
    return address
  }
}

function addressOf(sourceUrl: string, options: StoreOptions): StoreAddress {
  return { sourceUrl, options, sourceKey: `${parseKeyOf(options)} ${sourceUrl}`, viewKey: viewKeyOf(options) }
}

/** Throws `source-changed` where another version is asked for than was opened. */
export function assertVersion(
  { options: { version } }: Pick<StoreAddress, 'options'>,
  parsed: { readonly version: string; readonly publicUrl: string },
): void {
  if (version === undefined || version === parsed.version) return
  throw new VirtualZarrError('source-changed', `the source is at version ${parsed.version}, not at ${version}`, {
    url: parsed.publicUrl,
  })
}

const MOST_URL_LENGTH = 8192

/** Reads `{source}[;option=value]…`, percent-encoded as it came: OPT-1. */
export function parseStoreAddress(
  segment: string,
  catalog: Catalog,
  signer?: StoreSigner,
  defaults: OptionTexts = NO_OPTIONS,
): StoreAddress {
  const [source = '', ...optionTexts] = withPlainSigns(segment).split(';')
  const options = new Map<string, string>()
  for (const text of optionTexts) {
    const [, encoded, value] = /^(.+?)(?:=|%3d)(.*)$/is.exec(text) ?? []
    if (encoded === undefined || value === undefined)
      throw invalidRequest(`${JSON.stringify(text.slice(0, 100))} is not an option, expected name=value`)
    const name = decode(encoded)
    if (options.has(name)) throw invalidRequest(`option ${name} is given twice`, { option: name })
    options.set(name, decode(value))
  }
  return namedAddress(namedSource(source), options, { catalog, signer, defaults })
}

/** Clients and proxies may escape `~` and `;`: where no URL is spelled out, they can't be meant as something else. */
function withPlainSigns(segment: string): string {
  if (!segment.includes('%')) return segment
  const source = segment.replace(/^%7e/i, '~')
  return /^(?:~[\w-]*|[a-z0-9][a-z0-9._-]*)%3b[^;]*$/i.test(source) ? source.replace(/%3b/gi, ';') : source
}

const CATALOG_ID = /^[a-z0-9][a-z0-9._-]*$/

/** Whether a source is named as the catalog does. */
export function isCatalogId(source: string): boolean {
  return CATALOG_ID.test(source)
}

/** A catalog id as it is, or the URL of the source, however it was encoded. */
function namedSource(source: string): string {
  if (source.startsWith('~')) return absoluteUrl(fromBase64url(source.slice(1)))
  if (CATALOG_ID.test(source)) return source
  const text = decode(source)
  if (!isAbsoluteUrl(text)) {
    throw invalidRequest(
      'the source is neither a catalog id, nor "~" and the base64url of a URL, nor a percent-encoded URL; /resolve?url= tells the URL of a store',
    )
  }
  return absoluteUrl(text)
}

/** What a service knows of names. */
interface Naming {
  readonly catalog: Catalog
  readonly signer: StoreSigner | undefined
  /** Options of stores whose URL and dataset don't give them. */
  readonly defaults: OptionTexts
}

/** Only a service that signs knows the options of a signature. */
function namedAddress(source: string, given: OptionTexts, { catalog, signer, defaults }: Naming): StoreAddress {
  const { options, expires } = signer?.read(source, given) ?? { options: given, expires: undefined }
  const address = addressIn(source, options, catalog, defaults)
  return expires === undefined ? address : { ...address, expires }
}

function addressIn(source: string, options: OptionTexts, catalog: Catalog, defaults: OptionTexts): StoreAddress {
  if (!CATALOG_ID.test(source)) return addressOf(source, parseStoreOptions(new Map([...defaults, ...options])))
  const dataset = catalog.get(source)
  if (dataset === undefined) {
    throw new VirtualZarrError('source-not-found', `no dataset ${source} is in the catalog, which /datasets lists`)
  }
  return addressOf(dataset.sourceUrl, parseStoreOptions(new Map([...defaults, ...dataset.options, ...options])))
}

/** What a signature is over, as `virtual-zarr sign` is given it: a catalog id, or the URL of a source. */
export function signedSource(source: string): string {
  return CATALOG_ID.test(source) ? source : absoluteUrl(source)
}

/** A URL given by hand (`/resolve`, the command line), with its options; pasted ones bring blanks along. */
export function addressOfUrl(url: string, options: OptionTexts): StoreAddress {
  return addressOf(absoluteUrl(url.trim()), parseStoreOptions(options))
}

/** The store's path in the form that survives every client, proxy and cache. */
export function storePathOf(sourceUrl: string, options: OptionTexts): string {
  return `/zarr/~${Buffer.from(sourceUrl).toString('base64url')}${optionsText(options)}/`
}

/** The same for a catalog id or a URL. */
export function namedStorePath(source: string, options: OptionTexts): string {
  return CATALOG_ID.test(source) ? `/zarr/${source}${optionsText(options)}/` : storePathOf(source, options)
}

function optionsText(options: OptionTexts): string {
  return [...options].map(([name, value]) => `;${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new VirtualZarrError('invalid-request', 'the URL holds a broken percent escape', {}, cause)
  }
}

function fromBase64url(text: string): string {
  if (text === '' || !/^[A-Za-z0-9_-]*$/.test(text))
    throw invalidRequest('the source after ~ is not base64url without padding')
  const url = utf8Text(Buffer.from(text, 'base64url'))
  if (url === undefined) throw invalidRequest('the source after ~ is not UTF-8')
  return url
}

/** One spelling for one source, so that it is opened once; fragments name nothing on a server. */
function absoluteUrl(text: string): string {
  if (text.length > MOST_URL_LENGTH) throw invalidRequest(`the source URL is over ${MOST_URL_LENGTH} characters`)
  if (!isAbsoluteUrl(text)) throw invalidRequest('the source is no absolute URL, such as https://example.org/data.nc')
  // Many files: braces stay as they are, since escaped ones are of a file's name.
  if (isPattern(text)) return text
  return parseSourceUrl(text).href
}

function isAbsoluteUrl(text: string): boolean {
  return URL.canParse(text) && /^[a-z][a-z0-9+.-]*:/i.test(text)
}
