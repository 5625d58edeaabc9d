// Icechunk's specification, "Virtual chunks": absolute URLs, or paths below a container that the repository's configuration names.
import { zstdDecompressSync } from 'node:zlib'
import { utf8Text } from '../../bytes/text.ts'
import type { SourceCondition } from '../../source/source.ts'
import { partsOfLocation } from './chunk-refs.ts'

/** Where a virtual chunk's file is, and which version of it; or why nowhere. */
export type Location =
  | { readonly kind: 'url'; readonly url: string; readonly condition: SourceCondition | undefined }
  | { readonly kind: 'refused'; readonly reason: string }

/** The most that Icechunk's own reader takes a compressed location for. */
const MOST_LOCATION = 1024
const SCHEMES = new Set(['s3:', 'gs:', 'abfs:', 'abfss:', 'http:', 'https:', 'file:'])

/** The location that a reference names. */
export function readLocation(
  bytes: Uint8Array,
  dictionary: Uint8Array | undefined,
  prefixOf: (container: string) => string | undefined,
): Location {
  const parts = partsOfLocation(bytes)
  const plain = parts.isCompressed ? decompressed(parts.location, dictionary) : parts.location
  const text = plain === undefined ? undefined : utf8Text(plain)
  const etag = utf8Text(parts.etag)
  if (text === undefined || etag === undefined) return refused('names a location that can not be read')
  const located = urlOf(text, prefixOf)
  if (located.kind === 'refused') return located
  // Icechunk has one or the other.
  if (etag !== '') return { ...located, condition: { etag } }
  return { ...located, condition: parts.lastModified === 0 ? undefined : { unmodifiedSince: parts.lastModified } }
}

function decompressed(location: Uint8Array, dictionary: Uint8Array | undefined): Uint8Array | undefined {
  if (dictionary === undefined) return undefined
  try {
    return zstdDecompressSync(location, { dictionary, maxOutputLength: MOST_LOCATION })
  } catch {
    return undefined
  }
}

function urlOf(text: string, prefixOf: (container: string) => string | undefined): Location {
  const [, container, path] = /^vcc:\/\/([^/]+)\/(.*)$/s.exec(text) ?? []
  if (container === undefined || path === undefined) return absolute(text)
  const prefix = prefixOf(container)
  if (prefix === undefined) return refused('names a container of virtual chunks that the repository does not configure')
  return absolute(prefix + path)
}

function absolute(text: string): Location {
  const spelled = text.replace(/^gcs:/i, 'gs:')
  const rest = /^[a-z0-9]+:\/\/[^/]*\/(.*)$/is.exec(spelled)?.[1]
  if (rest === undefined || !URL.canParse(spelled)) return refused('is no URL')
  if (rest.split('/').some((segment) => segment === '.' || segment === '..')) return refused('has dots for a folder')
  const { protocol, href } = new URL(spelled)
  if (SCHEMES.has(protocol)) return { kind: 'url', url: href, condition: undefined }
  return refused(protocol === 'az:' ? 'names no account' : `is of the scheme ${protocol}, which is not read`)
}

function refused(reason: string): Location {
  return { kind: 'refused', reason }
}
