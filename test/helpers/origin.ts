import { createServer, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'

/** A file of the origin, and how it is told about. */
export interface OriginFile {
  readonly bytes: Uint8Array
  readonly etag?: string
  readonly lastModified?: string
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
  /** False: ranges are ignored, and `Accept-Ranges: none` says so. */
  readonly ranges?: boolean
  /** False: `If-Match` is ignored. `refused`: each one is answered 412. */
  readonly ifMatch?: boolean | 'refused'
  /** False: `If-None-Match` and `If-Modified-Since` are ignored. */
  readonly conditional?: boolean
}

/** One thing that goes wrong with one answer. */
export type Fault =
  | {
      readonly kind: 'status'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }
  /** RST before any byte of the answer. */
  | { readonly kind: 'reset' }
  /** RST or FIN after so many bytes of the body. */
  | { readonly kind: 'cut'; readonly after: number; readonly how: 'reset' | 'close' }
  /** Silence: before the headers, or after so many bytes of the body. */
  | { readonly kind: 'stall'; readonly after?: number }
  /** One byte of the body at a time. */
  | { readonly kind: 'drip'; readonly everyMs: number }
  /** Another `Content-Range`; undefined leaves it out. */
  | { readonly kind: 'content-range'; readonly value: string | undefined }
  /** The bytes behind those that were asked for, and a `Content-Range` that says so. */
  | { readonly kind: 'shifted' }
  /** 200 and the whole file, whatever was asked for. */
  | { readonly kind: 'whole' }
  /** The right range under status 200. */
  | { readonly kind: 'status-200' }
  | { readonly kind: 'multipart' }
  | { readonly kind: 'gzip' }
  | { readonly kind: 'html' }
  /** The right bytes, without a length. */
  | { readonly kind: 'chunked' }
  /** The right answer; then the connection is closed without a word. */
  | { readonly kind: 'hang-up' }
  /** The right head, and bytes that don't fit it. */
  | { readonly kind: 'length'; readonly announced: number; readonly sent: number }

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** A scripted HTTP/1.1 origin on a raw socket of loopback: it counts, and does every fault there is. */
export class Origin {
  readonly requests: SeenRequest[] = []
  readonly sockets = new Set<Socket>()
  /** Connections ever made. */
  connections = 0
  bytesSent = 0
  /** Waits before each answer. */
  latencyMs = 0
  /** Connections still to be reset as soon as they are made. */
  refusals = 0
  port = 0
  /** Decides on the fault of each answer that `fault` did not decide on. */
  faultOf: (request: SeenRequest) => Fault | undefined = () => undefined
  readonly #server: Server
  readonly #files = new Map<string, OriginFile>()
  readonly #answers = new Map<string, Fault & { readonly kind: 'status' }>()
  #faults: { readonly fault: Fault; readonly path: string | undefined; left: number }[] = []

  constructor() {
    this.#server = createServer((socket) => this.#accept(socket))
  }

  /** Starts listening on a free port of loopback, or on the one given. */
  async start(port = 0): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, '127.0.0.1', resolve)
    })
    const address = this.#server.address()
    this.port = typeof address === 'object' && address !== null ? address.port : 0
  }

  get base(): string {
    return `http://127.0.0.1:${this.port}/`
  }

  url(path: string): string {
    return this.base + path
  }

  put(path: string, file: OriginFile | Uint8Array): void {
    this.#files.set(`/${path}`, file instanceof Uint8Array ? { bytes: file, etag: '"v1"' } : file)
  }

  remove(path: string): void {
    this.#files.delete(`/${path}`)
  }

  /** A fixed answer for a path. */
  answer(path: string, status: number, headers: Readonly<Record<string, string>> = {}, body = ''): void {
    this.#answers.set(`/${path}`, { kind: 'status', status, headers, body })
  }

  redirect(path: string, location: string, status = 302): void {
    this.answer(path, status, { location })
  }

  /** The next answers go wrong; without `times` all of them, until `heal`, or until what is returned is called. */
  fault(fault: Fault, times = Number.POSITIVE_INFINITY, path?: string): () => void {
    const entry = { fault, path: path === undefined ? undefined : `/${path}`, left: times }
    this.#faults.push(entry)
    return () => {
      this.#faults = this.#faults.filter((other) => other !== entry)
    }
  }

  heal(): void {
    this.#faults = []
    this.refusals = 0
  }

  /** Forgets what was counted. */
  forget(): void {
    this.requests.length = 0
    this.bytesSent = 0
    this.connections = 0
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #accept(socket: Socket): void {
    this.connections++
    if (this.refusals > 0) {
      this.refusals--
      socket.resetAndDestroy()
      return
    }
    // Head and body are written one after the other: the kernel must not wait for the first to be acknowledged.
    socket.setNoDelay(true)
    this.sockets.add(socket)
    socket.on('close', () => this.sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      for (let end = text.indexOf('\r\n\r\n'); end !== -1; end = text.indexOf('\r\n\r\n')) {
        const request = parseRequest(text.slice(0, end))
        text = text.slice(end + 4)
        this.requests.push(request)
        if (this.latencyMs === 0) this.#respond(socket, request)
        else setTimeout(() => this.#respond(socket, request), this.latencyMs)
      }
    })
  }

  #nextFault(path: string): Fault | undefined {
    const entry = this.#faults.find((each) => each.left > 0 && (each.path === undefined || each.path === path))
    if (entry !== undefined) entry.left--
    return entry?.fault
  }

  #respond(socket: Socket, request: SeenRequest): void {
    if (socket.destroyed) return
    const fault = this.#nextFault(request.path) ?? this.faultOf(request) ?? this.#answers.get(request.path)
    const file = this.#files.get(request.path)
    if (fault?.kind === 'reset') socket.resetAndDestroy()
    else if (fault?.kind === 'stall' && fault.after === undefined) return
    else if (fault?.kind === 'status') this.#send(socket, request, statusReply(fault))
    else if (file === undefined) this.#send(socket, request, reply(404, {}, Buffer.from('no such file')))
    else this.#send(socket, request, faulty(fault, request, file), fault)
  }

  #send(socket: Socket, request: SeenRequest, { status, headers, body }: Reply, fault?: Fault): void {
    const isChunked = fault?.kind === 'chunked'
    const announced = fault?.kind === 'length' ? fault.announced : body.length
    const all: Record<string, string> = { date: new Date().toUTCString(), ...headers }
    if (isChunked) all['transfer-encoding'] = 'chunked'
    else if (status !== 304 && all['content-length'] === undefined) all['content-length'] = String(announced)
    const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`HTTP/1.1 ${status} Scripted\r\n${head.join('')}\r\n`)
    if (request.method === 'HEAD' || status === 304) return
    const write = (bytes: Uint8Array) => {
      this.bytesSent += bytes.length
      return socket.write(bytes)
    }
    if (fault?.kind === 'drip') {
      drip(socket, body, fault.everyMs, write)
      return
    }
    if (isChunked) socket.write(`${body.length.toString(16)}\r\n`)
    const until = bodyEnd(fault, body.length)
    write(until > body.length ? Buffer.concat([body, Buffer.alloc(until - body.length)]) : body.subarray(0, until))
    if (isChunked) socket.write('\r\n0\r\n\r\n')
    if (fault?.kind === 'cut' && fault.how === 'reset') setTimeout(() => socket.resetAndDestroy(), 20)
    else if (fault?.kind === 'cut' || fault?.kind === 'length') socket.end()
    else if (fault?.kind === 'hang-up') setImmediate(() => socket.destroySoon())
  }
}

