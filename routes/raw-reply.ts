import type { OutgoingHttpHeaders } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Headers of every answer: any origin may read, and may see what range requests need. */
export const COMMON_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Content-Range, Content-Length, ETag, Accept-Ranges, Link, Retry-After',
  'x-content-type-options': 'nosniff',
} as const

/**
 * Writes an answer past Fastify's hooks and serialisers, which cost the two hot paths more than the rest of them together.
 * A body that fails after the head was sent destroys the socket: a cut chunk must never look complete.
 */
export function sendRaw(
  reply: FastifyReply,
  status: number,
  headers: OutgoingHttpHeaders,
  body: Uint8Array | Readable | undefined,
): FastifyReply {
  const { raw } = reply.hijack()
  raw.writeHead(status, headers)
  if (body === undefined || body instanceof Uint8Array) raw.end(body)
  else {
    pipeline(body, raw, (error) => {
      if (error !== undefined && error !== null) reply.log.warn({ err: error }, 'a body was cut off')
    })
  }
  return reply
}
