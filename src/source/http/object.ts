import { begunFeed } from '../../bytes/begun-feed.ts'
import type { ByteRange } from '../../bytes/byte-range.ts'
import { isVirtualZarrError, malformed, VirtualZarrError } from '../../errors.ts'
import { memorySource } from '../memory.ts'
import { publicUrl } from '../public-url.ts'
import { type ObjectCheck, type ObjectOptions, type ObjectPart, partRange, type Source } from '../source.ts'
import {
  checkContent,
  checked,
  checkLength,
  contentRangeOf,
  type HttpVersion,
  headerOf,
  isAbsent,
  lengthOf,
  rangeHeader,
  validatorOf,
  versionOf,
} from './answer.ts'
import { bodyOf, wholeBytesOf } from './body.ts'
import type { HttpAnswer } from './exchange.ts'
import { lasting, unavailable } from './failures.ts'
import { type FirstAnswer, HttpSource } from './http-source.ts'
import type { HttpWorld } from './open.ts'
import { retried, withRetry } from './retry.ts'

/** An object, opened by the one GET that brings it or a part of it; undefined when its origin says that it does not exist. */
export async function httpObject(
  url: URL,
  world: HttpWorld,
  { part, headOnly, check, signal }: ObjectOptions,
): Promise<Source | undefined> {
  const isHead = headOnly === true || part?.length === 0
  const checks = check === undefined ? undefined : new Checks(url, check)
  try {
    return await retried(world.settings, url.href, signal, (inner) =>
      isHead ? headOf(url, world, checks, inner) : getObject(url, world, part, checks, inner),
    )
  } catch (error) {
    // What stays wrong is no passing fault of the origin: it has nothing else.
    throw error instanceof VirtualZarrError && isVirtualZarrError(error.cause) ? error.cause : error
  }
}

/** The checks of one object over all attempts. */
class Checks {
  readonly #url: URL
  readonly #check: ObjectCheck
  #before: string | undefined

  constructor(url: URL, check: ObjectCheck) {
    this.#url = url
    this.#check = check
  }

  sees(range: ByteRange, size: number): number {
    return this.#check.sees(range, size)
  }

