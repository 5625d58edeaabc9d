import type { SourceSettings } from '../settings.ts'
import type { OpenOptions, SourceCondition } from '../source.ts'
import type { WholeFiles } from '../whole-files.ts'
import {
  checkCondition,
  checkContent,
  checked,
  checkRange,
  codingOf,
  contentRangeOf,
  headerOf,
  lengthOf,
  statusError,
  versionOf,
} from './answer.ts'
import { bytesOf, wholeBytesOf } from './body.ts'
import type { Exchange, HttpAnswer } from './exchange.ts'
import { notFound, unavailable } from './failures.ts'
import { HttpSource } from './http-source.ts'
import { retried } from './retry.ts'

/** What reading over HTTP needs of the world around it. */
export interface HttpWorld {
  readonly exchange: Exchange
  readonly settings: SourceSettings
  readonly wholes: WholeFiles
}

interface HttpOpenOptions extends OpenOptions {
  /** The version that a document names. */
  readonly condition?: SourceCondition | undefined
}

/** Opens a file by one ranged GET, which brings its size, its version and its head. */
export async function openHttpSource(
  url: URL,
  world: HttpWorld,
  { signal, headBytes = world.settings.headBytes, condition = {} }: HttpOpenOptions,
): Promise<HttpSource> {
  const answer = await askForHead(url, world, headBytes, signal)
  checked(answer, () => checkCondition(answer, condition))
  if (answer.status === 416) return openEmpty(url, answer, world)
  // A part that does not say which one it is would be taken for the whole file.
  if (answer.status === 206 || headerOf(answer, 'content-range') !== undefined) {
    return openByRange(url, answer, world, headBytes, signal)
  }
  const bytes = await wholeBytesOf(world.settings, answer, signal)
  // All of it is at hand, and will be whenever it is read again.
  const version = { ...versionOf(answer, bytes.length, bytes), isWholeHash: true }
  const fitsInHead = bytes.length <= world.settings.headBytes
  if (!fitsInHead) world.wholes.keep(url, version, bytes)
  return new HttpSource({
    url,
    world,
    version,
    head: fitsInHead ? bytes : undefined,
    location: answer.url,
    isWhole: true,
  })
}

/** How often a document is asked for that does not look like what it must be. */
const CHECKED_ATTEMPTS = 3

/** Opens a file, again where it does not look like what is expected of it. */
export async function openChecked(
  url: URL,
  world: HttpWorld,
  { signal, check, headBytes }: OpenOptions,
): Promise<HttpSource> {
  let faults = 0
  return await retried(world.settings, url.href, signal, async (inner) => {
    const source = await openHttpSource(url, world, { signal: inner, headBytes })
    if (check === undefined) return source
    const range = { offset: 0, length: Math.min(source.size, world.settings.headBytes) }
    const seen = await source.read({ offset: 0, length: check.sees(range, source.size) }, { signal: inner })
    const fault = check.fault(seen, range, source.size)
    if (fault === undefined || ++faults === CHECKED_ATTEMPTS) return source
    throw unavailable(`the origin answered ${fault}`, url.href)
  })
}

/** The answer to the first request; where the range was ignored without need, the second. */
async function askForHead(
  url: URL,
  world: HttpWorld,
  headBytes: number,
  signal: AbortSignal | undefined,
): Promise<HttpAnswer> {
  const headers = { range: `bytes=0-${headBytes - 1}` }
  const ask = () => world.exchange({ url, method: 'GET', headers, signal })
  const check = (answer: HttpAnswer) => checked(answer, () => checkOpening(url, answer))
  const first = await ask()
  check(first)
  if (first.status !== 200 || headerOf(first, 'content-range') !== undefined) return first
  const isSmall = (lengthOf(first) ?? Number.POSITIVE_INFINITY) <= headBytes
  if (isSmall || headerOf(first, 'accept-ranges') === 'none') return first
  first.discard()
  const second = await ask()
  check(second)
  return second
}

/** Checks what the first answer of a file must satisfy. */
export function checkOpening(url: URL, answer: HttpAnswer): void {
  if (answer.status === 416) return
  // The usual redirect to the final slash: what is there is a folder, whether it has an index page or not.
  if (answer.url.pathname === `${url.pathname}/`) throw notFound('there is a folder, expected a file', url.href)
  // Some origins announce the compression of `name.gz` as a content coding; the bytes are the file's all the same.
  const isGzipFile = url.pathname.toLowerCase().endsWith('.gz') && codingOf(answer) === 'gzip'
  checkContent(answer, isGzipFile ? 'gzip' : undefined)
}

async function openByRange(
  url: URL,
  answer: HttpAnswer,
  world: HttpWorld,
  headBytes: number,
  signal: AbortSignal | undefined,
): Promise<HttpSource> {
  const { total, length } = checked(answer, () => {
    const total = contentRangeOf(answer)?.total
    const length = Math.min(total ?? 0, headBytes)
    if (total === undefined) throw unavailable('the origin does not tell the size of the file', url.href)
    checkRange(answer, { offset: 0, length })
    return { total, length }
  })
  const head = await bytesOf(world.settings, answer, length, signal)
  return new HttpSource({
    url,
    world,
    version: versionOf(answer, total, head.subarray(0, world.settings.headBytes)),
    head,
    location: answer.url,
    isWhole: false,
  })
}

/** RFC 9110, section 15.5.17: no range of an empty file can be satisfied. */
async function openEmpty(url: URL, answer: HttpAnswer, world: HttpWorld): Promise<HttpSource> {
  answer.discard()
  const told = contentRangeOf(answer)
  if (told !== undefined && told.total !== 0) throw statusError(answer)
  const head = new Uint8Array(0)
  return new HttpSource({ url, world, version: versionOf(answer, 0, head), head, location: answer.url, isWhole: true })
}
