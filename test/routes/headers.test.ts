import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type RunningApp, runApp, storeUrlOf } from '../helpers/app.ts'
import { netcdf3File } from '../helpers/netcdf3-file.ts'

let app: RunningApp
before(async () => {
  app = await runApp({ 'grid.nc': netcdf3File() })
})
after(async () => await app.close())

/** What Node adds to each answer. */
const OF_NODE = ['date', 'connection', 'content-length']

/** Of every answer. */
const COMMON = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Content-Range, Content-Length, ETag, Accept-Ranges, Link, Retry-After',
  'x-content-type-options': 'nosniff',
}
const KEPT = { 'cache-control': 'public, no-cache, no-transform' }
const PROBLEM = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' }
const TAG = /^"[\w.-]+"$/

interface Case {
  readonly what: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly status: number
  readonly expected: Readonly<Record<string, string | RegExp>>
}

const DOCUMENT = {
  ...KEPT,
  'content-type': 'application/json',
  etag: TAG,
  'accept-ranges': 'bytes',
  vary: 'Accept-Encoding',
  link: /^<http:\/\/.*;version=[\w-]+\/zarr\.json>; rel="canonical"$/,
}
const CHUNK = { ...KEPT, 'content-type': 'application/octet-stream', etag: TAG, 'accept-ranges': 'bytes' }

const CASES: readonly Case[] = [
  { what: 'a document', path: 'zarr.json', status: 200, expected: DOCUMENT },
  { what: 'a chunk', path: 'temperature/c/0/0', status: 200, expected: CHUNK },
  {
    what: 'a range of a chunk',
    path: 'temperature/c/0/0',
    headers: { range: 'bytes=0-9' },
    status: 206,
    expected: { ...CHUNK, 'content-range': 'bytes 0-9/160' },
  },
  {
    what: 'a range beyond a chunk',
    path: 'temperature/c/0/0',
    headers: { range: 'bytes=999-' },
    status: 416,
    expected: { ...PROBLEM, 'content-range': 'bytes */160' },
  },
  { what: 'a chunk that is none', path: 'temperature/c/99/0', status: 404, expected: PROBLEM },
  {
    what: 'an index page',
    path: '',
    headers: { accept: 'text/html' },
    status: 200,
    expected: {
      ...KEPT,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': /^default-src 'none'; /,
      'referrer-policy': 'no-referrer',
    },
  },
]

for (const { what, path, headers = {}, status, expected } of CASES) {
  test(`${what} has these headers and no others, in GET and in HEAD`, async () => {
    for (const method of ['GET', 'HEAD'] as const) {
      const url = storeUrlOf(app, 'grid.nc') + path
      const answer = await app.http.inject({ method, url, headers })
      assert.equal(answer.statusCode, status)
      const wanted = { ...expected, ...COMMON }
      const names = Object.keys(answer.headers).filter((name) => !OF_NODE.includes(name))
      assert.deepEqual(names.toSorted(), Object.keys(wanted).toSorted(), `${method}: the names of headers`)
      for (const [name, value] of Object.entries(wanted)) {
        if (typeof value === 'string') assert.equal(answer.headers[name], value, `${method}: ${name}`)
        else assert.match(String(answer.headers[name]), value, `${method}: ${name}`)
      }
    }
  })
}
