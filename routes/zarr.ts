import type { RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Feed } from '../src/bytes/feed.ts'
import type { StoreAddress } from '../src/service/store-address.ts'
import type { Answer, ChunkBody } from '../src/service/store-request.ts'
import type { Caller, RouteContext } from './context.ts'
import { COMMON_HEADERS, PAGE_HEADERS, reasonPhrase } from './headers.ts'
import { indexPage } from './pages.ts'
import { acceptedCoding, heldTags, parseStoreTarget, refuseSpelledOut, requestedPart, signalOf } from './request.ts'

declare module 'node:http' {
  interface ServerResponse {
    /** Bytes of the body of an answer written past Fastify, for the metrics: Node keeps no record of its headers. */
    bodyLength?: number
    /** What came of a request for a key before Fastify was given it. */
    begun?: Answer | Promise<Answer> | undefined
  }
}

const PUBLIC = {
  unpinned: 'public, no-cache, no-transform',
  pinned: 'public, max-age=31536000, immutable, no-transform',
} as const
const PRIVATE = {
  unpinned: 'private, no-cache, no-transform',
  pinned: 'private, max-age=31536000, immutable, no-transform',
} as const

export const KEYS_ROUTE = '/zarr/*'

/** The stores: `/zarr/{source}[;option=value]…/{zarr key}`. */
export function zarrRoutes(app: FastifyInstance, context: RouteContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: KEYS_ROUTE,
    // The router's own decoding can't tell an encoded slash from a slash: the target is read as it came.
    config: { isHidden: true },
    handler: (request, reply) => answerKey(request, reply, context),
  })
}

/** A key of a store that is asked for. */
interface Asked {
  readonly context: RouteContext
  readonly caller: Caller
  readonly address: StoreAddress
  readonly segment: string
  readonly key: string
  readonly isDocument: boolean
  /** Aborts when the client leaves; none for a document, which comes from an open that others share. */
  readonly signal: AbortSignal | undefined
}

/**
 * Answers for a key before Fastify is given the request, of which documents and chunks need nothing (decision 8). All else, and
 * whatever goes wrong, is answered the usual way.
 */
export function answerKeyFirst(
  caller: Caller,
  response: ServerResponse,
  context: RouteContext,
  usual: RequestListener,
): void {
  let asked: Asked | undefined
  let answer: Answer | Promise<Answer> | undefined
  try {
    asked = askedBy(caller, response, context)
    answer = asked && ask(asked)
    if (asked && answer && !(answer instanceof Promise) && isWritten(answer, response, asked)) return
  } catch {
    // The usual way meets the same at the same place, and tells it.
    answer = undefined
  }
  if (asked !== undefined && answer instanceof Promise) answerLater(answer, response, asked, usual)
  else handOver(answer, caller, response, usual)
}

function answerLater(answer: Promise<Answer>, response: ServerResponse, asked: Asked, usual: RequestListener): void {
  const { caller, signal } = asked
  answer
    .then((made) => {
      if (!isWritten(made, response, asked)) handOver(answer, caller, response, usual)
    })
    .catch(() => {
      // Nobody may be left to be told.
      if (signal?.aborted !== true) handOver(answer, caller, response, usual)
    })
}

function handOver(begun: ServerResponse['begun'], { raw }: Caller, response: ServerResponse, usual: RequestListener) {
  response.begun = begun
  usual(raw, response)
}

/** Answers at once where nothing must be awaited, which is what a warm document costs least. */
function answerKey(
  request: FastifyRequest,
  reply: FastifyReply,
  context: RouteContext,
): FastifyReply | Promise<FastifyReply> {
  const target = parseStoreTarget(request.raw.url ?? '')
  const asked = askedBy(request, reply.raw, context)
  if (target === undefined) return reply.callNotFound() as unknown as FastifyReply
  if (asked === undefined) return movedToFolder(request, reply, context)
  const answer = reply.raw.begun ?? ask(asked)
  if (!(answer instanceof Promise)) return send(answer, request, reply, asked)
  return answer.then(
    (made) => send(made, request, reply, asked),
    (error) => {
      // Nobody is left to be told, and a client that leaves is no trouble of the operator's.
      if (asked.signal?.aborted === true) return reply.hijack()
      throw error
    },
  )
}

