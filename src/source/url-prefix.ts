import { invalidRequest, isVirtualZarrError } from '../errors.ts'
import { keyOf } from './clouds/location.ts'
import { cloudOf } from './clouds/registry.ts'
import { publicUrl } from './public-url.ts'
import { parseSourceUrl } from './source-url.ts'

/** An operator's URL prefix: an origin, then whole path segments. */
export interface UrlPrefix {
  /** With the colon. */
  readonly scheme: string
  /** Undefined: every place of that scheme, as in `s3://`. */
  readonly origin: string | undefined
  readonly segments: readonly string[]
}

/** Reads a prefix from a setting; throws `invalid-request` naming the setting. */
export function parseUrlPrefix(text: string, setting: string): UrlPrefix {
  const scheme = text.toLowerCase().replace(/\/\/.*$/, '')
  const [canonical] = cloudOf(scheme)?.schemes ?? []
  const isStore = canonical !== undefined
  if (isStore && /^[a-z0-9]+:\/\/$/i.test(text)) return { scheme: canonical, origin: undefined, segments: [] }
  const url = parsed(text)
  if (url === undefined)
    throw invalidRequest(`${setting}: "${publicUrl(text)}" is not a URL prefix such as https://host/path/`)
  const segments = segmentsOf(url)
  const isKnown = isStore || ['http:', 'https:', 'file:'].includes(url.protocol)
  if (!isKnown || url.username !== '' || url.search !== '' || !segments) {
    throw invalidRequest(
      `${setting}: "${publicUrl(text)}" must be http, https, file or an object store's, a host and a plain path`,
    )
  }
  if (isStore && segments.at(-1) === '') segments.pop()
  return { scheme: url.protocol, origin: originOf(url), segments }
}

function parsed(text: string): URL | undefined {
  try {
    return parseSourceUrl(text)
  } catch (error) {
    if (isVirtualZarrError(error, 'invalid-request')) return undefined
    throw error
  }
}

/** Whether a URL certainly is below a prefix: what an origin could read as another path does not count. */
export function isBelow(url: URL, prefix: UrlPrefix): boolean {
  if (!isAt(url, prefix)) return false
  const segments = segmentsOf(url)
  return segments !== undefined && startsWith(segments, prefix.segments)
}

/** Whether a URL may be below a prefix: an ambiguous path on its origin does count. */
export function mayBeBelow(url: URL, prefix: UrlPrefix): boolean {
  if (!isAt(url, prefix)) return false
  const segments = segmentsOf(url)
  return segments === undefined || startsWith(segments, prefix.segments)
}

function isAt(url: URL, { scheme, origin }: UrlPrefix): boolean {
  return origin === undefined ? url.protocol === scheme : originOf(url) === origin
}

/** A host's name without the final dot of a fully qualified one: DNS takes both for the same host. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/\.+$/, '')
}

function originOf(url: URL): string {
  return `${url.protocol}//${hostOf(url)}:${url.port}`
}

function startsWith(segments: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((segment, i) => segments[i] === segment)
}

/** The decoded path; undefined when an origin could walk up or across in it (`..%2f`, backslashes, NUL). */
function segmentsOf(url: URL): string[] | undefined {
  // A key is text: nobody decodes it twice or walks in it, and an empty segment is one.
  if (cloudOf(url.protocol) !== undefined) return keyOf(url).split('/')
  const segments: string[] = []
  for (const encoded of url.pathname.split('/')) {
    if (encoded === '') continue
    let segment: string
    try {
      segment = decodeURIComponent(encoded)
    } catch {
      return undefined // not UTF-8: nobody can say what the origin makes of it
    }
    // `%25` hides a second round of decoding: `%252e` is `.` to an origin that decodes twice.
    if (/[/\\\0]|%2e|%2f|%5c/i.test(segment) || segment === '..' || segment === '.') return undefined
    segments.push(segment)
  }
  return segments
}
