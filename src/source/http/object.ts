import type { ByteRange } from '../../bytes/byte-range.ts'
import { memorySource } from '../memory.ts'
import type { ObjectOptions, ObjectPart, Source } from '../source.ts'
import {
  checkContent,
  checked,
  checkLength,
  type HttpVersion,
  isAbsent,
  lengthOf,
  validatorOf,
  versionOf,
} from './answer.ts'
import { wholeBytesOf } from './body.ts'
import type { HttpAnswer } from './exchange.ts'
import { lasting } from './failures.ts'
import { HttpSource } from './http-source.ts'
import { rangeHeaderOf, toldPart } from './object-part.ts'
import type { OpenHttpWorld } from './open.ts'
import { withRetry } from './resumed-feed.ts'
import { retried } from './retry.ts'

/** An object, opened by the one GET that brings it or a part of it; undefined when its origin says that it does not exist. */
export async function httpObject(
  url: URL,
  world: OpenHttpWorld,
  { part, headOnly, signal }: ObjectOptions,
): Promise<Source | undefined> {
  const isHead = headOnly === true || part?.length === 0
  return await retried(world.settings, url.href, signal, (inner) =>
    isHead ? headOf(url, world, inner) : getObject(url, world, part, inner),
  )
}

async function getObject(
  url: URL,
  world: OpenHttpWorld,
  part: ObjectPart | undefined,
  signal: AbortSignal,
): Promise<Source | undefined> {
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
  if (size === undefined || (told === undefined && part !== undefined)) {
    // A body whose length nobody told, or that is more than the part that was asked for.
    const bytes = await wholeBytesOf(world, answer, signal)
    return memorySource(url.href, bytes, nameOf(versionOf(answer, bytes.length, bytes)))
  }
  const range = told?.range ?? { offset: 0, length: size }
  if (range.length > 0) checked(answer, () => checkLength(answer, range.length))
  return objectOf(url, world, answer, size, range)
}

/** Size and version of an object; where HEAD is refused or says too little, by the first byte. */
async function headOf(url: URL, world: OpenHttpWorld, signal: AbortSignal): Promise<Source | undefined> {
  const head = await world.exchange({ url, method: 'HEAD', headers: {}, signal })
  head.discard()
  if (isAbsent(head)) return undefined
  const size = lengthOf(head)
  if (head.status !== 405 && head.status !== 501) {
    checkContent(head, undefined)
    if (size !== undefined) return objectOf(url, world, head, size)
  }
  const answer = await world.exchange({ url, method: 'GET', headers: { range: 'bytes=0-0' }, signal })
  answer.discard()
  if (isAbsent(answer)) return undefined
  if (answer.status !== 416) checkContent(answer, undefined)
  const told = toldPart(answer, { kind: 'from', offset: 0, length: 1 })
  const total = told?.size ?? (answer.status === 416 ? 0 : lengthOf(answer))
  if (total === undefined) throw lasting('the origin does not tell the size of the object', url.href)
  return objectOf(url, world, answer, total)
}

/** An object of the version that an answer tells of; `range` is what its body brings. */
function objectOf(url: URL, world: OpenHttpWorld, answer: HttpAnswer, size: number, range?: ByteRange): Source {
  const version = versionOf(answer, size, new Uint8Array(0))
  if (range?.length === 0) answer.discard()
  const first = range === undefined || range.length === 0 ? undefined : { range, answer }
  const bare = new HttpSource({ url, world, version, head: undefined, location: answer.url, isWhole: false, first })
  const source = withRetry(bare, world.settings)
  return { ...source, size, validator: nameOf(version) }
}

/** The object's validator, where its origin gives one. */
function nameOf(version: HttpVersion): string | undefined {
  return version.headHash === undefined ? validatorOf(version) : undefined
}
