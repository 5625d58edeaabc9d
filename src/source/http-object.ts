import { abortScope } from './abort-scope.ts'
import { type HttpAnswer, isAbsent } from './exchange.ts'
import { lasting } from './failures.ts'
import { streamOfFeed } from './feed.ts'
import { checkContent, checkLength } from './http-checks.ts'
import { HttpSource } from './http-source.ts'
import { type HttpVersion, validatorOf, versionOf } from './http-version.ts'
import { bodyOf, bytesOf, checked, lengthOf, wholeBytesOf } from './http-world.ts'
import { partOf, rangeHeaderOf, toldPart } from './object-part.ts'
import type { OpenHttpWorld } from './open-http.ts'
import { resumable, type StartFeed } from './resumed-feed.ts'
import { attempted, retried } from './retry.ts'
import type { Feed, ObjectOptions, ObjectPart, SourceObject } from './source.ts'
import { streamOf } from './stream-of.ts'

/** Bodies up to this are read before they are handed over, so that any failure can still be retried. */
const BUFFERED_BYTES = 64 * 1024

/** An object, or a part of it, by one GET; undefined when its origin says that it does not exist. */
export async function httpObject(
  url: URL,
  world: OpenHttpWorld,
  { part, headOnly, signal }: ObjectOptions,
): Promise<SourceObject | undefined> {
  const { settings } = world
  if (headOnly === true || part?.length === 0) {
    return retried(settings, url.href, signal, (inner) => headOf(url, world, inner))
  }
  const scope = abortScope(signal, settings.deadlines.totalMs)
  try {
    const got = await attempted(settings, url.href, scope, (inner) => getObject(url, world, part, inner))
    scope.disarm()
    if (got?.resume === undefined) {
      scope.release()
      return got?.object
    }
    const { about, feed, start } = got.resume
    const range = { offset: about.offset, length: about.length }
    return { ...about, body: streamOfFeed(resumable(feed, { terms: settings, url: url.href, range, start }, scope)) }
  } catch (error) {
    scope.release()
    throw error
  }
}

/** An object whose bytes are at hand, or one whose body is under way. */
type GotObject =
  | { readonly object: SourceObject; readonly resume?: undefined }
  | {
      readonly object?: undefined
      readonly resume: { readonly about: Omit<SourceObject, 'body'>; readonly feed: Feed; readonly start: StartFeed }
    }

async function getObject(
  url: URL,
  world: OpenHttpWorld,
  part: ObjectPart | undefined,
  signal: AbortSignal,
): Promise<GotObject | undefined> {
  const headers = part === undefined ? {} : { range: rangeHeaderOf(part) }
  const answer = await world.exchange({ url, method: 'GET', headers, signal })
  if (isAbsent(answer)) {
    answer.discard()
    return undefined
  }
  const told = checked(answer, () => {
    if (answer.status !== 416 || part === undefined) checkContent(answer, undefined)
    return toldPart(answer, part)
  })
  const size = told?.size ?? lengthOf(answer)
  if (told === undefined && (part !== undefined || size === undefined)) {
    return wholeThenPart(url, world, answer, part, signal)
  }
  const length = told?.range.length ?? size ?? 0
  const version = versionOf(answer, size ?? 0, new Uint8Array(0))
  const about = { url: url.href, length, size: size ?? 0, validator: nameOf(version), offset: told?.range.offset ?? 0 }
  if (length === 0) answer.discard()
  else checked(answer, () => checkLength(answer, length))
  if (length <= BUFFERED_BYTES) {
    const bytes = length === 0 ? new Uint8Array(0) : await bytesOf(world, answer, length, signal)
    return { object: { ...about, body: streamOf(bytes) } }
  }
  const feed = bodyOf(world, answer, length, signal)
  return { resume: { about, feed, start: resumption(url, world, version, answer) } }
}

/** A body whose length nobody told, or that is more than the part that was asked for: read first, then cut. */
async function wholeThenPart(
  url: URL,
  world: OpenHttpWorld,
  answer: HttpAnswer,
  part: ObjectPart | undefined,
  signal: AbortSignal,
): Promise<GotObject> {
  const bytes = await wholeBytesOf(world, answer, signal)
  const { offset, length } = partOf(part, bytes.length)
  const validator = nameOf(versionOf(answer, bytes.length, bytes))
  const body = streamOf(bytes.subarray(offset, offset + length))
  return { object: { url: url.href, length, size: bytes.length, validator, offset, body } }
}

/** Size and version of an object; where HEAD is refused or says too little, by the first byte. */
async function headOf(url: URL, world: OpenHttpWorld, signal: AbortSignal): Promise<SourceObject | undefined> {
  const head = await world.exchange({ url, method: 'HEAD', headers: {}, signal })
  head.discard()
  if (isAbsent(head)) return undefined
  const size = lengthOf(head)
  if (head.status !== 405 && head.status !== 501) {
    checkContent(head, undefined)
    if (size !== undefined) return emptied(url, head, size)
  }
  const answer = await world.exchange({ url, method: 'GET', headers: { range: 'bytes=0-0' }, signal })
  answer.discard()
  if (isAbsent(answer)) return undefined
  if (answer.status === 416) {
    const told = toldPart(answer, { kind: 'from', offset: 0, length: 1 })
    return emptied(url, answer, told?.size ?? 0)
  }
  checkContent(answer, undefined)
  const total = toldPart(answer, { kind: 'from', offset: 0, length: 1 })?.size ?? lengthOf(answer)
  if (total === undefined) throw lasting('the origin does not tell the size of the object', url.href)
  return emptied(url, answer, total)
}

function emptied(url: URL, answer: HttpAnswer, size: number): SourceObject {
  const validator = nameOf(versionOf(answer, size, new Uint8Array(0)))
  return { url: url.href, length: size, size, validator, offset: 0, body: streamOf(new Uint8Array(0)) }
}

/** The object's validator, where its origin gives one. */
function nameOf(version: HttpVersion): string | undefined {
  return version.headHash === undefined ? validatorOf(version) : undefined
}

function resumption(url: URL, world: OpenHttpWorld, version: HttpVersion, answer: HttpAnswer): StartFeed {
  if (version.headHash !== undefined) {
    return async () => {
      throw lasting('the body broke off, and without a validator it can not be continued', url.href)
    }
  }
  const source = new HttpSource({ url, world, version, head: undefined, location: answer.url, isWhole: false })
  return (rest, signal) => source.feed(rest, { signal })
}
