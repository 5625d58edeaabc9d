import { invalidRequest } from '../errors.ts'
import { publicUrl } from './public-url.ts'

/** An operator's URL prefix: an origin, then whole path segments. */
export interface UrlPrefix {
  readonly origin: string
  readonly segments: readonly string[]
}

/** Reads a prefix from a setting; throws `invalid-request` naming the setting. */
export function parseUrlPrefix(text: string, setting: string): UrlPrefix {
  if (!URL.canParse(text)) throw invalidRequest(`${setting}: "${text}" is not a URL prefix such as https://host/path/`)
  const url = new URL(text)
  const segments = segmentsOf(url)
  if (!['http:', 'https:', 'file:'].includes(url.protocol) || url.username !== '' || url.search !== '' || !segments) {
    throw invalidRequest(`${setting}: "${publicUrl(text)}" must be http, https or file, a host and a plain path`)
  }
  return { origin: originOf(url), segments }
}

/** Whether a URL certainly is below a prefix: what an origin could read as another path does not count. */
export function isBelow(url: URL, prefix: UrlPrefix): boolean {
  const segments = segmentsOf(url)
  return originOf(url) === prefix.origin && segments !== undefined && startsWith(segments, prefix.segments)
}

/** Whether a URL may be below a prefix: an ambiguous path on its origin does count. */
export function mayBeBelow(url: URL, prefix: UrlPrefix): boolean {
  const segments = segmentsOf(url)
  return originOf(url) === prefix.origin && (segments === undefined || startsWith(segments, prefix.segments))
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
