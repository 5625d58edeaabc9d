import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runApp } from '../../helpers/app.ts'

// Which pages may post to a service of this machine. Browsers send `Origin` with every POST (Fetch, 3.2); other clients send none.

const DOCUMENT = JSON.stringify({
  virtual_zarr: 'join/1',
  sources: ['http://a.example/1', 'http://a.example/2'],
  along: 't',
})
const HOST = 'localhost:8080'

interface Case {
  readonly host?: string
  readonly origin?: string
  readonly from?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

const PUBLIC = { VZ_PUBLIC_URL: 'https://zarr.example.org/archive', VZ_ALLOW_POSTED_JOINS: 'true' }
const CONTAINER = { HOST: '0.0.0.0', VZ_PUBLIC_URL: 'http://localhost:8080', VZ_ALLOW_POSTED_JOINS: 'true' }
const PROXY = { VZ_TRUST_PROXY: 'true' }

const TAKEN: readonly Case[] = [
  { host: HOST },
  { host: '127.0.0.1:8080' },
  { host: '[::1]:8080' },
  { host: 'a.localhost' },
  { host: 'LOCALHOST.:80' },
  { host: HOST, origin: 'http://localhost:8080' },
  { host: HOST, origin: 'http://127.0.0.1:3000' },
  { host: HOST, origin: 'http://[::1]' },
  { host: 'zarr.example.org', environment: PUBLIC },
  { host: 'zarr.example.org', environment: PUBLIC, origin: 'https://zarr.example.org' },
  { host: HOST, environment: PUBLIC, origin: 'https://zarr.example.org' },
  { host: 'zarr.example.org:8443', environment: PUBLIC, origin: 'https://zarr.example.org:8443' },
  { host: 'zarr', environment: CONTAINER, from: '172.17.0.3' },
  { host: HOST, environment: CONTAINER, from: '172.17.0.1', origin: 'http://localhost:8080' },
  // A proxy on this machine says who asks: no loopback address, so no page that was led to one.
  { host: 'zarr.example.org', environment: PROXY, headers: { 'x-forwarded-for': '192.0.2.7' } },
  { host: 'zarr.example.org', environment: PUBLIC, from: '192.0.2.7', origin: 'https://viewer.example' },
]

const REFUSED: readonly Case[] = [
  { host: HOST, origin: 'http://evil.example' },
  { host: HOST, origin: 'https://localhost.evil.example' },
  { host: HOST, origin: 'http://127.0.0.1.evil.example' },
  { host: HOST, origin: 'null' },
  { host: HOST, origin: 'file://' },
  { host: HOST, origin: '' },
  { host: HOST, origin: 'chrome-extension://localhost' },
  { host: HOST, origin: 'http://localhost@evil.example' },
  // Rebinding: the page's own name leads here.
  { host: 'evil.example:8080', origin: 'http://evil.example:8080' },
  { host: 'evil.example' },
  { host: 'localhost.evil.example' },
  { host: 'evil.example', from: '::1' },
  { host: 'evil.example', from: '::ffff:127.0.0.1' },
  { host: 'evil.example', from: '127.8.8.8' },
  { host: 'a"b' },
  { host: 'evil.example', headers: { 'x-forwarded-host': 'localhost', 'x-forwarded-for': '192.0.2.7' } },
  { host: 'zarr.example.org', environment: PUBLIC, origin: 'http://evil.example' },
  { host: 'zarr.example.org', environment: PUBLIC, origin: 'http://zarr.example.org.evil.example' },
  { host: HOST, environment: CONTAINER, from: '172.17.0.1', origin: 'http://evil.example' },
  { host: 'evil.example', environment: CONTAINER, from: '172.17.0.1', origin: 'http://evil.example' },
]

async function statusOf({
  host = HOST,
  origin,
  from = '127.0.0.1',
  environment = {},
  headers = {},
}: Case): Promise<number> {
  const app = await runApp({}, environment)
  try {
    const { statusCode, body } = await app.http.inject({
      method: 'POST',
      url: '/joins',
      payload: DOCUMENT,
      remoteAddress: from,
      headers: { host, 'content-type': 'text/plain', ...(origin === undefined ? {} : { origin }), ...headers },
    })
    if (statusCode === 403) assert.match(body, /request-forbidden.*(Host|Origin)/)
    return statusCode
  } finally {
    await app.close()
  }
}

test('clients of this machine, and pages of the service itself, may post', async () => {
  for (const one of TAKEN) assert.equal(await statusOf(one), 201, JSON.stringify(one))
})

test('pages of others may not, by whatever name they lead to this machine', async () => {
  for (const one of REFUSED) assert.equal(await statusOf(one), 403, JSON.stringify(one))
})

test('what only reads is answered whoever asks', async () => {
  const app = await runApp({})
  try {
    const headers = { host: 'evil.example', origin: 'http://evil.example' }
    for (const url of ['/joins', '/datasets'])
      assert.equal((await app.http.inject({ url, headers })).statusCode, 200, url)
    assert.equal((await app.http.inject({ method: 'OPTIONS', url: '/joins', headers })).statusCode, 204)
    assert.equal((await app.http.inject({ method: 'DELETE', url: '/joins', headers })).statusCode, 405)
  } finally {
    await app.close()
  }
})