/** A running origin; close it after the tests. */
export async function startOrigin(port = 0): Promise<Origin> {
  const origin = new Origin()
  await origin.start(port)
  return origin
}

interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

function reply(status: number, headers: Readonly<Record<string, string>>, body: Uint8Array): Reply {
  return { status, headers, body }
}

function statusReply(fault: Fault & { readonly kind: 'status' }): Reply {
  return reply(fault.status, fault.headers ?? {}, Buffer.from(fault.body ?? ''))
}

function bodyEnd(fault: Fault | undefined, length: number): number {
  if (fault?.kind === 'cut' || fault?.kind === 'stall') return Math.min(fault.after ?? 0, length)
  return fault?.kind === 'length' ? fault.sent : length
}

function drip(socket: Socket, body: Uint8Array, everyMs: number, write: (bytes: Uint8Array) => void): void {
  let at = 0
  const timer = setInterval(() => {
    if (socket.destroyed || at >= body.length) clearInterval(timer)
    else write(body.subarray(at, ++at))
  }, everyMs)
}

function faulty(fault: Fault | undefined, request: SeenRequest, file: OriginFile): Reply {
  if (fault?.kind === 'whole') return reply(200, fileHeaders(file), file.bytes)
  if (fault?.kind === 'html') {
    return reply(200, { 'content-type': 'text/html; charset=utf-8' }, Buffer.from('<html>Please log in</html>'))
  }
  const right = rightReply(request, file)
  const headers: Record<string, string> = { ...right.headers }
  switch (fault?.kind) {
    case 'status-200':
      return reply(200, headers, right.body)
    case 'content-range':
      if (fault.value === undefined) delete headers['content-range']
      else headers['content-range'] = fault.value
      return reply(right.status, headers, right.body)
    case 'shifted': {
      const [, first = '', last = '', total = ''] = /(\d+)-(\d+)\/(\d+)/.exec(headers['content-range'] ?? '') ?? []
      headers['content-range'] = `bytes ${Number(first) + 1}-${Math.min(Number(last) + 1, Number(total) - 1)}/${total}`
      return reply(right.status, headers, right.body)
    }
    case 'multipart': {
      delete headers['content-range']
      const part = `--sep\r\nContent-Range: ${right.headers['content-range']}\r\n\r\n`
      const body = Buffer.concat([Buffer.from(part), right.body, Buffer.from('\r\n--sep--\r\n')])
      return reply(206, { ...headers, 'content-type': 'multipart/byteranges; boundary=sep' }, body)
    }
    case 'gzip':
      // As good as any other gzip, and made at once: origins of several tests share a process.
      return reply(right.status, { ...headers, 'content-encoding': 'gzip' }, gzipSync(right.body, { level: 0 }))
  }
  return right
}

