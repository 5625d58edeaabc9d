import type { Coding } from '../src/service/document.ts'
import { CODINGS } from '../src/service/document.ts'
import type { StoreRequest } from '../src/service/store-request.ts'

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
