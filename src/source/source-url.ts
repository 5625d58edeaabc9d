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
