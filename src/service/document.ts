import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlibConstants, zstdCompress } from 'node:zlib'
import { ownBytes } from '../bytes/own.ts'

/** Content codings a document can be sent in, the cheapest to decode first. */
export type Coding = 'zstd' | 'br' | 'gzip' | 'identity'
export const CODINGS: readonly Coding[] = ['zstd', 'br', 'gzip']

/** One representation of a document. */
export interface Representation {
  readonly bytes: Uint8Array
  readonly etag: string
}

/** A JSON document, serialised once; its compressed forms are made when first asked for and kept. */
export interface Document {
  readonly identity: Representation
  /** The compressed forms that were asked for before. */
  readonly made: ReadonlyMap<Coding, Representation>
  /** The form in a coding, made where it is not there yet; short documents have the plain one only. */
  in(coding: Coding): Representation | Promise<Representation>
}

/** Smaller documents gain nothing from compression. */
const MIN_COMPRESSED = 512

const compressors: Record<Exclude<Coding, 'identity'>, (bytes: Uint8Array) => Promise<Uint8Array>> = {
  gzip: (bytes) => promisify(gzip)(bytes, { level: 6 }),
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [zlibConstants.BROTLI_PARAM_QUALITY]: 5, [zlibConstants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  zstd: (bytes) => promisify(zstdCompress)(bytes),
}

/**
 * Makes a document of JSON, for one version of a source: the headers that go with it name the version, so that who has an equal one of
 * another version has not the same.
 */
export function documentOf(written: Uint8Array, version: string): Document {
  const bytes = ownBytes(written)
  const hash = digest(version, bytes)
  const identity = { bytes, etag: `"${hash}"` }
  const made = new Map<Coding, Representation>()
  const making = new Map<Coding, Promise<Representation>>()
  const compress = async (coding: Exclude<Coding, 'identity'>): Promise<Representation> => {
    const content = { bytes: ownBytes(await compressors[coding](bytes)), etag: `"${hash}-${coding}"` }
    made.set(coding, content)
    return content
  }
  return {
    identity,
    made,
    in(coding) {
      if (coding === 'identity' || bytes.length < MIN_COMPRESSED) return identity
      const known = made.get(coding) ?? making.get(coding)
      if (known !== undefined) return known
      const promise = compress(coding).finally(() => making.delete(coding))
      making.set(coding, promise)
      return promise
    },
  }
}

/** A short name for some content: 96 bits of its SHA-256, as base64url. */
export function digest(...contents: readonly (Uint8Array | string)[]): string {
  const hash = createHash('sha256')
  for (const content of contents) hash.update(content)
  return hash.digest('base64url').slice(0, 16)
}
