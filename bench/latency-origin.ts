import { createReadStream, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type AnsweredRequest, roundsOf } from './rounds.ts'

/** What the orchestrator may ask: sets the latency, and answers with the counts since the last question. */
export interface OriginCall {
  readonly latencyMilliseconds: number
}

export interface OriginCounts {
  readonly requests: number
  readonly bytes: number
  /** The longest chain of requests of which each began when the one before had been answered. */
  readonly rounds: number
}

/**
 * A range server in a process of its own, with latency before each answer and counters. `/<any>/…` is a file below argv[2]
 * under as many names as one likes: a name that was never asked for is a cold source.
 */
function main(): void {
  const root = process.argv[2] ?? '.'
  let latency = 0
  let requests = 0
  let bytes = 0
  const count = (length: number): void => {
    bytes += length
  }
  let answered: AnsweredRequest[] = []
  const server = createServer((request, response) => {
    requests++
    const begin = performance.now()
    response.on('finish', () => answered.push({ begin, end: performance.now() }))
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://origin/').pathname).replace(/^\/[^/]*/, '')
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    setTimeout(() => answer(join(root, path), range, request.method === 'HEAD', response, count), latency)
  })
  server.keepAliveTimeout = 60_000
  process.on('message', (call: OriginCall) => {
    latency = call.latencyMilliseconds
    process.send?.({ requests, bytes, rounds: roundsOf(answered) } satisfies OriginCounts)
    requests = 0
    bytes = 0
    answered = []
  })
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` })
  })
}

type Count = (length: number) => void

function answer(
  path: string,
  range: RegExpExecArray | null,
  isHead: boolean,
  response: ServerResponse,
  count: Count,
): void {
  const info = statSync(path, { throwIfNoEntry: false })
  if (info === undefined) {
    response.writeHead(404).end()
  } else if (info.isDirectory()) {
    sendListing(path, response, count)
  } else if (path.endsWith('/')) {
    response.writeHead(404).end()
  } else {
    sendFile(path, info.size, range, isHead, response, count)
  }
}

function sendFile(
  path: string,
  size: number,
  range: RegExpExecArray | null,
  isHead: boolean,
  response: ServerResponse,
  count: Count,
): void {
  const start = Math.min(Number(range?.[1] ?? 0), size)
  const end = Math.min(Number(range?.[2] ?? size - 1), size - 1)
  const length = Math.max(0, end - start + 1)
  const headers = { etag: `"${size}"`, 'accept-ranges': 'bytes', 'content-length': length }
  response.writeHead(range === null ? 200 : 206, { ...headers, 'content-range': `bytes ${start}-${end}/${size}` })
  if (isHead || length === 0) {
    response.end()
    return
  }
  count(length)
  createReadStream(path, { start, end }).pipe(response)
}

async function sendListing(path: string, response: ServerResponse, count: Count): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true })
  const links = entries.map((entry) => `<a href="${entry.name}${entry.isDirectory() ? '/' : ''}">${entry.name}</a>`)
  const body = `<title>Index of /</title>${links.join('<br>')}`
  count(body.length)
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': body.length }).end(body)
}

main()
