import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Origin } from '../helpers/origin.ts'
import { type Server, startServer } from '../helpers/process.ts'
import { storeOf } from './cloud-service.ts'

const CHUNKS = 1000
const LIFE_MS = 2000

interface Given {
  readonly token: string
  readonly expires: number
}

/** A service of tokens, as a machine's role has it: each is good for two seconds, and all of them are canaries. */
export interface TokenService {
  readonly given: readonly Given[]
  readonly url: string
  /** Whether a token still is good; every third one is taken back before it said that it expires. */
  isGood(token: string | undefined): boolean
  /** Tokens refused. */
  readonly refused: () => number
}

/** Starts a service of tokens; `write` makes its answer of a token. */
export async function startTokens(t: TestContext, write: (given: Given) => object): Promise<TokenService> {
  const given: Given[] = []
  let refused = 0
  const server = createServer((_request, response) => {
    const next = { token: `CANARY-token-${given.length}`, expires: Date.now() + LIFE_MS }
    given.push(next)
    response.setHeader('metadata-flavor', 'Google')
    response.setHeader('content-type', 'application/json').end(JSON.stringify(write(next)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const address = server.address()
  return {
    given,
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    isGood(token) {
      const known = given.find((each) => each.token === token)
      const early = known === undefined || given.indexOf(known) % 3 !== 2 ? 0 : LIFE_MS * 0.75
      const isGood = known !== undefined && Date.now() < known.expires - early
      if (!isGood) refused++
      return isGood
    },
    refused: () => refused,
  }
}

/** Starts the service with a configuration of its own, over an origin that it closes. */
export async function startTokenReader(
  t: TestContext,
  origin: Origin,
  configuration: object,
  environment: Readonly<Record<string, string>>,
): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'cloud-tokens-'))
  const config = join(folder, 'config.json')
  writeFileSync(config, JSON.stringify(configuration))
  const server = await startServer({ ...environment, VZ_CONFIG: config, VZ_LOG_LEVEL: 'trace' })
  t.after(async () => {
    await server.stop()
    await origin.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return server
}

/** Puts a Zarr array of 1,000 chunks below a path of the origin, and reads it at `location` while tokens expire: nobody notices. */
export async function readWhileExpiring(
  { origin, path }: { readonly origin: Origin; readonly path: string },
  server: Server,
  location: string,
  tokens: TokenService,
): Promise<void> {
  putArray(origin, path)
  const url = `${server.url}/${storeOf(location)}`
  const statuses = new Map<number, number>()
  let wrong = 0
  let next = 0
  async function reader(): Promise<void> {
    for (let at = next++; at < CHUNKS; at = next++) {
      const response = await fetch(`${url}c/${at}`)
      const values = new Int32Array(await response.arrayBuffer())
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      if (values.length !== 4 || values.some((value) => value !== at)) wrong++
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
  }
  assert.equal((await fetch(`${url}zarr.json`)).status, 200)
  await Promise.all([reader(), reader(), reader(), reader()])
  assert.deepEqual([...statuses], [[200, CHUNKS]])
  assert.equal(wrong, 0)
  assert.ok(tokens.given.length >= 4, `${tokens.given.length} tokens`)
  assert.ok(tokens.refused() > 0)
  assert.doesNotMatch(server.log(), /CANARY/)
  console.log(`${CHUNKS} chunks, ${tokens.given.length} tokens, ${tokens.refused()} requests refused and made again`)
}

function putArray(origin: Origin, path: string): void {
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
  origin.put(`${path}/zarr.json`, { bytes: Buffer.from(JSON.stringify(array)), etag: '"array"' })
  for (let at = 0; at < CHUNKS; at++) {
    origin.put(`${path}/c/${at}`, { bytes: Buffer.from(Int32Array.of(at, at, at, at).buffer), etag: `"${at}"` })
  }
}
