import type { ByteRange } from '../bytes/byte-range.ts'
import { parseContentRange } from './content-range.ts'
import { type HttpAnswer, headerOf, statusError } from './exchange.ts'
import { changed, unavailable } from './failures.ts'
import { codingOf, compareVersion, type HttpVersion } from './http-version.ts'

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

/** The size of the file, as a partial answer tells it. */
export function totalOf(answer: HttpAnswer): number | undefined {
  return parseContentRange(headerOf(answer, 'content-range'))?.total
}

/** Checks that an answer is the range that was asked for, whatever its status says. */
export function checkRange(answer: HttpAnswer, range: ByteRange): RangeAnswer {
  const url = answer.url.href
  const text = headerOf(answer, 'content-range')
  if (text === undefined && answer.status === 200) return 'whole'
  const told = parseContentRange(text)
  if (told?.range === undefined) {
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
  const text = headerOf(answer, 'content-length')
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
