import type { Feed } from '../bytes/feed.ts'
import { exactBody, exactBytes } from './exact-body.ts'
import type { Exchange, HttpAnswer } from './exchange.ts'
import { lasting } from './failures.ts'
import type { SourceSettings } from './settings.ts'

/** What reading over HTTP needs of the world around it. */
export interface HttpWorld {
  readonly exchange: Exchange
  readonly settings: SourceSettings
}

/** An answer's body as a feed, timed, and of exactly that length where one is known. */
export function bodyOf(
  world: HttpWorld,
  answer: HttpAnswer,
  length: number | undefined,
  signal: AbortSignal | undefined,
): Feed {
  return exactBody(answer.body, { url: answer.url.href, length, pace: world.settings.deadlines, signal })
}

/** The bytes of an answer's body of known length. */
export async function bytesOf(
  world: HttpWorld,
  answer: HttpAnswer,
  length: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  return (await bytesUpTo(world, answer, length, length, signal)) ?? new Uint8Array(0)
}

/** The bytes of an answer's body, of known length or not; undefined when it is longer than `limit`. */
export function bytesUpTo(
  world: HttpWorld,
  answer: HttpAnswer,
  length: number | undefined,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  const terms = { url: answer.url.href, length, pace: world.settings.deadlines, signal }
  return exactBytes(answer.body, terms, limit)
}

/** The bytes of a body that is read whole, up to the limit for those. */
export async function wholeBytesOf(
  world: HttpWorld,
  answer: HttpAnswer,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const limit = world.settings.maxWholeBytes
  const length = lengthOf(answer)
  if (length === undefined || length <= limit) {
    const bytes = await bytesUpTo(world, answer, length, limit, signal)
    if (bytes !== undefined) return bytes
  }
  answer.body.stop()
  const message = `the origin does not answer ranges, and the file is larger than ${limit} bytes (VZ_MAX_WHOLE_BYTES)`
  throw lasting(message, answer.url.href)
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
