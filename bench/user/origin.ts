import { createReadStream, readdirSync, readFileSync, type Stats, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type AnsweredRequest, roundsOf } from '../rounds.ts'

/** Asks for the counts since the last call, and sets the latency of the answers that follow. */
export interface OriginCall {
  readonly latencyMilliseconds: number
}

export interface OriginCounts {
  readonly requests: number
  /** Of bodies only. */
  readonly bytes: number
  /** The longest chain of requests of which each began when the one before had ended. */
  readonly rounds: number
}

/** Small files are answered out of memory: thousands of requests a second must not wait for the disk. */
const MAX_BUFFERED_BYTES = 2 ** 20
/** `2020/day-000123.nc` is `day.nc` with other times, if `day.nc.times.json` says where they are. */
const NUMBERED = /-(\d{6})(\.\w+)$/

interface Times {
  /** Of the first value, a little-endian double. */
  readonly offset: number
  readonly count: number
  readonly step: number
}

/**
 * A range server in a process of its own: `/any-prefix/file` is `file` below one of the folders of argv, so that a prefix that was never
 * asked for is a source that nobody has cached.
 */
class Origin {
  readonly #roots: readonly string[]
  readonly #buffered = new Map<string, Buffer>()
  #latency = 0
  #requests = 0
  #bytes = 0
  #answered: AnsweredRequest[] = []

  constructor(roots: readonly string[]) {
    this.#roots = roots
  }

  listen(): void {
    const server = createServer((request, response) => {
      this.#requests++
      const begin = performance.now()
      response.on('close', () => this.#answered.push({ begin, end: performance.now() }))
      setTimeout(() => this.#answer(request, response), this.#latency)
    })
    server.keepAliveTimeout = 60_000
    process.on('message', ({ latencyMilliseconds }: OriginCall) => {
      this.#latency = latencyMilliseconds
      const counts = { requests: this.#requests, bytes: this.#bytes, rounds: roundsOf(this.#answered) }
      process.send?.(counts satisfies OriginCounts)
      this.#requests = 0
      this.#bytes = 0
      this.#answered = []
    })
    server.listen(0, '127.0.0.1', () => {
      process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` })
    })
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const name = decodeURIComponent(new URL(request.url ?? '/', 'http://origin/').pathname).replace(/^\/[^/]*\//, '')
    const numbered = NUMBERED.exec(name)
    const stored = numbered === null ? name : name.replace(NUMBERED, '$2')
    const paths = this.#roots.map((root) => join(root, stored))
    const path = paths.find((each) => statSync(each, { throwIfNoEntry: false }) !== undefined)
    const info = path === undefined ? undefined : statSync(path)
    if (path !== undefined && info?.isDirectory() === true && name.endsWith('/')) {
      const body = listingOf(path)
      this.#bytes += body.length
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': body.length }).end(body)
      return
    }
    if (path === undefined || info?.isFile() !== true || name.endsWith('/')) {
      response.writeHead(404, { 'content-length': 0 }).end()
      return
    }
    const etag = `"${info.size}-${Math.floor(info.mtimeMs)}-${numbered?.[1] ?? ''}"`
    const headers = { etag, 'last-modified': info.mtime.toUTCString(), 'accept-ranges': 'bytes' }
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304, headers).end()
      return
    }
    const range = rangeOf(request.headers.range, info.size)
    if (range === 'unsatisfiable') {
      response.writeHead(416, { ...headers, 'content-range': `bytes */${info.size}`, 'content-length': 0 }).end()
      return
    }
    const { start, end } = range ?? { start: 0, end: info.size - 1 }
    const length = end - start + 1
    response.writeHead(range === undefined ? 200 : 206, {
      ...headers,
      'content-length': length,
      ...(range === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${info.size}` }),
    })
    if (request.method === 'HEAD' || length === 0) {
      response.end()
      return
    }
    this.#bytes += length
    if (info.size > MAX_BUFFERED_BYTES) createReadStream(path, { start, end }).pipe(response)
    else response.end(this.#contentOf(path, info, numbered?.[1]).subarray(start, end + 1))
  }

  #contentOf(path: string, info: Stats, number: string | undefined): Buffer {
    const key = `${path} ${info.mtimeMs}`
    const content = this.#buffered.get(key) ?? readFileSync(path)
    this.#buffered.set(key, content)
    return number === undefined ? content : this.#withTimes(path, content, Number(number))
  }

  #withTimes(path: string, content: Buffer, number: number): Buffer {
    const { offset, count, step } = JSON.parse(readFileSync(`${path}.times.json`, 'utf8')) as Times
    const copy = Buffer.from(content)
    for (let at = 0; at < count; at++) copy.writeDoubleLE((number * count + at) * step, offset + at * 8)
    return copy
  }
}

function listingOf(folder: string): Buffer {
  const names = readdirSync(folder, { withFileTypes: true }).map(
    (each) => `${each.name}${each.isDirectory() ? '/' : ''}`,
  )
  const links = names.map((name) => `<a href="${name}">${name}</a>`)
  return Buffer.from(`<title>Index of /</title>${links.join('<br>')}`)
}

/** RFC 9110, section 14.1.2, with one range; undefined where there is none. */
function rangeOf(
  header: string | undefined,
  size: number,
): { readonly start: number; readonly end: number } | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') return { start: Math.max(0, size - Number(last)), end: size - 1 }
  if (Number(first) >= size) return 'unsatisfiable'
  return { start: Number(first), end: Math.min(size - 1, last === '' ? size - 1 : Number(last)) }
}

new Origin(process.argv.slice(2)).listen()