  /** Throws for what can't be the object: to be asked for again, unless its origin has said the same of the same version. */
  pass(seen: Uint8Array, range: ByteRange, version: HttpVersion): void {
    const fault = this.#check.fault(seen, range, version.size)
    if (fault === undefined) return
    const { href } = this.#url
    const error = malformed(`the object of a chunk is ${fault}`, { url: publicUrl(href) })
    const found = `${fault} ${validatorOf(version)}`
    if (found === this.#before && version.etag !== undefined) throw error
    this.#before = found
    throw unavailable(error.message, href, error)
  }
}

async function getObject(
  url: URL,
  world: HttpWorld,
  part: ObjectPart | undefined,
  checks: Checks | undefined,
  signal: AbortSignal,
): Promise<Source | undefined> {
  const headers = part === undefined ? {} : { range: rangeHeaderOf(part) }
  const answer = await world.exchange({ url, method: 'GET', headers, signal })
  if (isAbsent(answer)) {
    answer.discard()
    return undefined
  }
  const told = checked(answer, () => {
    if (answer.status !== 416 || part === undefined) checkObjectContent(answer)
    return toldPart(answer, part)
  })
  const size = told?.size ?? lengthOf(answer)
  if (size === undefined || (told === undefined && part !== undefined)) {
    // A body whose length nobody told, or that is more than the part that was asked for.
    const bytes = await wholeBytesOf(world.settings, answer, signal)
    const version = versionOf(answer, bytes.length, bytes)
    checks?.pass(bytes, { offset: 0, length: bytes.length }, version)
    return memorySource(url.href, bytes, nameOf(version))
  }
  const range = told?.range ?? { offset: 0, length: size }
  if (range.length > 0) checked(answer, () => checkLength(answer, range.length))
  const version = versionOf(answer, size, new Uint8Array(0))
  const seen = Math.min(checks?.sees(range, size) ?? 0, range.length)
  if (checks === undefined || seen === 0) {
    checked(answer, () => checks?.pass(new Uint8Array(0), range, version))
    return objectOf(url, world, answer, version, { range, answer })
  }
  const { feed, head } = await begunFeed(bodyOf(world.settings, answer, range.length, signal), seen)
  try {
    checks.pass(head, range, version)
  } catch (error) {
    feed.stop()
    throw error
  }
  return objectOf(url, world, answer, version, { range, answer, begun: feed })
}

/** A chunk is no page, whatever its beginning says. */
function checkObjectContent(answer: HttpAnswer): void {
  checkContent(answer, undefined)
  const type = headerOf(answer, 'content-type')?.trim().toLowerCase() ?? ''
  if (!/^(?:text\/html|(?:text|application)\/(?:[\w.-]+\+)?xml)\b/.test(type)) return
  throw unavailable(`the origin answered ${type}, expected a chunk`, answer.url.href)
}

/** Size and version of an object; where HEAD is refused or says too little, by the first byte. */
async function headOf(
  url: URL,
  world: HttpWorld,
  checks: Checks | undefined,
  signal: AbortSignal,
): Promise<Source | undefined> {
  const told = (answer: HttpAnswer, size: number) => {
    const version = versionOf(answer, size, new Uint8Array(0))
    checks?.pass(new Uint8Array(0), { offset: 0, length: 0 }, version)
    return objectOf(url, world, answer, version)
  }
  const head = await world.exchange({ url, method: 'HEAD', headers: {}, signal })
  head.discard()
  if (isAbsent(head)) return undefined
  const size = lengthOf(head)
  if (head.status !== 405 && head.status !== 501) {
    checkObjectContent(head)
    if (size !== undefined) return told(head, size)
  }
  const answer = await world.exchange({ url, method: 'GET', headers: { range: 'bytes=0-0' }, signal })
  answer.discard()
  if (isAbsent(answer)) return undefined
  if (answer.status !== 416) checkObjectContent(answer)
  const part = toldPart(answer, { kind: 'from', offset: 0, length: 1 })
  const total = part?.size ?? (answer.status === 416 ? 0 : lengthOf(answer))
  if (total === undefined) throw lasting('the origin does not tell the size of the object', url.href)
  return told(answer, total)
}

/** An object of the version that an answer tells of; `first` is what its body brings. */
function objectOf(url: URL, world: HttpWorld, answer: HttpAnswer, version: HttpVersion, first?: FirstAnswer): Source {
  const isEmpty = first?.range.length === 0
  if (isEmpty) answer.discard()
  const parts = { url, world, version, head: undefined, location: answer.url, isWhole: false }
  const source = withRetry(new HttpSource({ ...parts, first: isEmpty ? undefined : first }), world.settings)
  return { ...source, size: version.size, validator: nameOf(version) }
}

/** The object's validator, where its origin gives one. */
function nameOf(version: HttpVersion): string | undefined {
  return version.headHash === undefined ? validatorOf(version) : undefined
}

/** The `Range` header of a part that is not empty. */
function rangeHeaderOf(part: ObjectPart): string {
  if (part.kind === 'last') return `bytes=-${part.length}`
  return part.length === undefined ? `bytes=${part.offset}-` : rangeHeader({ offset: part.offset, length: part.length })
}

/** The part an answer says it brings, checked against the one that was asked for; undefined when it says none. */
function toldPart(
  answer: HttpAnswer,
  part: ObjectPart | undefined,
): { readonly size: number; readonly range: ByteRange } | undefined {
  const text = headerOf(answer, 'content-range')
  if (answer.status === 200 && text === undefined) return undefined
  const told = contentRangeOf(answer)
  const fail = () => unavailable(`the origin answered ${answer.status} with content-range ${text}`, answer.url.href)
  if (told?.total === undefined) throw fail()
  // A part that begins behind the end is empty.
  const expected = partRange(part, told.total) ?? { offset: told.total, length: 0 }
  const { offset, length } = told.range ?? { offset: expected.offset, length: 0 }
  if (offset !== expected.offset || length !== expected.length) throw fail()
  return { size: told.total, range: expected }
}