/** Undefined for what is no key of a store. */
function askedBy(caller: Caller, response: ServerResponse, context: RouteContext): Asked | undefined {
  const { url = '' } = caller.raw
  refuseSpelledOut(url, () => context.publicUrl(caller))
  const target = parseStoreTarget(url)
  if (target?.key === undefined) return undefined
  const { segment, key } = target
  const isDocument = key.endsWith('zarr.json')
  const signal = isDocument ? undefined : signalOf(response)
  return { context, caller, address: context.addressOf(segment), segment, key, isDocument, signal }
}

function ask({ context, caller, address, key, isDocument, signal }: Asked): Answer | Promise<Answer> {
  const { headers, method } = caller.raw
  const { range, 'if-none-match': held } = headers
  return context.stores.get({
    address,
    key,
    part: range === undefined ? undefined : requestedPart(range),
    ifRange: headers['if-range']?.toString(),
    headOnly: method === 'HEAD',
    ifNoneMatch: held === undefined ? undefined : heldTags(held),
    coding: isDocument ? acceptedCoding(headers['accept-encoding']) : undefined,
    signal,
  })
}

/** Writes the answers that most requests have; false for the others. */
function isWritten(answer: Answer, response: ServerResponse, asked: Asked): boolean {
  switch (answer.kind) {
    case 'document':
      writeDocument(answer, response, asked)
      return true
    case 'chunk':
      writeChunk(answer, response, asked)
      return true
    case 'not-modified': {
      const vary = answer.vary ? ['vary', 'Accept-Encoding'] : []
      const headers = ['etag', answer.etag, 'cache-control', cachingOf(answer, asked), ...vary]
      sendRaw(response, 304, headers, undefined, 0, asked.context.log)
      return true
    }
    default:
      return false
  }
}

function cachingOf({ isLasting }: { readonly isLasting: boolean }, { address, context }: Asked): string {
  const isPinned = address.options.version !== undefined && isLasting
  return (context.isPrivate ? PRIVATE : PUBLIC)[isPinned ? 'pinned' : 'unpinned']
}

function send(answer: Answer, request: FastifyRequest, reply: FastifyReply, asked: Asked): FastifyReply {
  switch (answer.kind) {
    case 'unsatisfiable':
      return sendUnsatisfiable(answer.total, reply)
    case 'listing': {
      const storeUrl = `${asked.context.publicUrl(request)}/zarr/${asked.segment}/`
      const { entries } = answer
      const isForGdal = request.headers['user-agent']?.startsWith('GDAL/') === true
      const page = indexPage({ path: request.raw.url ?? '', entries, storeUrl, isForGdal })
      if (entries.some((name) => name.includes(' '))) reply.header('vary', 'User-Agent')
      return reply.header('cache-control', cachingOf(answer, asked)).headers(PAGE_HEADERS).send(page)
    }
    case 'moved':
      return movedToFolder(request, reply, asked.context)
    case 'absent':
      return reply.callNotFound() as unknown as FastifyReply
    default:
      isWritten(answer, reply.raw, asked)
      return reply.hijack()
  }
}

function writeDocument(answer: Extract<Answer, { kind: 'document' }>, response: ServerResponse, asked: Asked): void {
  const { content, coding, part } = answer
  const { bytes, etag } = content
  const body = part === undefined ? bytes : bytes.subarray(part.offset, part.offset + part.length)
  const headers = ['content-type', 'application/json', 'content-length', String(body.length), 'etag', etag]
  headers.push('accept-ranges', 'bytes', 'vary', 'Accept-Encoding', 'cache-control', cachingOf(answer, asked))
  const link = canonicalLink(answer.version, asked)
  if (link !== undefined) headers.push('link', link)
  if (coding !== 'identity') headers.push('content-encoding', coding)
  if (part !== undefined) headers.push('content-range', contentRange(part, bytes.length))
  const isHead = asked.caller.raw.method === 'HEAD'
  sendRaw(response, part === undefined ? 200 : 206, headers, isHead ? undefined : body, body.length, asked.context.log)
}

function contentRange({ offset, length }: { readonly offset: number; readonly length: number }, total: number): string {
  return `bytes ${offset}-${offset + length - 1}/${total}`
}