function fileHeaders(file: OriginFile): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': file.contentType ?? 'application/octet-stream' }
  headers['accept-ranges'] = file.ranges === false ? 'none' : 'bytes'
  if (file.etag !== undefined) headers['etag'] = file.etag
  if (file.lastModified !== undefined) headers['last-modified'] = file.lastModified
  return { ...headers, ...file.headers }
}

/** What a good server answers. */
function rightReply(request: SeenRequest, file: OriginFile): Reply {
  const headers = fileHeaders(file)
  const asked = request.headers
  const none = new Uint8Array(0)
  const wanted = asked['if-match']
  if (file.ifMatch === 'refused' && wanted !== undefined) return reply(412, headers, none)
  if (file.ifMatch !== false && wanted !== undefined && wanted !== file.etag) return reply(412, headers, none)
  if (file.conditional !== false && isNotModified(asked, file)) return reply(304, headers, none)
  const range = file.ranges === false ? undefined : rangeOf(asked['range'], file.bytes.length)
  if (range === undefined) return reply(200, headers, file.bytes)
  const [first, end] = range
  if (first >= end) return reply(416, { 'content-range': `bytes */${file.bytes.length}` }, none)
  headers['content-range'] = `bytes ${first}-${end - 1}/${file.bytes.length}`
  return reply(206, headers, file.bytes.subarray(first, end))
}

function isNotModified(asked: Readonly<Record<string, string>>, file: OriginFile): boolean {
  const tag = asked['if-none-match']
  if (tag !== undefined) return tag === file.etag
  const since = asked['if-modified-since']
  return since !== undefined && file.lastModified !== undefined && Date.parse(file.lastModified) <= Date.parse(since)
}

/** First byte and end; undefined without a range. */
function rangeOf(text: string | undefined, size: number): readonly [number, number] | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(text ?? '')
  if (match === null) return undefined
  const [, first, last] = match
  if (first === '') return [Math.max(size - Number(last), 0), size]
  return [Number(first), last === '' ? size : Math.min(Number(last) + 1, size)]
}

function parseRequest(text: string): SeenRequest {
  const [start, ...lines] = text.split('\r\n')
  const [method, path] = (start ?? '').split(' ')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  return { method: method ?? '', path: path ?? '', headers }
}
