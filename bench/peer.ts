import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { Pool } from 'undici'

/** Above this a relay streams, below it buffers: each is the faster one there (docs/architecture.md). */
const STREAM_BYTES = 64 * 1024

/** Those of our documents, as long: a bare route with two headers is a tenth faster, and no answer to a browser of another origin. */
const DOCUMENT_HEADERS = {
  'content-type': 'application/json',
  etag: `"${'0'.repeat(32)}"`,
  'accept-ranges': 'bytes',
  vary: 'Accept-Encoding',
  'cache-control': 'public, no-cache, no-transform',
  link: `<http://127.0.0.1:40000/zarr/~${'0'.repeat(64)};version=${'0'.repeat(16)}/zarr.json>; rel="canonical"`,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Content-Range, Content-Length, ETag, Accept-Ranges, Link, Retry-After',
  'x-content-type-options': 'nosniff',
}

/**
 * What the server is measured against, as good as one would write it by hand, with nothing else in it:
 * `/buffer/<n>` sends a buffer of n bytes; `/relay/<offset>/<length>/<path…>` relays a byte range of the origin (argv[2]).
 */
async function main(): Promise<void> {
  const origin = process.argv[2] ?? ''
  const pool = new Pool(new URL(origin).origin, { connections: 128, pipelining: 1 })
  const app = fastify({ logger: false })
  const buffers = new Map<number, Buffer>()

  app.get<{ Params: { length: string } }>('/buffer/:length', (request, reply) => {
    const length = Number(request.params.length)
    const buffer = buffers.get(length) ?? Buffer.alloc(length, 0x20)
    buffers.set(length, buffer)
    reply.headers(DOCUMENT_HEADERS).send(buffer)
  })

  app.get<{ Params: { offset: string; length: string; '*': string } }>(
    '/relay/:offset/:length/*',
    async (request, reply) => {
      const offset = Number(request.params.offset)
      const length = Number(request.params.length)
      const answer = await pool.request({
        method: 'GET',
        path: `/${request.params['*']}`,
        headers: { range: `bytes=${offset}-${offset + length - 1}` },
      })
      if (answer.statusCode !== 206 || Number(answer.headers['content-length']) !== length) {
        await answer.body.dump()
        return reply.code(502).send()
      }
      reply.header('content-type', 'application/octet-stream').header('content-length', length)
      return reply.send(length < STREAM_BYTES ? Buffer.from(await answer.body.arrayBuffer()) : answer.body)
    },
  )

  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  process.send?.({ url: `http://127.0.0.1:${port}/` })
}

await main()
