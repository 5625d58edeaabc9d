import { createHash } from 'node:crypto'
import type { ByteRange } from '../../bytes/byte-range.ts'
import type { VirtualZarrError } from '../../errors.ts'
import type { SourceCondition } from '../source.ts'
import type { HttpAnswer } from './exchange.ts'
import { changed, denied, lasting, later, notFound, tooSlow, unavailable } from './failures.ts'

// What an answer says of itself: its headers, the range it brings, the version it is of, and whether all of that fits.

/** A header's value; repeated ones are joined as HTTP says. */
export function headerOf(answer: HttpAnswer, name: string): string | undefined {
  const value = answer.headers[name]
  return typeof value === 'object' ? value.join(', ') : value
}

/** Whether the object does not exist, in its origin's own words. */
export function isAbsent(answer: HttpAnswer): boolean {
  return answer.status === 404 || answer.status === 410
}

/** The error for a status that brings no content; `words` are what the origin says besides. */
export function statusError(answer: HttpAnswer, words = ''): VirtualZarrError {
  const { status } = answer
  const url = answer.url.href
  const said = `the origin answered ${status}${words}`
  if (isAbsent(answer)) return notFound(said, url)
  if (status === 401 || status === 403) return denied(said, url)
  if (status === 408) return tooSlow(said, url)
  if (status === 429 || status === 503) return later(said, url, retryAfterOf(answer))
  if (status >= 500 && status !== 501 && status !== 505) return unavailable(said, url)
  return lasting(`${said}, expected content`, url)
}

const DEFAULT_RETRY_AFTER_SECONDS = 5
const MOST_RETRY_AFTER_SECONDS = 3600

/** RFC 9110, section 10.2.3: seconds or a date. */
function retryAfterOf(answer: HttpAnswer): number {
  const text = headerOf(answer, 'retry-after') ?? ''
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1000)
  if (Number.isNaN(seconds)) return DEFAULT_RETRY_AFTER_SECONDS
  return Math.min(Math.max(seconds, 0), MOST_RETRY_AFTER_SECONDS)
}

/** The length that an answer announces. */
export function lengthOf(answer: HttpAnswer): number | undefined {
  const text = answer.headers['content-length']
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** Runs a check of an answer's head, whose connection is freed when it fails. */
export function checked<T>(answer: HttpAnswer, check: () => T): T {
  try {
    return check()
  } catch (error) {
    answer.discard()
    throw error
  }
}

/** What a `Content-Range` header says (RFC 9110, section 14.4). */
export interface ContentRange {
  /** Undefined in the answer to a range that can't be satisfied. */
  readonly range: ByteRange | undefined
  /** Undefined when the origin does not tell. */
  readonly total: number | undefined
}

const CONTENT_RANGE = /^bytes\s+(?:(\d{1,16})-(\d{1,16})|\*)\/(?:(\d{1,16})|\*)$/i

/** What a partial answer says of its range and of the file's size; undefined when it makes no sense. */
export function contentRangeOf(answer: HttpAnswer): ContentRange | undefined {
  const match = CONTENT_RANGE.exec(headerOf(answer, 'content-range')?.trim() ?? '')
  if (match === null) return undefined
  const [, first, last, whole] = match
  const total = whole === undefined ? undefined : Number(whole)
  if (total !== undefined && !Number.isSafeInteger(total)) return undefined
  if (first === undefined || last === undefined) return { range: undefined, total }
  const offset = Number(first)
  const length = Number(last) - offset + 1
  if (length < 1 || !Number.isSafeInteger(offset + length)) return undefined
  if (total !== undefined && offset + length > total) return undefined
  return { range: { offset, length }, total }
}

/** The `Range` header of a byte range that is not empty. */
export function rangeHeader(range: ByteRange): string {
  return `bytes=${range.offset}-${range.offset + range.length - 1}`
}

/** Which bytes an origin has at a URL, as far as it tells (VERSION-1). */
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
  /** Of the head, or of all that was read; only where the origin gives neither a strong tag nor a date. */
  readonly headHash: string | undefined
  /** The hash is of the whole body, which an origin without ranges sends each time. */
  readonly isWholeHash?: boolean | undefined
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

/** A version as the condition by which others can ask for it. */
export function conditionOf(version: HttpVersion): SourceCondition | undefined {
  if (version.etag !== undefined) return { etag: version.etag }
  const unmodifiedSince = modifiedOf(version)
  return unmodifiedSince === undefined ? undefined : { unmodifiedSince }
}

/** When a version was made, in seconds since 1970, as its origin says. */
export function modifiedOf({ lastModified }: Pick<HttpVersion, 'lastModified'>): number | undefined {
  const milliseconds = Date.parse(lastModified ?? '')
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000
}

/** Throws for an answer that is not of the version which a document names; one that doesn't tell is none either. */
export function checkCondition(answer: HttpAnswer, { etag, unmodifiedSince }: SourceCondition): void {
  const told = headerOf(answer, 'etag')?.trim()
  if (etag !== undefined && told?.replaceAll('"', '') !== etag.replaceAll('"', '')) {
    throw notFound(`the file has ETag ${told ?? 'none'}, and references are to ${etag}`, answer.url.href)
  }
  const date = headerOf(answer, 'last-modified')
  // Also where the date can't be read: a comparison with NaN is false.
  if (unmodifiedSince === undefined || Date.parse(date ?? '') <= unmodifiedSince * 1000) return
  const since = new Date(unmodifiedSince * 1000).toISOString()
  throw notFound(
    `the file was modified at ${date ?? 'no known time'}, after the ${since} of the references`,
    answer.url.href,
  )
}

/**
 * Whether an answer is of a version: `unknown` when it lacks what the version is known by. An entity tag that stays
 * while the date moves counts as changed: some origins make tags that don't depend on the content.
 */
export function compareVersion(version: HttpVersion, answer: HttpAnswer): 'same' | 'changed' | 'unknown' {
  const { headers } = answer
  // As it nearly always is: nothing is to be read out of what is the same word by word.
  if (version.etag !== undefined && headers['etag'] === version.etag) {
    if (version.weakTag === undefined && headers['last-modified'] === version.lastModified) return 'same'
  }
  const { etag, weakTag } = tagsOf(answer)
  const lastModified = headerOf(answer, 'last-modified')
  // What one side doesn't tell is no difference.
  if ((etag ?? version.etag) !== (version.etag ?? etag)) return 'changed'
  if ((weakTag ?? version.weakTag) !== (version.weakTag ?? weakTag)) return 'changed'
  if ((lastModified ?? version.lastModified) !== (version.lastModified ?? lastModified)) return 'changed'
  if (version.headHash !== undefined) {
    // An origin that had no validators and now sends one has something else.
    return etag === undefined && lastModified === undefined ? 'same' : 'changed'
  }
  return (version.etag !== undefined && etag !== undefined) ||
    (version.lastModified !== undefined && lastModified !== undefined)
    ? 'same'
    : 'unknown'
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
  if (answer.headers['content-encoding'] === undefined) return undefined
  const coding = headerOf(answer, 'content-encoding')?.trim().toLowerCase()
  return coding === undefined || coding === '' || coding === 'identity' ? undefined : coding.replace(/^x-/, '')
}

function tagsOf(answer: HttpAnswer): { readonly etag: string | undefined; readonly weakTag: string | undefined } {
  const tag = headerOf(answer, 'etag')?.trim()
  if (tag === undefined || tag === '') return { etag: undefined, weakTag: undefined }
  // RFC 9110, section 8.8.3: a strong tag is quoted; what is not quoted is not to be relied on.
  return /^"[^"]*"$/.test(tag) ? { etag: tag, weakTag: undefined } : { etag: undefined, weakTag: tag }
}