/** To the same path with its final slash, below the prefix that a proxy may have cut off. */
function movedToFolder(request: FastifyRequest, reply: FastifyReply, context: RouteContext): FastifyReply {
  const prefix = new URL(context.publicUrl(request)).pathname.replace(/\/$/, '')
  return reply.redirect(`${prefix}${(request.raw.url ?? '').split('?', 1)[0]}/`, 308)
}

function sendUnsatisfiable(total: number, reply: FastifyReply): FastifyReply {
  const title = 'The range is not satisfiable'
  const problem = { type: '/problems/range-not-satisfiable', title, status: 416, detail: `there are ${total} bytes` }
  reply.raw.statusMessage = reasonPhrase(title, problem.detail)
  reply.code(416).header('content-range', `bytes */${total}`).header('cache-control', 'no-store')
  return reply.type('application/problem+json').send(Buffer.from(JSON.stringify(problem)))
}

function writeChunk(answer: Extract<Answer, { kind: 'chunk' }>, response: ServerResponse, asked: Asked): void {
  const { total, offset, length, body, etag, isPart } = answer
  const headers = ['content-type', 'application/octet-stream', 'content-length', String(length)]
  headers.push('accept-ranges', 'bytes', 'cache-control', cachingOf(answer, asked))
  if (etag !== undefined) headers.push('etag', etag)
  if (isPart) headers.push('content-range', contentRange({ offset, length }, total))
  sendRaw(response, isPart ? 206 : 200, headers, body, length, asked.context.log)
}

/** The same document under the version it was read at: what may be kept for ever. A signature is of one store, and not of that one. */
function canonicalLink(version: string, { context, caller, address, segment, key }: Asked): string | undefined {
  if (address.expires !== undefined) return undefined
  const pinned = address.options.version === undefined ? `${segment};version=${version}` : segment
  return `<${context.publicUrl(caller)}/zarr/${pinned}/${key === 'zarr.json' ? key : encodeURI(key)}>; rel="canonical"`
}

const COMMON_LIST = Object.entries(COMMON_HEADERS).flat()

/**
 * Writes an answer past Fastify's hooks and serialisers, which cost the two hot paths more than the rest of them together.
 * Headers are a flat list of names and values, which Node takes as it is; the common ones are added.
 * A body that fails after the head was sent destroys the socket: a cut chunk must never look complete.
 */
export function sendRaw(
  response: ServerResponse,
  status: number,
  headers: readonly string[],
  body: ChunkBody | undefined,
  bodyLength: number,
  log: RouteContext['log'],
): void {
  response.bodyLength = body === undefined ? 0 : bodyLength
  response.writeHead(status, [...headers, ...COMMON_LIST])
  if (body === undefined || body instanceof Uint8Array) response.end(body)
  else sendFeed(response, body, log)
}

/** Bytes that wait for a slow client before its chunk is asked to rest: what a fast one takes at once never is. */
const MOST_WAITING_BYTES = 128 * 1024

/** Bytes that are worth a call to the system: each wakes the client's process, which costs as much as copying 64 KiB. */
const MOST_CORKED_BYTES = 512 * 1024

function sendFeed(response: ServerResponse, feed: Feed, log: RouteContext['log']): void {
  let corked = 0
  /** Whether it will tell when it has room again. */
  let isFull = false
  /** What came in one turn of the event loop goes together. */
  const send = () => {
    if (corked === 0) return
    corked = 0
    response.uncork()
    if (isFull && response.writableLength > MOST_WAITING_BYTES) feed.pause()
    isFull = false
  }
  response.on('drain', () => feed.resume())
  response.on('close', () => feed.stop())
  if (response.destroyed) {
    feed.stop()
    return
  }
  feed.start({
    data: (bytes) => {
      if (corked === 0) {
        response.cork()
        setImmediate(send)
      }
      corked += bytes.length
      isFull = !response.write(bytes)
      if (corked >= MOST_CORKED_BYTES) send()
    },
    end: () => {
      send()
      response.end()
    },
    fail: (error) => {
      if (response.destroyed) return
      log.warn({ err: error }, 'a body was cut off')
      response.destroy(error)
    },
  })
}
