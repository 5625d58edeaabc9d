import { createHash } from 'node:crypto'
import { type HttpAnswer, headerOf } from './exchange.ts'

/** Which bytes an origin has at a URL, as far as it tells (RELIABILITY section 1, "Versions of a source"). */
export interface HttpVersion {
  readonly size: number
  /** A strong entity tag, quotes included. */
  readonly etag: string | undefined
  /** Proves nothing when it stays, but another one is another version. */
  readonly weakTag: string | undefined
  readonly lastModified: string | undefined
  /** `gzip` when the file itself is gzip and its origin announces that as a coding. */
  readonly coding: string | undefined
  /** Whether the same validator again proves the same bytes: a strong tag, or a date that was no longer young. */
  readonly isStrong: boolean
  /** Of the head; only where the origin gives neither a strong tag nor a date. */
  readonly headHash: string | undefined
}

/** The version an opening answer tells of, whose head is at hand. */
export function versionOf(answer: HttpAnswer, size: number, head: Uint8Array): HttpVersion {
  const { etag, weakTag } = tagsOf(answer)
  const lastModified = headerOf(answer, 'last-modified')
  const headHash = etag === undefined && lastModified === undefined ? hashOf(head) : undefined
  const isStrong = etag !== undefined || isOld(lastModified, headerOf(answer, 'date'))
  return { size, etag, weakTag, lastModified, coding: codingOf(answer), isStrong, headHash }
}

/** A date says seconds: only one that is clearly past proves that nothing came after it (RFC 9110, section 8.8.2.2). */
const SETTLED_MS = 60_000

function isOld(lastModified: string | undefined, date: string | undefined): boolean {
  return Date.parse(date ?? '') - Date.parse(lastModified ?? '') >= SETTLED_MS
}

/** The version's name: all that `compareVersion` compares, so that versions that differ never share it. */
export function validatorOf(version: HttpVersion): string {
  if (version.etag !== undefined) return [version.etag, version.lastModified].filter(Boolean).join('; ')
  const known = [version.lastModified ?? version.headHash, version.weakTag, `${version.size} bytes`]
  return known.filter((part) => part !== undefined).join('; ')
}

/**
 * Whether an answer is of a version: `unknown` when it lacks what the version is known by. An entity tag that stays
 * while the date moves counts as changed: some origins make tags that don't depend on the content.
 */
export function compareVersion(version: HttpVersion, answer: HttpAnswer): 'same' | 'changed' | 'unknown' {
  const { etag, weakTag } = tagsOf(answer)
  const lastModified = headerOf(answer, 'last-modified')
  if (differ(version.etag, etag) || differ(version.weakTag, weakTag)) return 'changed'
  if (differ(version.lastModified, lastModified)) return 'changed'
  if (version.headHash !== undefined) {
    // An origin that had no validators and now sends one has something else.
    return etag === undefined && lastModified === undefined ? 'same' : 'changed'
  }
  const known = version.etag !== undefined && etag !== undefined
  return known || (version.lastModified !== undefined && lastModified !== undefined) ? 'same' : 'unknown'
}

/** Headers of a request that asks whether the version still is the one. */
export function conditionalHeaders(version: HttpVersion): Readonly<Record<string, string>> {
  if (version.etag !== undefined) return { 'if-none-match': version.etag }
  if (version.lastModified !== undefined) return { 'if-modified-since': version.lastModified }
  return {}
}

/** A hash that names a head. */
export function hashOf(head: Uint8Array): string {
  return createHash('sha256').update(head).digest('base64url').slice(0, 22)
}

/** The answer's content coding; undefined for none. */
export function codingOf(answer: HttpAnswer): string | undefined {
  const coding = headerOf(answer, 'content-encoding')?.trim().toLowerCase()
  return coding === undefined || coding === '' || coding === 'identity' ? undefined : coding.replace(/^x-/, '')
}

function tagsOf(answer: HttpAnswer): { readonly etag: string | undefined; readonly weakTag: string | undefined } {
  const tag = headerOf(answer, 'etag')?.trim()
  if (tag === undefined || tag === '') return { etag: undefined, weakTag: undefined }
  // RFC 9110, section 8.8.3: a strong tag is quoted; what is not quoted is not to be relied on.
  return /^"[^"]*"$/.test(tag) ? { etag: tag, weakTag: undefined } : { etag: undefined, weakTag: tag }
}

function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other
}