/** What an answer to a ranged request turned out to be. */
export type RangeAnswer = 'part' | 'whole'

/** Checks what every answer with content must satisfy; an HTML page or a container of parts never becomes bytes. */
export function checkContent(answer: HttpAnswer, coding: string | undefined): void {
  const url = answer.url.href
  if (answer.status !== 200 && answer.status !== 206) throw statusError(answer)
  const type = (headerOf(answer, 'content-type') ?? '').trim().toLowerCase()
  if (type.startsWith('multipart/')) throw unavailable(`the origin answered ${type}, expected one range`, url)
  const isPage = type.startsWith('text/html') || type.startsWith('application/xhtml')
  if (isPage && headerOf(answer, 'content-range') === undefined) {
    throw unavailable('the origin answered an HTML page, expected a file', url)
  }
  const got = codingOf(answer)
  if (got !== coding) throw unavailable(`the origin answered with content coding ${got ?? 'identity'}`, url)
}

/** Checks that an answer is the range that was asked for, whatever its status says; `told` is its `Content-Range`. */
export function checkRange(
  answer: HttpAnswer,
  range: ByteRange,
  told: ContentRange | undefined = contentRangeOf(answer),
): RangeAnswer {
  const url = answer.url.href
  if (told === undefined && answer.status === 200 && answer.headers['content-range'] === undefined) return 'whole'
  if (told?.range === undefined) {
    const text = headerOf(answer, 'content-range')
    throw unavailable(`the origin answered ${answer.status} with content-range ${text ?? 'missing'}`, url)
  }
  const { offset, length } = told.range
  if (offset !== range.offset || length !== range.length) {
    throw unavailable(`the origin answered bytes ${offset}+${length}, expected ${range.offset}+${range.length}`, url)
  }
  checkLength(answer, length)
  return 'part'
}

/** Checks a `Content-Length`, where there is one, before any byte is read. */
export function checkLength(answer: HttpAnswer, length: number): void {
  const text = answer.headers['content-length']
  if (text !== undefined && text !== String(length)) {
    throw unavailable(`the origin announces ${text} bytes, expected ${length}`, answer.url.href)
  }
}

/** Checks that an answer with content is of the version that was opened. */
export function checkVersion(answer: HttpAnswer, version: HttpVersion, total: number | undefined): void {
  const url = answer.url.href
  const compared = compareVersion(version, answer)
  if (compared === 'changed') throw changed('the source was replaced since it was opened', url)
  if (compared === 'unknown') throw unavailable('the origin no longer says which version it sends', url)
  if (total === version.size) return
  // With a strong tag that stays, another size is a lie of the origin; without one it is how a change shows.
  if (total !== undefined && version.etag === undefined) {
    throw changed(`the source has ${total} bytes, it had ${version.size} when it was opened`, url)
  }
  if (total !== undefined || version.headHash !== undefined) {
    throw unavailable(`the origin tells a size of ${total ?? '*'}, expected ${version.size}`, url)
  }
}
