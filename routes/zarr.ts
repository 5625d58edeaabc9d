import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Feed } from '../src/bytes/feed.ts'
import type { StoreAddress } from '../src/service/store-address.ts'
import type { Answer, ChunkBody } from '../src/service/store-request.ts'
import type { RouteContext } from './context.ts'
import { COMMON_HEADERS, PAGE_HEADERS, reasonPhrase } from './headers.ts'
import { indexPage } from './pages.ts'
import { acceptedCoding, heldTags, parseStoreTarget, refuseSpelledOut, requestedPart, signalOf } from './request.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Bytes of the body of an answer written past Fastify, for the metrics: Node keeps no record of its headers. */
    bodyLength: number
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

/** The stores: `/zarr/{source}[;option=value]…/{zarr key}`. */
export function zarrRoutes(app: FastifyInstance, context: RouteContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/zarr/*',
    // The router's own decoding can't tell an encoded slash from a slash: the target is read as it came.
    config: { isHidden: true },
    handler: (request, reply) => answerKey(request, reply, context),
  })
}

/** Answers at once where nothing must be awaited, which is what a warm document costs least. */
function answerKey(
  request: FastifyRequest,
  reply: FastifyReply,
  context: RouteContext,
): FastifyReply | Promise<FastifyReply> {
  refuseSpelledOut(request.raw.url ?? '', () => context.publicUrl(request))
  const target = parseStoreTarget(request.raw.url ?? '')
  if (target === undefined) return reply.callNotFound() as unknown as FastifyReply
  const { segment, key } = target
  const address = context.addressOf(segment)
  if (key === undefined) return movedToFolder(request, reply, context)
  const { headers } = request
  const isDocument = key.endsWith('zarr.json')
  // A document comes from an open that others share: nobody's leaving ends it.
  const signal = isDocument ? undefined : signalOf(reply)
  const answer = context.stores.get({
    address,
    key,
    part: requestedPart(headers.range),
    ifRange: headers['if-range']?.toString(),
    headOnly: request.method === 'HEAD',
    ifNoneMatch: heldTags(headers['if-none-match']),
    coding: isDocument ? acceptedCoding(headers['accept-encoding']) : undefined,
    signal,
  })
  const asked = { context, address, segment, key }
  if (!(answer instanceof Promise)) return send(answer, request, reply, asked)
  return answer.then(
    (made) => send(made, request, reply, asked),
    (error) => {
      // Nobody is left to be told, and a client that leaves is no trouble of the operator's.
      if (signal?.aborted === true) return reply.hijack()
      throw error
    },
  )
}

/** What was asked for, as links repeat it. */
interface Asked {
  readonly context: RouteContext
  readonly address: StoreAddress
  readonly segment: string
  readonly key: string
}

function send(answer: Answer, request: FastifyRequest, reply: FastifyReply, asked: Asked): FastifyReply {
  const isPinned = asked.address.options.version !== undefined && 'isLasting' in answer && answer.isLasting
  const caching = (asked.context.isPrivate ? PRIVATE : PUBLIC)[isPinned ? 'pinned' : 'unpinned']
  switch (answer.kind) {
    case 'document':
      return sendDocument(answer, request, reply, caching, canonicalLink(answer.version, request, asked))
    case 'chunk':
      return sendChunk(answer, reply, caching)
    case 'not-modified': {
      const vary = answer.vary ? ['vary', 'Accept-Encoding'] : []
      return sendRaw(reply, 304, ['etag', answer.etag, 'cache-control', caching, ...vary], undefined, 0)
    }
    case 'unsatisfiable':
      return sendUnsatisfiable(answer.total, reply)
    case 'listing': {
      const storeUrl = `${asked.context.publicUrl(request)}/zarr/${asked.segment}/`
      const page = indexPage({ path: request.raw.url ?? '', entries: answer.entries, storeUrl })
      return reply.header('cache-control', caching).headers(PAGE_HEADERS).send(page)
    }
    case 'moved':
      return movedToFolder(request, reply, asked.context)
    case 'absent':
      return reply.callNotFound() as unknown as FastifyReply
  }
}

function sendDocument(
  { content, coding, part }: Extract<Answer, { kind: 'document' }>,
  request: FastifyRequest,
  reply: FastifyReply,
  caching: string,
  link: string | undefined,
): FastifyReply {
  const { bytes, etag } = content
  const body = part === undefined ? bytes : bytes.subarray(part.offset, part.offset + part.length)
  const headers = ['content-type', 'application/json', 'content-length', String(body.length), 'etag', etag]
  headers.push('accept-ranges', 'bytes', 'vary', 'Accept-Encoding', 'cache-control', caching)
  if (link !== undefined) headers.push('link', link)
  if (coding !== 'identity') headers.push('content-encoding', coding)
  if (part !== undefined) headers.push('content-range', contentRange(part, bytes.length))
  const status = part === undefined ? 200 : 206
  return sendRaw(reply, status, headers, request.method === 'HEAD' ? undefined : body, body.length)
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

function sendChunk(
  { total, offset, length, body, etag, isPart }: Extract<Answer, { kind: 'chunk' }>,
  reply: FastifyReply,
  caching: string,
): FastifyReply {
  const headers = ['content-type', 'application/octet-stream', 'content-length', String(length)]
  headers.push('etag', etag, 'accept-ranges', 'bytes', 'cache-control', caching)
  if (isPart) headers.push('content-range', contentRange({ offset, length }, total))
  return sendRaw(reply, isPart ? 206 : 200, headers, body, length)
}

/** The same document under the version it was read at: what may be kept for ever. A signature is of one store, and not of that one. */
function canonicalLink(
  version: string,
  request: FastifyRequest,
  { context, address, segment, key }: Asked,
): string | undefined {
  if (address.expires !== undefined) return undefined
  const pinned = address.options.version === undefined ? `${segment};version=${version}` : segment
  return `<${context.publicUrl(request)}/zarr/${pinned}/${key === 'zarr.json' ? key : encodeURI(key)}>; rel="canonical"`
}

const COMMON_LIST = Object.entries(COMMON_HEADERS).flat()

/**
 * Writes an answer past Fastify's hooks and serialisers, which cost the two hot paths more than the rest of them together.
 * Headers are a flat list of names and values, which Node takes as it is; the common ones are added.
 * A body that fails after the head was sent destroys the socket: a cut chunk must never look complete.
 */
export function sendRaw(
  reply: FastifyReply,
  status: number,
  headers: readonly string[],
  body: ChunkBody | undefined,
  bodyLength: number,
): FastifyReply {
  const { raw } = reply.hijack()
  reply.bodyLength = body === undefined ? 0 : bodyLength
  raw.writeHead(status, [...headers, ...COMMON_LIST])
  const isCut = (error: Error) => reply.log.warn({ err: error }, 'a body was cut off')
  if (body === undefined || body instanceof Uint8Array) raw.end(body)
  else sendFeed(raw, body, isCut)
  return reply
}

/** Bytes that wait for a slow client before its chunk is asked to rest: what a fast one takes at once never is. */
const MOST_WAITING_BYTES = 128 * 1024

function sendFeed(raw: ServerResponse, feed: Feed, isCut: (error: Error) => void): void {
  raw.on('drain', () => feed.resume())
  raw.once('close', () => feed.stop())
  if (raw.destroyed) {
    feed.stop()
    return
  }
  feed.start({
    data: (bytes) => {
      if (!raw.write(bytes) && raw.writableLength > MOST_WAITING_BYTES) feed.pause()
    },
    end: () => void raw.end(),
    fail: (error) => {
      if (raw.destroyed) return
      isCut(error)
      raw.destroy(error)
    },
  })
}
