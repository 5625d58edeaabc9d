import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Feed } from '../src/bytes/feed.ts'
import type { ChunkBody } from '../src/service/store-request.ts'

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

/** Longer ones meet clients and proxies that refuse the whole answer. */
const MOST_REASON = 300

/**
 * The reason phrase of an error: all that the users of fsspec see of it. The title and the first line of the detail, in
 * characters that no client can take for the end of a line.
 */
export function reasonPhrase(title: string, detail: unknown): string {
  const line = typeof detail === 'string' ? /^[^\r\n]*/.exec(detail)?.[0].trim() : ''
  const text = line === undefined || line === '' ? title : `${title}: ${line}`
  const plain = text.replace(/[^\x20-\x7e]/gu, '?')
  return plain.length > MOST_REASON ? `${plain.slice(0, MOST_REASON - 3)}...` : plain
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
