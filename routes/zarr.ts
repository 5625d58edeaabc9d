import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { StoreAddress } from '../src/service/store-address.ts'
import type { Answer } from '../src/service/store-service.ts'
import type { RouteContext } from './context.ts'
import { acceptedCoding, heldTags, requestedPart } from './negotiation.ts'
import { indexPage } from './pages.ts'
import { parseStoreTarget } from './store-url.ts'

const UNPINNED = 'public, no-cache, no-transform'
const PINNED = 'public, max-age=31536000, immutable, no-transform'

/** The stores: `/zarr/{source}[;option=value]…/{zarr key}`. */
export function zarrRoutes(app: FastifyInstance, context: RouteContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/zarr/*',
    // The router's own decoding can't tell an encoded slash from a slash: the target is read as it came.
    schema: { hide: true },
    handler: async (request, reply) => await answerKey(request, reply, context),
  })
}

async function answerKey(request: FastifyRequest, reply: FastifyReply, context: RouteContext): Promise<FastifyReply> {
  const target = parseStoreTarget(request.raw.url ?? '')
  const address = context.addressOf(target.segment)
  if (target.key === undefined) return reply.redirect(`/zarr/${target.segment}/`, 308)
  const { headers } = request
  const answer = await context.stores.get({
    address,
    key: target.key,
    part: requestedPart(headers.range),
    headOnly: request.method === 'HEAD',
    ifNoneMatch: heldTags(headers['if-none-match']),
    coding: acceptedCoding(headers['accept-encoding']),
    signal: signalOf(reply),
  })
  reply.header('cache-control', address.options.version === undefined ? UNPINNED : PINNED)
  return send(answer, request, reply, { context, address, segment: target.segment, key: target.key })
}

/** Aborts when the client leaves before it has its answer. */
function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}

interface Place {
  readonly context: RouteContext
  readonly address: StoreAddress
  readonly segment: string
  readonly key: string
}

function send(answer: Answer, request: FastifyRequest, reply: FastifyReply, place: Place): FastifyReply {
  switch (answer.kind) {
    case 'document': {
      const { content, coding } = answer
      if (coding !== 'identity') reply.header('content-encoding', coding)
      reply.header('vary', 'Accept-Encoding').header('etag', content.etag).type('application/json')
      reply.header('link', canonicalLink(answer.version, request, place))
      reply.header('content-length', content.bytes.length)
      return reply.send(request.method === 'HEAD' ? '' : content.bytes)
    }
    case 'chunk':
      return sendChunk(answer, request, reply)
    case 'unsatisfiable':
      reply.code(416).header('content-range', `bytes */${answer.total}`).header('cache-control', 'no-store')
      return reply.send()
    case 'listing': {
      const storeUrl = `${place.context.publicUrl(request)}/zarr/${place.segment}/`
      return reply
        .type('text/html; charset=utf-8')
        .send(indexPage({ path: request.raw.url ?? '', entries: answer.entries, storeUrl }))
    }
    case 'moved':
      return reply.redirect(`${(request.raw.url ?? '').split('?', 1)[0]}/`, 308)
    case 'not-modified':
      if (answer.vary) reply.header('vary', 'Accept-Encoding')
      return reply.code(304).header('etag', answer.etag).send()
    case 'absent':
      return reply.callNotFound() as unknown as FastifyReply
  }
}

function sendChunk(
  answer: Extract<Answer, { kind: 'chunk' }>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { total, offset, length, body, etag } = answer
  reply.header('etag', etag).header('accept-ranges', 'bytes').type('application/octet-stream')
  reply.header('content-length', length)
  if (requestedPart(request.headers.range) !== undefined) {
    reply.code(206).header('content-range', `bytes ${offset}-${offset + length - 1}/${total}`)
  }
  return reply.send(body ?? '')
}

/** The same document under the version it was read at: what may be kept for ever. */
function canonicalLink(version: string, request: FastifyRequest, { context, address, segment, key }: Place): string {
  const pinned = address.options.version === undefined ? `${segment};version=${version}` : segment
  return `<${context.publicUrl(request)}/zarr/${pinned}/${encodeURI(key)}>; rel="canonical"`
}
