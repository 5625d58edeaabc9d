import { invalidRequest } from '../src/errors.ts'
import { storePathOf } from '../src/service/store-address.ts'

/** The parts of a request target below `/zarr/`, still as the client spelled them. */
export interface StoreTarget {
  readonly segment: string
  /** The Zarr key, decoded; undefined where the URL ends without the final slash. */
  readonly key: string | undefined
}

/**
 * Splits `/zarr/{source;options}/{key}`; what could climb or hide is refused before anything is looked up. Undefined for
 * what the router, which decodes before it compares, took for such a target.
 */
export function parseStoreTarget(target: string): StoreTarget | undefined {
  const path = target.split('?', 1)[0] ?? ''
  if (!path.startsWith('/zarr/')) return undefined
  const rest = path.slice('/zarr/'.length)
  const slash = rest.indexOf('/')
  if (slash < 0) return { segment: rest, key: undefined }
  return { segment: rest.slice(0, slash), key: decodeKey(singleSlashes(rest.slice(slash + 1))) }
}

/** A source's URL in the path as it is; clients and proxies leave one slash of two. */
const SPELLED_OUT = /^\/zarr\/(https?|file|s3|gs|az)(?::|%3a)\/+/i

/** Refuses a source's URL that was not encoded, where nobody can tell its end from a key, with the URL that is meant. */
export function refuseSpelledOut(target: string, publicUrl: () => string): void {
  const [start, scheme = ''] = SPELLED_OUT.exec(target) ?? []
  if (start === undefined) return
  const [rest = '', query] = target.slice(start.length).split('?', 2)
  const path = rest.replace(/\/(?:zarr\.json|\.z\w+)?$/, '')
  const semicolon = path.indexOf(';', path.lastIndexOf('/'))
  const [place, options] = semicolon < 0 ? [path, ''] : [path.slice(0, semicolon), path.slice(semicolon)]
  const protocol = scheme.toLowerCase()
  const source = `${protocol}://${protocol === 'file' ? '/' : ''}${place}`
  const store = `${publicUrl()}${storePathOf(source, new Map()).replace(/\/$/, options)}/`
  const example = `the store of ${source} is ${store}`
  // A query may hold what must not be shown, and who put it there may have lost a part of it.
  const meant = query === undefined ? example : 'its query belongs to it'
  throw invalidRequest(`a source's URL must be encoded, as ${publicUrl()}/resolve?url= tells; ${meant}`)
}

/** Chunk indices with an empty one among them: no canonical key, and never made one. */
const EMPTY_INDEX = /(?:^|\/)c(?:\/+\d+)*\/{2,}\d+(?:\/+\d+)*$/

/** Clients join a URL that ends in `/` and a key with one slash more; as absent chunks they would read fill. */
function singleSlashes(key: string): string {
  if (key.startsWith('/')) return singleSlashes(key.replace(/^\/+/, ''))
  return key.includes('//') && !EMPTY_INDEX.test(key) ? key.replace(/\/{2,}/g, '/') : key
}

/** Keys of nothing but these characters, nearly all there are, mean what they say. */
const PLAIN_KEY = /^[\w/-]*(?:zarr\.json)?$/

function decodeKey(text: string): string {
  if (PLAIN_KEY.test(text)) return text
  const once = unescaped(text)
  if (once === undefined) throw invalidRequest('a key holds a broken percent escape')
  // No name of a store holds a percent sign: object_store and those who use it escape names twice.
  const key = once.includes('%') ? (unescaped(once) ?? once) : once
  if (key.split('/').some((part) => part === '..' || part === '.')) throw invalidRequest('a key holds "." or ".."')
  return key
}

/** Undefined for a broken escape. */
function unescaped(text: string): string | undefined {
  if (/%(?:2f|5c|00)/i.test(text)) throw invalidRequest('a key holds an encoded slash, backslash or NUL')
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
