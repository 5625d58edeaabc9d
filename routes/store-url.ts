import { invalidRequest } from '../src/errors.ts'

/** The parts of a request target below `/zarr/`, still as the client spelled them. */
export interface StoreTarget {
  readonly segment: string
  /** The Zarr key, decoded; undefined where the URL ends without the final slash. */
  readonly key: string | undefined
}

/** Splits `/zarr/{source;options}/{key}`; what could climb or hide is refused before anything is looked up. */
export function parseStoreTarget(target: string): StoreTarget {
  const path = target.split('?', 1)[0] ?? ''
  const rest = path.slice('/zarr/'.length)
  const slash = rest.indexOf('/')
  if (slash < 0) return { segment: rest, key: undefined }
  // obstore and zarrs join a store's URL that ends in `/` and a key with one slash more; as absent chunks they would read fill.
  const key = rest.slice(slash + 1).replace(/^\/+/, '')
  return { segment: rest.slice(0, slash), key: decodeKey(key) }
}

/** Keys of nothing but these characters, nearly all there are, mean what they say. */
const PLAIN_KEY = /^[\w/-]*(?:zarr\.json)?$/

function decodeKey(text: string): string {
  if (PLAIN_KEY.test(text)) return text
  if (/%(?:2f|5c|00)/i.test(text)) throw invalidRequest('a key holds an encoded slash, backslash or NUL')
  let key: string
  try {
    key = decodeURIComponent(text)
  } catch {
    throw invalidRequest('a key holds a broken percent escape')
  }
  if (key.split('/').some((part) => part === '..' || part === '.')) throw invalidRequest('a key holds "." or ".."')
  return key
}
