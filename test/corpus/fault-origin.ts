import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

/** What the origin does with one request; the default is the right answer. */
export interface Behaviour {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Headers of the right answer that are left out. */
  readonly without?: readonly string[]
  readonly body?: Uint8Array
  /** Bytes of the body after which the connection ends, without or with a reset; -1: before the head. */
  readonly cut?: { readonly after: number; readonly how: 'end' | 'reset' }
  /** Never answers. */
  readonly stall?: boolean
}

export interface FaultOrigin {
  readonly url: string
  /** Decides about each request for data; `first` is the first byte that it asks for. */
  behave(script: (request: { readonly index: number; readonly first: number }) => Behaviour): void
  /** Another version of the file. */
  replace(content: Uint8Array, etag: string): void
  requests(): number
  close(): Promise<void>
}

interface State {
  content: Uint8Array
  etag: string
  script: (request: { index: number; first: number }) => Behaviour
  index: number
  requests: number
}

/** One file behind a raw socket, so that every fault of HTTP can be made; loopback only. */
export async function startFaultOrigin(content: Uint8Array): Promise<FaultOrigin> {
  const state: State = { content, etag: '"v1"', script: () => ({}), index: 0, requests: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    serve(socket, state)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    behave(script) {
      state.script = script
      state.index = 0
    },
    replace(next, etag) {
      state.content = next
      state.etag = etag
    },
    requests: () => state.requests,
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Requests come without bodies and, from a careful client, one at a time on a connection. */
function serve(socket: Socket, state: State): void {
  let text = ''
  socket.on('data', (data) => {
    text += data.toString('latin1')
    for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
      const head = text.slice(0, end)
      text = text.slice(end + 4)
      answer(socket, head, state)
    }
  })
}

function answer(socket: Socket, head: string, state: State): void {
  state.requests++
  const range = /^range: bytes=(\d+)-(\d*)/im.exec(head)
  const size = state.content.length
  const first = Number(range?.[1] ?? 0)
  const last = Math.min(range?.[2] ? Number(range[2]) : size - 1, size - 1)
  const behaviour = state.script({ index: state.index++, first })
  if (behaviour.stall) return
  const mismatch = /^if-match: (.*)$/im.exec(head)?.[1]?.trim()
  const isGone = mismatch !== undefined && mismatch !== '*' && mismatch !== state.etag
  const status = behaviour.status ?? (isGone ? 412 : range === null ? 200 : 206)
  const body =
    behaviour.body ?? (status === 206 || status === 200 ? state.content.subarray(first, last + 1) : new Uint8Array(0))
  const headers: Record<string, string> = {
    'content-type': 'application/octet-stream',
    'accept-ranges': 'bytes',
    etag: state.etag,
    'content-length': String(body.length),
    ...(status === 206 ? { 'content-range': `bytes ${first}-${last}/${size}` } : {}),
    ...behaviour.headers,
  }
  for (const name of behaviour.without ?? []) delete headers[name]
  send(socket, status, headers, head.startsWith('HEAD') ? new Uint8Array(0) : body, behaviour.cut)
}

function send(
  socket: Socket,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  cut: Behaviour['cut'],
): void {
  const finish = () => (cut?.how === 'reset' ? socket.resetAndDestroy() : socket.end())
  if (cut !== undefined && cut.after < 0) {
    finish()
    return
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n`)
  if (cut === undefined) socket.write(body)
  else socket.write(body.subarray(0, cut.after), finish)
}
