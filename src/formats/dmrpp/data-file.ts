/** Schemes that a data file may be reached by; anything else in an `href` is a placeholder for a URL that was never filled in. */
const REMOTE: ReadonlySet<string> = new Set(['http:', 'https:', 's3:', 'gs:', 'az:'])
const SUFFIX = '.dmrpp'
/** What Hyrax's tools write for a URL that is filled in later. */
const PLACEHOLDER = /^OPeNDAP_DMRpp_/
/** What Hyrax's tools write for the file of values that the data file itself doesn't hold. */
const MISSING_PLACEHOLDER = 'OPeNDAP_DMRpp_MISSING_DATA_ACCESS_URL'
const MISSING_SUFFIX = '_mvs.h5'

/** What is known of where a sidecar's data is. */
export interface DataFileInput {
  /** URL of the sidecar. */
  readonly sidecar: string
  /** `dmrpp:href` of the document. */
  readonly href: string | undefined
  /** Option `data`. */
  readonly data: string | undefined
}

/** URLs of the document's data file, in the order in which they are tried. */
export function dataFileUrls({ sidecar, href, data }: DataFileInput): readonly string[] {
  if (data !== undefined) return [data]
  const given = href === undefined ? [] : givenUrls(href, sidecar)
  const [only] = given
  if (href !== undefined && only !== undefined && isRemote(href)) return [only]
  const namesake = namesakeUrl(sidecar, '')
  return unique([...given, ...(namesake === undefined ? [] : [namesake])])
}

/**
 * URLs of a file that chunks name themselves: never the sidecar's namesake, which is another file. `isOnly` says that the
 * document names no file but this one, so that `data` stands for it.
 */
export function chunkFileUrls(href: string, { sidecar, data }: DataFileInput, isOnly: boolean): readonly string[] {
  if (data !== undefined && isOnly) return [data]
  if (href === MISSING_PLACEHOLDER) {
    const namesake = namesakeUrl(sidecar, MISSING_SUFFIX)
    return namesake === undefined ? [] : [namesake]
  }
  return unique(givenUrls(href, sidecar))
}

/** What an `href` may mean: itself, where it is a URL; else the path it is, and its last segment beside the sidecar. */
function givenUrls(href: string, sidecar: string): string[] {
  if (isRemote(href)) return [href]
  if (PLACEHOLDER.test(href)) return []
  const url = absoluteUrl(href)
  const base = new URL(sidecar)
  // A remote document may not name local files: the segment beside it may still be the file.
  if (url?.protocol === 'file:' && base.protocol === 'file:')
    return [url.href, ...besideUrls(lastSegment(url.pathname), base)]
  if (url !== undefined) return besideUrls(lastSegment(href), base)
  return [...besideUrls(href, base), ...besideUrls(lastSegment(href), base)]
}

/** A path below the sidecar's folder as a URL; nothing for one that leads out of it. */
function besideUrls(path: string, base: URL): string[] {
  const name = path.trim()
  const isInside = name !== '' && !name.startsWith('/') && !name.includes('\\') && !name.split('/').some(isDots)
  if (!isInside) return []
  const url = absoluteUrl(`./${name.replaceAll('#', '%23').replaceAll('?', '%3F')}`, base)
  const folder = new URL('.', base).href
  return url?.href.startsWith(folder) === true && url.href !== folder ? [url.href] : []
}

function isDots(segment: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(segment)
}

function lastSegment(path: string): string {
  return path.replace(/\/+$/, '').split('/').at(-1) ?? ''
}

/** The sidecar's name without `.dmrpp`, and with `suffix`. */
function namesakeUrl(sidecar: string, suffix: string): string | undefined {
  const url = new URL(sidecar)
  url.search = ''
  url.hash = ''
  if (!url.pathname.endsWith(SUFFIX) || url.pathname.endsWith(`/${SUFFIX}`)) return undefined
  url.pathname = `${url.pathname.slice(0, -SUFFIX.length)}${suffix}`
  return url.href
}

function isRemote(href: string): boolean {
  const url = absoluteUrl(href)
  return url !== undefined && REMOTE.has(url.protocol)
}

function absoluteUrl(text: string, base?: URL): URL | undefined {
  return URL.parse(text, base?.href) ?? undefined
}

function unique(urls: readonly string[]): readonly string[] {
  return [...new Set(urls)]
}
