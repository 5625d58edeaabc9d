import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { netcdf3File } from '../helpers/netcdf3-file.ts'
import { startOrigin } from '../helpers/origin.ts'
import { startServer } from '../helpers/process.ts'
import { besideOptions } from './npm-tool.ts'

test("CLOUD-2: a token of Azure's own chain (a managed identity) opens a blob, and is told nowhere", async (t) => {
  const options = besideOptions('@azure/identity', '4.14.1')
  if (options === undefined) return t.skip("@azure/identity can't be had from this registry")
  const asked: (string | undefined)[] = []
  const identity = createServer((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://identity').searchParams.get('resource') ?? undefined)
    const expires = Math.round(Date.now() / 1000) + 3600
    const token = {
      access_token: 'CANARY.token',
      expires_on: String(expires),
      resource: 'https://storage.azure.com',
      token_type: 'Bearer',
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(token))
  })
  identity.listen(0, '127.0.0.1')
  await once(identity, 'listening')
  const address = identity.address()
  const endpoint = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/token`
  const origin = await startOrigin()
  origin.put('account/box/x.nc', netcdf3File())
  const denied = { kind: 'status', status: 401, headers: { 'x-ms-error-code': 'NoAuthenticationInformation' } } as const
  origin.faultOf = ({ headers }) => (headers['authorization'] === 'Bearer CANARY.token' ? undefined : denied)
  const folder = mkdtempSync(join(tmpdir(), 'azure-tokens-'))
  const config = join(folder, 'config.json')
  writeFileSync(
    config,
    JSON.stringify({ az_endpoint: origin.base, credentials: [{ prefix: 'az://account/box/', kind: 'default' }] }),
  )
  const environment = {
    NODE_OPTIONS: options,
    IDENTITY_ENDPOINT: endpoint,
    IDENTITY_HEADER: 'header',
    VZ_CONFIG: config,
  }
  const server = await startServer({ ...environment, VZ_LOG_LEVEL: 'trace' })
  t.after(async () => {
    await server.stop()
    await origin.close()
    identity.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const store = `${server.url}/zarr/~${Buffer.from('az://account/box/x.nc').toString('base64url')}`
  const response = await fetch(`${store}/temperature/c/0/0`)
  assert.equal(response.status, 200, await response.clone().text())
  assert.deepEqual(asked, ['https://storage.azure.com'])
  assert.doesNotMatch(server.log(), /CANARY/)
})
