import { invalidRequest } from '../errors.ts'
import { cloudOf } from './clouds/registry.ts'
import { publicUrl } from './public-url.ts'

/** A URL as a user or a document wrote it, in its one spelling; throws `invalid-request`. A fragment is dropped. */
export function parseSourceUrl(text: string, base?: URL): URL {
  const scheme = /^([a-z][a-z0-9+.-]*:)\/\//i.exec(text)?.[1]?.toLowerCase()
  const cloud = scheme === undefined ? undefined : cloudOf(scheme)
  // Not by `URL`: it would take parts of a key for a query, a fragment or a way up.
  if (cloud !== undefined) return cloud.parse(text)
  if (!URL.canParse(text, base?.href)) throw invalidRequest(`"${publicUrl(text)}" is not an absolute URL`)
  const url = new URL(text, base)
  url.hash = ''
  return cloudOf(url.protocol)?.parse(url.href) ?? url
}

/** A source's URL as fsspec, and documents that are written for it, spell it: in a location nothing is escaped. */
export function unescapedLocation(href: string): string {
  const url = new URL(href)
  return cloudOf(url.protocol)?.spell(url) ?? href
}
