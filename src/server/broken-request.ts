import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { COMMON_HEADERS, reasonPhrase } from '../../routes/raw-reply.ts'

const BROKEN = { status: 400, detail: 'the request is no HTTP; its target must be percent-encoded' }

/** By the codes of Node's parser. */
const PROBLEMS: ReadonlyMap<string, { readonly status: number; readonly detail: string }> = new Map([
  ['HPE_HEADER_OVERFLOW', { status: 431, detail: 'the target and the headers are too long together' }],
  ['ERR_HTTP_REQUEST_TIMEOUT', { status: 408, detail: 'the request took too long to arrive' }],
])

/** Answers what Node could not read as a request, which no route will ever see. */
export function answerBrokenRequest(error: Error & { readonly code?: string }, socket: Duplex): void {
  // A client that is gone, or an answer that has begun: a second head would be taken for its body.
  const hasBegun = 'bytesWritten' in socket && socket.bytesWritten !== 0
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable || hasBegun) {
    socket.destroy()
    return
  }
  const { status, detail } = PROBLEMS.get(error.code ?? '') ?? BROKEN
  const title = STATUS_CODES[status] ?? 'Error'
  const body = JSON.stringify({ type: '/problems/invalid-request', title, status, detail })
  const headers = {
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...COMMON_HEADERS,
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${reasonPhrase(title, detail)}\r\n${lines.join('')}\r\n${body}`)
}
