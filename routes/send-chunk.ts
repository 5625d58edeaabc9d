import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Feed } from '../src/bytes/feed.ts'
import type { RouteContext } from './context.ts'

// Long chunk bodies are written to the socket without a stream in between: as a Node stream that Fastify pipes, a chunk of 1 MiB costs
// more processor time (BENCH_ONLY='chunk, 1 MiB' npm run bench hot shows it beside nginx).

/** Bytes that wait for a slow client before its feed is paused; a fast client never has so many waiting. */
const MAX_WAITING_BYTES = 128 * 1024

/** Bytes that are worth a call to the system: each wakes the client's process, which costs as much as copying 64 KiB. */
const MAX_CORKED_BYTES = 512 * 1024

/** Sends the reply's status and headers, and then the feed as its body. */
export function sendFeed(reply: FastifyReply, feed: Feed, log: RouteContext['log']): void {
  reply.hijack()
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>)
  writeBody(reply.raw, feed, log)
}

/** Writes the feed as the body. Where it fails the socket is destroyed: a chunk that is cut off must never look complete. */
export function writeBody(response: ServerResponse, feed: Feed, log: RouteContext['log']): void {
  let corkedBytes = 0
  let needsDrain = false
  /** Writes what came in one turn of the event loop in one call. */
  const flush = () => {
    if (corkedBytes === 0) return
    corkedBytes = 0
    response.uncork()
    if (needsDrain && response.writableLength > MAX_WAITING_BYTES) feed.pause()
    needsDrain = false
  }
  response.on('drain', () => feed.resume())
  response.on('close', () => feed.stop())
  if (response.destroyed) {
    feed.stop()
    return
  }
  feed.start({
    data: (bytes) => {
      if (corkedBytes === 0) {
        response.cork()
        setImmediate(flush)
      }
      corkedBytes += bytes.length
      needsDrain = !response.write(bytes)
      if (corkedBytes >= MAX_CORKED_BYTES) flush()
    },
    end: () => {
      flush()
      response.end()
    },
    fail: (error) => {
      if (response.destroyed) return
      log.warn({ err: error }, 'a body was cut off')
      response.destroy(error)
    },
  })
}
