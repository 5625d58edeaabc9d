import { feedOf } from '../../bytes/feed.ts'
import { anyText } from '../../bytes/text.ts'
import { bytesUpTo } from '../http/body.ts'
import type { Exchange, HttpAnswer, HttpBody, HttpRequest } from '../http/exchange.ts'
import { unavailable } from '../http/failures.ts'
import type { SourceSettings } from '../settings.ts'
import type { CloudKey, CloudPlace, CloudProtocol, Failure } from './cloud.ts'
import type { KeptKey } from './kept-key.ts'

/** How the objects below one prefix are reached. */
export interface CloudWay {
  readonly protocol: CloudProtocol
  readonly place: CloudPlace
  /** Undefined: anonymously. */
  readonly key: KeptKey | undefined
  /** Asks over HTTP; it follows no redirect. */
  readonly exchange: Exchange
  readonly settings: SourceSettings
}

/** Longest error document that is read. */
const MOST_FAILURE_BYTES = 64 * 1024
/** A region, a clock and a key may each have to be learned. */
const MOST_TRIES = 4
/** What HTTP itself says of an object; everything else is the protocol's to judge. */
const TELLING = [200, 206, 304, 412, 416]

/** Asks for objects by their locations; what comes back speaks of the location, too. */
export function cloudExchange(way: CloudWay): Exchange {
  return (request) => ask(way, request, () => way.protocol.objectUrl(request.url, way.place))
}

/** Asks for what a location needs, at the URL that `target` makes each time with what was learned before. */
export async function ask(way: CloudWay, request: HttpRequest, target: () => URL): Promise<HttpAnswer> {
  const { protocol, place } = way
  let refused: CloudKey | undefined
  for (let tries = 1; ; tries++) {
    const kept = way.key?.get(request.signal)
    const key = kept instanceof Promise ? await kept : kept
    const asked = target()
    const answer = await send(way, request, asked, key)
    if (TELLING.includes(answer.status)) return protocol.understand?.(answer) ?? answer
    const failure = await readFailure(way, request, asked, key, answer)
    const verdict = protocol.judge(failure, request.url, place)
    if (verdict.kind === 'absent') return withoutBody(failure.answer, 404)
    if (verdict.kind === 'error' || tries === MOST_TRIES) throw verdict.error
    if (verdict.kind === 'expired') {
      // Who has no other key than the one that was refused need not ask again.
      if (key === undefined || key === refused) throw verdict.error
      way.key?.refuse(key)
      refused = key
    }
  }
}

function send(way: CloudWay, request: HttpRequest, asked: URL, key: CloudKey | undefined): Promise<HttpAnswer> {
  const { method, headers, signal } = request
  const signed = way.protocol.sign({ location: request.url, url: asked, method, headers }, way.place, key)
  return way.exchange({ url: signed.url, name: request.url, method, headers: signed.headers, signal })
}

/** What a failure says; that of a HEAD request says nothing, so it is asked once more as a GET of next to nothing. */
async function readFailure(
  way: CloudWay,
  request: HttpRequest,
  asked: URL,
  key: CloudKey | undefined,
  first: HttpAnswer,
): Promise<Failure> {
  let answer = first
  if (request.method === 'HEAD') {
    first.discard()
    answer = await send(way, { ...request, method: 'GET', headers: { range: 'bytes=0-0' } }, asked, key)
    if (TELLING.includes(answer.status)) {
      answer.discard()
      throw unavailable(`the store answered HEAD with ${first.status} and GET with ${answer.status}`, request.url.href)
    }
  }
  const bytes = await bytesUpTo(way.settings, answer, MOST_FAILURE_BYTES, request.signal)
  return { answer, asked, text: bytes === undefined ? '' : anyText(bytes) }
}

/** An answer whose body was read. */
function withoutBody(answer: HttpAnswer, status: number): HttpAnswer {
  const nothing: HttpBody = Object.assign(feedOf(new Uint8Array(0)), {
    follow: () => undefined,
    watch: () => undefined,
  })
  return { url: answer.url, status, headers: answer.headers, body: nothing, discard: () => undefined }
}
