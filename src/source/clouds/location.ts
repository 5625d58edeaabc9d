import { invalidRequest } from '../../errors.ts'
import { publicUrl } from '../public-url.ts'

// A location is a URL, so that what a document names relative to it can be resolved: percent escapes stand for what they
// escape. But keys are any text: what URLs give a meaning to (`?`, `#`) is a part of the key, as in the clouds' own tools.

/** A location taken apart: `scheme://authority/key`. */
export interface Location {
  /** The bucket, account or container. */
  readonly authority: string
  readonly key: string
}

/** Takes a text apart; throws `invalid-request` for what is no location, or what no URL can carry. */
export function splitLocation(text: string): Location {
  const match = /^[a-z0-9]+:\/\/([^/?#]*)(?:\/(.*))?$/is.exec(text)
  if (match === null) throw invalidRequest(`"${publicUrl(text)}" is no location such as s3://bucket/key`)
  const [, authority = '', path = ''] = match
  return { authority, key: decoded(path, text) }
}

/** A text without the version that it ends with, and that as a query: the only one that locations have. */
export function splitVersion(text: string, name: string): { readonly location: string; readonly query: string } {
  const at = text.lastIndexOf(`?${name}=`)
  const version = text.slice(at + name.length + 2)
  if (at < 0 || version === '' || /[?&/]/.test(version)) return { location: text, query: '' }
  return { location: text.slice(0, at), query: `?${name}=${escaped(decoded(version, text))}` }
}

/** The URL of a key: one spelling for each; a star in it is no pattern. */
export function locationUrl(scheme: string, authority: string, key: string, query = ''): URL {
  const url = `${scheme}//${authority}/${encodeURI(key).replace(/[?#*]/g, hexOf)}${query}`
  // A URL with such a segment is another one, for everybody who parses it.
  if (key.split('/').some((segment) => segment === '.' || segment === '..')) {
    throw invalidRequest(`a key with a segment "." or ".." can't be named by a URL: ${publicUrl(url)}`)
  }
  return new URL(url)
}

/** The key that a location's path names, without the slash in front. */
export function keyOf(location: URL): string {
  return decodeURIComponent(location.pathname.slice(1))
}

function decoded(path: string, text: string): string {
  try {
    return decodeURIComponent(path.replace(/%(?![0-9a-f]{2})/gi, '%25'))
  } catch {
    throw invalidRequest(`"${publicUrl(text)}" holds percent escapes that are not UTF-8`)
  }
}

/** A key as a request's path spells it: every byte escaped but those that RFC 3986 calls unreserved, and the slashes. */
export function pathOfKey(key: string): string {
  if (/^[\w.~/-]*$/.test(key)) return key
  return key.split('/').map(escaped).join('/')
}

/** A text as a query's value, by the same rule. */
export function escaped(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, hexOf)
}

function hexOf(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`
}

/** Whether a listed text names something in a folder: not the folder's own mark, and nothing that no URL could name. */
export function isName(name: string): boolean {
  return /^[^/]+\/?$/.test(name) && !/^\.{1,2}\/?$/.test(name)
}
