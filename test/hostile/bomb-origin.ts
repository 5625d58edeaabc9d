import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A file that need not exist: its bytes are made when a range is asked for. */
export interface Generated {
  readonly size: number
  read(offset: number, length: number): Uint8Array
}

export interface BombOrigin {
  /** Ends in `/`. */
  readonly url: string
  put(path: string, file: Uint8Array | Generated): void
  /** Forgets a file, so that the tests' own memory stays small. */
  clear(): void
  /** Requests so far. */
  requests(): number
  close(): Promise<void>
}

/** Serves files and ranges of them from memory; a path with a final `/` is a listing as it was put. */
export async function startBombOrigin(): Promise<BombOrigin> {
  const files = new Map<string, Generated>()
  let requests = 0
  const server = createServer((request, response) => {
    requests++
    const pathname = new URL(request.url ?? '/', 'http://origin/').pathname.replace(/^\/copy\d+\//, '/')
    const file = files.get(pathname)
    if (file === undefined) return void response.writeHead(404).end()
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    const start = Number(range?.[1] ?? 0)
    const end = Math.min(Number(range?.[2] ?? file.size - 1), file.size - 1)
    if (start > end && file.size > 0) {
      return void response.writeHead(416, { 'content-range': `bytes */${file.size}` }).end()
    }
    const headers: Record<string, string | number> = {
      etag: `"${file.size}"`,
      'accept-ranges': 'bytes',
      'content-type': pathname.endsWith('/') ? 'text/html' : 'application/octet-stream',
      'content-length': end - start + 1,
    }
    if (range !== null) headers['content-range'] = `bytes ${start}-${end}/${file.size}`
    response.writeHead(range === null ? 200 : 206, headers)
    if (request.method === 'HEAD') return void response.end()
    sendPart(file, start, end + 1, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    put: (path, file) => void files.set(`/${path}`, file instanceof Uint8Array ? held(file) : file),
    clear: () => files.clear(),
    requests: () => requests,
    close: () => closed(server),
  }
}

/** Where all files lie once more. */
export function copyOf(url: string, copy: number): string {
  return `${url}copy${copy}/`
}

const PART_BYTES = 2 ** 20

function sendPart(file: Generated, start: number, end: number, response: import('node:http').ServerResponse): void {
  for (let at = start; at < end; at += PART_BYTES) {
    if (response.destroyed) return
    if (!response.write(file.read(at, Math.min(PART_BYTES, end - at)))) {
      response.once('drain', () => sendPart(file, Math.min(at + PART_BYTES, end), end, response))
      return
    }
  }
  response.end()
}

function held(bytes: Uint8Array): Generated {
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) }
}

/** A file that is a head and then one block over and over. */
export function repeated(head: Uint8Array, block: Uint8Array, times: number): Generated {
  return {
    size: head.length + block.length * times,
    read(offset, length) {
      const bytes = new Uint8Array(length)
      for (let at = 0; at < length; ) {
        const position = offset + at
        const isHead = position < head.length
        const from = isHead ? head.subarray(position) : block.subarray((position - head.length) % block.length)
        const part = from.subarray(0, length - at)
        bytes.set(part, at)
        at += part.length
      }
      return bytes
    },
  }
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
