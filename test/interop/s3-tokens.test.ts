import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Origin, startOrigin } from '../helpers/origin.ts'
import { type Server, startServer } from '../helpers/process.ts'
import { besideOptions } from './npm-tool.ts'

const CHUNKS = 1000
const PACKAGE = { name: '@aws-sdk/credential-providers', version: '3.1164.0' }

/** A service of tokens, as a container's role has it: each is good for so long. */
async function startTokens(t: TestContext, lifeMs: number) {
  const given: { readonly token: string; readonly expires: number }[] = []
  const server = createServer((_request, response) => {
    const expires = Date.now() + lifeMs
    const token = `CANARY-token-${given.length}`
    given.push({ token, expires })
    const document = {
      AccessKeyId: 'AKID',
      SecretAccessKey: 'CANARY',
      Token: token,
      Expiration: new Date(expires).toISOString(),
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { given, url: `http://127.0.0.1:${port}/role` }
}

/** A Zarr array of 1,000 chunks in a bucket. */
function putArray(origin: Origin): void {
  const array = {
    zarr_format: 3,
    node_type: 'array',
    shape: [4 * CHUNKS],
    data_type: 'int32',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [4] } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
    fill_value: 0,
    attributes: {},
  }
  origin.put('bucket/array/zarr.json', { bytes: Buffer.from(JSON.stringify(array)), etag: '"array"' })
  for (let at = 0; at < CHUNKS; at++) {
    origin.put(`bucket/array/c/${at}`, { bytes: Buffer.from(Int32Array.of(at, at, at, at).buffer), etag: `"${at}"` })
  }
}

async function startService(t: TestContext, origin: Origin, environment: Record<string, string>): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 's3-tokens-'))
  const config = join(folder, 'config.json')
  writeFileSync(
    config,
    JSON.stringify({ s3_endpoint: origin.base, credentials: [{ prefix: 's3://bucket/', kind: 'default' }] }),
  )
  const server = await startServer({ ...environment, VZ_CONFIG: config, VZ_LOG_LEVEL: 'trace' })
  t.after(async () => {
    await server.stop()
    await origin.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return server
}

const ARRAY = `zarr/~${Buffer.from('s3://bucket/array/').toString('base64url')}`

test('SPEC 9: tokens of the default chain expire in the middle of 1,000 chunk reads, and no reader notices', async (t) => {
  const options = besideOptions(PACKAGE.name, PACKAGE.version)
  if (options === undefined) return t.skip(`${PACKAGE.name} can't be had from this registry`)
  const tokens = await startTokens(t, 2000)
  const origin = await startOrigin()
  putArray(origin)
  const expired = { kind: 'status', status: 400, body: '<Error><Code>ExpiredToken</Code></Error>' } as const
  let refused = 0
  origin.faultOf = ({ headers }) => {
    const token = tokens.given.find((each) => each.token === headers['x-amz-security-token'])
    // Every third token is taken back before it said that it expires.
    const early = token === undefined || tokens.given.indexOf(token) % 3 !== 2 ? 0 : 1500
    if (token !== undefined && Date.now() < token.expires - early) return undefined
    refused++
    return expired
  }
  const environment = {
    NODE_OPTIONS: options,
    AWS_CONTAINER_CREDENTIALS_FULL_URI: tokens.url,
    AWS_EC2_METADATA_DISABLED: 'true',
  }
  const server = await startService(t, origin, environment)
  const statuses = new Map<number, number>()
  let wrong = 0
  let next = 0
  async function reader(): Promise<void> {
    for (let at = next++; at < CHUNKS; at = next++) {
      const response = await fetch(`${server.url}/${ARRAY}/c/${at}`)
      const values = new Int32Array(await response.arrayBuffer())
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      if (values.length !== 4 || values.some((value) => value !== at)) wrong++
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
  }
  assert.equal((await fetch(`${server.url}/${ARRAY}/zarr.json`)).status, 200)
  await Promise.all([reader(), reader(), reader(), reader()])
  assert.deepEqual([...statuses], [[200, CHUNKS]])
  assert.equal(wrong, 0)
  assert.ok(tokens.given.length >= 4, `${tokens.given.length} tokens`)
  assert.ok(refused > 0)
  assert.doesNotMatch(server.log(), /CANARY/)
  console.log(`${CHUNKS} chunks, ${tokens.given.length} tokens, ${refused} requests refused and made again`)
})

test('SPEC 9: without its package the default chain is an error that names it', async (t) => {
  const server = await startService(t, await startOrigin(), {})
  const response = await fetch(`${server.url}/${ARRAY}/zarr.json`)
  assert.equal(response.status, 501)
  assert.match(await response.text(), /npm install @aws-sdk\/credential-providers/)
})
