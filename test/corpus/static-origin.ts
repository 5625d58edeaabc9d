import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

/** Longer ranges are streamed. */
const SMALL_BYTES = 2 ** 20

export interface StaticOrigin {
  /** Ends in `/`. */
  readonly url: string
  /** Requests answered so far, listings and 404s too. */
  requests(): number
  close(): Promise<void>
}

/**
 * A file server as one finds them everywhere: ranges, ETag, HTML listings of folders. Loopback only; a free port, where none is asked for.
 * With `takesBareTags` ETags may come without their quotes, which RFC 9110 does not allow.
 */
export async function startStaticOrigin(
  root: URL,
  host = '127.0.0.1',
  wanted = 0,
  takesBareTags = false,
): Promise<StaticOrigin> {
  let requests = 0
  const server = createServer((request, response) => {
    requests++
    const tag = request.headers['if-match']
    if (takesBareTags && tag !== undefined) request.headers['if-match'] = `"${tag.replaceAll('"', '')}"`
    answer(root, request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)))
    })
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(wanted, host, resolve)
  })
  const { port } = server.address() as AddressInfo
  return { url: new URL(`http://${host}:${port}/`).href, requests: () => requests, close: () => closeServer(server) }
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

async function answer(root: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://origin/')
  const target = new URL(`.${pathname}`, root)
  if (!target.href.startsWith(root.href)) return refuse(response, 404)
  const path = fileURLToPath(target)
  // Synchronous, as all of a small range is below: it is in memory, and asking other threads for it costs ten times as much.
  const info = statSync(path, { throwIfNoEntry: false })
  if (info === undefined) return refuse(response, 404)
  if (info.isDirectory()) return sendListing(target, pathname, response)
  if (pathname.endsWith('/')) return refuse(response, 404)
  const etag = `"${info.size.toString(16)}-${Math.round(info.mtimeMs).toString(16)}"`
  sendFile(path, info.size, etag, request, response)
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${status}\n`)
}

async function sendListing(folder: URL, pathname: string, response: ServerResponse): Promise<void> {
  if (!pathname.endsWith('/')) {
    response.writeHead(301, { location: `${pathname}/` }).end()
    return
  }
  const entries = await readdir(folder, { withFileTypes: true })
  const links = entries.map((entry) => {
    const name = encodeURIComponent(entry.name) + (entry.isDirectory() ? '/' : '')
    return `<li><a href="${name}">${entry.name}</a></li>`
  })
  const body = `<!DOCTYPE html><title>Index of ${pathname}</title><ul><li><a href="../">..</a></li>${links.join('')}</ul>`
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

function sendFile(path: string, size: number, etag: string, request: IncomingMessage, response: ServerResponse): void {
  const headers = { etag, 'accept-ranges': 'bytes', 'content-type': 'application/octet-stream' }
  const ifMatch = request.headers['if-match'] ?? etag
  if (request.headers['if-none-match'] === etag || ifMatch !== etag) {
    response.writeHead(ifMatch === etag ? 304 : 412, headers).end()
    return
  }
  const ifRange = request.headers['if-range']
  const asked = ifRange === undefined || ifRange === etag ? request.headers.range : undefined
  const range = asked === undefined ? { start: 0, end: size - 1 } : parseRange(asked, size)
  if (range === undefined) {
    response.writeHead(416, { ...headers, 'content-range': `bytes */${size}` }).end()
    return
  }
  const contentRange = asked === undefined ? {} : { 'content-range': `bytes ${range.start}-${range.end}/${size}` }
  const length = range.end - range.start + 1
  response.writeHead(asked === undefined ? 200 : 206, { ...headers, ...contentRange, 'content-length': length })
  if (request.method === 'HEAD' || length === 0) response.end()
  else if (length > SMALL_BYTES) createReadStream(path, range).pipe(response)
  else response.end(readRange(path, range.start, length))
}

function readRange(path: string, start: number, length: number): Buffer {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.allocUnsafe(length)
    return bytes.subarray(0, readSync(file, bytes, 0, length, start))
  } finally {
    closeSync(file)
  }
}

function parseRange(header: string, size: number): { start: number; end: number } | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header)
  if (match === null) return { start: 0, end: size - 1 }
  const [, first = '', last = ''] = match
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return start < size && start <= end ? { start, end } : undefined
}
