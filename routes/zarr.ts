import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { StoreAddress } from '../src/service/store-address.ts'
import type { Answer } from '../src/service/store-request.ts'
import { parseZarrKey } from '../src/service/store-service.ts'
import type { RouteContext } from './context.ts'
import { PAGE_HEADERS, reasonPhrase } from './headers.ts'
import { indexPage } from './pages.ts'
import { acceptedCoding, heldTags, parseStoreTarget, refuseSpelledOut, requestedPart, signalOf } from './request.ts'
import { sendFeed } from './send-chunk.ts'

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
    handler: async (request, reply) => await answerKey(request, reply, context),
  })
}

/** A request for a key of a store. */
interface KeyRequest {
  readonly context: RouteContext
  readonly request: FastifyRequest
  readonly address: StoreAddress
  readonly segment: string
  readonly key: string
  readonly isDocument: boolean
  /** Aborts when the client leaves; none for a document, which comes from an open that others share. */
  readonly signal: AbortSignal | undefined
}

async function answerKey(request: FastifyRequest, reply: FastifyReply, context: RouteContext): Promise<FastifyReply> {
  const { url = '' } = request.raw
  refuseSpelledOut(url, () => context.publicUrl(request))
  const target = parseStoreTarget(url)
  if (target === undefined) return reply.callNotFound() as unknown as FastifyReply
  const { segment, key } = target
  if (key === undefined) return redirectToFolder(request, reply, context)
  const isDocument = key.endsWith('zarr.json')
  const signal = isDocument ? undefined : signalOf(reply.raw)
  const address = context.addressOf(segment)
  const keyRequest: KeyRequest = { context, request, address, segment, key, isDocument, signal }
  try {
    return sendAnswer(await askStore(keyRequest), reply, keyRequest)
  } catch (error) {
    // Nobody is left to be told, and a client that leaves is no trouble of the operator's.
    if (signal?.aborted === true) return reply.hijack()
    throw error
  }
}

function askStore({ context, request, address, key, isDocument, signal }: KeyRequest): Answer | Promise<Answer> {
  const { headers, method } = request.raw
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

function sendAnswer(answer: Answer, reply: FastifyReply, keyRequest: KeyRequest): FastifyReply {
  const { request, context, segment, key } = keyRequest
  switch (answer.kind) {
    case 'document':
      return sendDocument(answer, reply, keyRequest)
    case 'chunk':
      return sendChunk(answer, reply, keyRequest)
    case 'not-modified':
      if (!keyRequest.isDocument) request.chunkStore = segment
      if (answer.vary) reply.header('vary', 'Accept-Encoding')
      return reply.code(304).header('etag', answer.etag).header('cache-control', cachingOf(answer, keyRequest)).send()
    case 'unsatisfiable':
      return sendUnsatisfiable(answer.total, reply)
    case 'listing':
      return sendListing(answer, reply, keyRequest)
    case 'moved':
      return redirectToFolder(request, reply, context)
    case 'absent':
      if (parseZarrKey(key).kind === 'chunk') request.chunkStore = segment
      return reply.callNotFound() as unknown as FastifyReply
  }
}

function cachingOf({ isLasting }: { readonly isLasting: boolean }, { address, context }: KeyRequest): string {
  const isPinned = address.options.version !== undefined && isLasting
  return (context.isPrivate ? PRIVATE : PUBLIC)[isPinned ? 'pinned' : 'unpinned']
}

type AnswerOf<Kind extends Answer['kind']> = Extract<Answer, { kind: Kind }>

function sendDocument(answer: AnswerOf<'document'>, reply: FastifyReply, keyRequest: KeyRequest): FastifyReply {
  const { content, coding, part } = answer
  const { bytes, etag } = content
  reply.headers({
    'content-type': 'application/json',
    etag,
    'accept-ranges': 'bytes',
    vary: 'Accept-Encoding',
    'cache-control': cachingOf(answer, keyRequest),
  })
  const link = canonicalLink(answer.version, keyRequest)
  if (link !== undefined) reply.header('link', link)
  if (coding !== 'identity') reply.header('content-encoding', coding)
  if (part === undefined) return reply.send(bytes)
  reply.code(206).header('content-range', contentRange(part, bytes.length))
  return reply.send(bytes.subarray(part.offset, part.offset + part.length))
}

function sendChunk(answer: AnswerOf<'chunk'>, reply: FastifyReply, keyRequest: KeyRequest): FastifyReply {
  const { total, offset, length, body, etag, isPart } = answer
  keyRequest.request.chunkStore = keyRequest.segment
  reply.headers({
    'content-type': 'application/octet-stream',
    'content-length': String(length),
    'accept-ranges': 'bytes',
    'cache-control': cachingOf(answer, keyRequest),
  })
  if (etag !== undefined) reply.header('etag', etag)
  if (isPart) reply.code(206).header('content-range', contentRange({ offset, length }, total))
  if (body === undefined || body instanceof Uint8Array) return reply.send(body)
  sendFeed(reply, body, keyRequest.context.log)
  return reply
}

function contentRange({ offset, length }: { readonly offset: number; readonly length: number }, total: number): string {
  return `bytes ${offset}-${offset + length - 1}/${total}`
}

function sendListing(answer: AnswerOf<'listing'>, reply: FastifyReply, keyRequest: KeyRequest): FastifyReply {
  const { context, request, segment } = keyRequest
  const { entries } = answer
  const isForGdal = request.headers['user-agent']?.startsWith('GDAL/') === true
  const storeUrl = `${context.publicUrl(request)}/zarr/${segment}/`
  const page = indexPage({ path: request.raw.url ?? '', entries, storeUrl, isForGdal })
  if (entries.some((name) => name.includes(' '))) reply.header('vary', 'User-Agent')
  return reply.header('cache-control', cachingOf(answer, keyRequest)).headers(PAGE_HEADERS).send(page)
}

/** To the same path with its final slash, below the prefix that a proxy may have cut off. */
function redirectToFolder(request: FastifyRequest, reply: FastifyReply, context: RouteContext): FastifyReply {
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

/** The same document under the version it was read at: what may be kept for ever. A signature is of one store, and not of that one. */
function canonicalLink(version: string, { context, request, address, segment, key }: KeyRequest): string | undefined {
  if (address.expires !== undefined) return undefined
  const pinned = address.options.version === undefined ? `${segment};version=${version}` : segment
  return `<${context.publicUrl(request)}/zarr/${pinned}/${key === 'zarr.json' ? key : encodeURI(key)}>; rel="canonical"`
}
