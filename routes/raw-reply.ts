import { pipeline, type Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Headers of every answer: any origin may read, and may see what range requests need. */
export const COMMON_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Content-Range, Content-Length, ETag, Accept-Ranges, Link, Retry-After',
  'x-content-type-options': 'nosniff',
} as const

declare module 'fastify' {
  interface FastifyReply {
    /** Bytes of the body of an answer written past Fastify, for the metrics: Node keeps no record of its headers. */
    bodyLength: number
  }
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
  body: Uint8Array | Readable | undefined,
  bodyLength: number,
): FastifyReply {
  const { raw } = reply.hijack()
  reply.bodyLength = body === undefined ? 0 : bodyLength
  raw.writeHead(status, [...headers, ...COMMON_LIST])
  if (body === undefined || body instanceof Uint8Array) raw.end(body)
  else {
    pipeline(body, raw, (error) => {
      if (error !== undefined && error !== null) reply.log.warn({ err: error }, 'a body was cut off')
    })
  }
  return reply
}
