import type { ServerResponse } from 'node:http'
import { invalidRequest } from '../src/errors.ts'
import { CODINGS, type Coding } from '../src/service/document.ts'
import { storePathOf } from '../src/service/store-address.ts'
import type { StoreRequest } from '../src/service/store-request.ts'

// What a request for a key of a store says: in its target, and in the headers that choose among answers.

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
const SPELLED_OUT = /^\/zarr\/(https?|file|s3|gs|az|abfss?)(?::|%3a)\/+/i

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

/** The content coding for a document: the client's best, ours among equals (RFC 9110, 12.5.3). */
export function acceptedCoding(header: string | undefined): Coding {
  if (header === undefined || header === 'identity') return 'identity'
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const quality = parameters.find((text) => text.startsWith('q='))
    weights.set(name, quality === undefined ? 1 : Number(quality.slice(2)) || 0)
  }
  let best: Coding = 'identity'
  let bestWeight = 0
  for (const coding of CODINGS) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0
    if (weight > bestWeight) {
      best = coding
      bestWeight = weight
    }
  }
  return (weights.get('identity') ?? 0) > bestWeight ? 'identity' : best
}

/** The part a `Range` header asks for; undefined, and thus the whole, for what is not a single byte range (RFC 9110, 14.2). */
export function requestedPart(header: string | undefined): StoreRequest['part'] {
  if (header === undefined) return undefined
  const match = /^bytes=(?:(\d+)-(\d+)?|-(\d+))$/i.exec(header.trim())
  if (match === null) return undefined
  const [, first, last, suffix] = match
  if (suffix !== undefined) return { kind: 'last', length: position(suffix) }
  const offset = position(first)
  if (last === undefined) return { kind: 'from', offset, length: undefined }
  const end = position(last)
  return end < offset ? undefined : { kind: 'from', offset, length: end - offset + 1 }
}

/** No file is longer than this: what is beyond counts as its end. */
const FARTHEST = 2 ** 52

function position(digits: string | undefined): number {
  return Math.min(Number(digits), FARTHEST)
}

/** The ETags of an `If-None-Match` header, without the mark of weak ones: its comparison is the weak one. */
export function heldTags(header: string | undefined): readonly string[] | undefined {
  return header?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
}

/** Aborts when the client leaves before it has its answer. */
export function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.on('close', () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}
