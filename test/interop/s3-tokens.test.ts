import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOrigin } from '../helpers/origin.ts'
import { storeOf } from './cloud-service.ts'
import { readWhileExpiring, startTokenReader, startTokens } from './cloud-tokens.ts'
import { besideOptions } from './npm-tool.ts'

const PACKAGE = { name: '@aws-sdk/credential-providers', version: '3.1164.0' }
const CREDENTIALS = [{ prefix: 's3://bucket/', kind: 'default' }]

test('CLOUD-2: tokens of the default chain expire in the middle of 1,000 chunk reads, and no reader notices', async (t) => {
  const options = besideOptions(PACKAGE.name, PACKAGE.version)
  if (options === undefined) return t.skip(`${PACKAGE.name} can't be had from this registry`)
  const tokens = await startTokens(t, ({ token, expires }) => ({
    AccessKeyId: 'AKID',
    SecretAccessKey: 'CANARY',
    Token: token,
    Expiration: new Date(expires).toISOString(),
  }))
  const origin = await startOrigin()
  const expired = { kind: 'status', status: 400, body: '<Error><Code>ExpiredToken</Code></Error>' } as const
  origin.faultOf = ({ headers }) => (tokens.isGood(headers['x-amz-security-token']) ? undefined : expired)
  const environment = {
    NODE_OPTIONS: options,
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${tokens.url}/role`,
    AWS_EC2_METADATA_DISABLED: 'true',
  }
  const configuration = { s3_endpoint: origin.base, credentials: CREDENTIALS }
  const server = await startTokenReader(t, origin, configuration, environment)
  await readWhileExpiring({ origin, path: 'bucket/array' }, server, 's3://bucket/array/', tokens)
})

test('CLOUD-2: without its package the default chain is an error that names it', async (t) => {
  const origin = await startOrigin()
  const server = await startTokenReader(t, origin, { s3_endpoint: origin.base, credentials: CREDENTIALS }, {})
  const response = await fetch(`${server.url}/${storeOf('s3://bucket/array/')}zarr.json`)
  assert.equal(response.status, 501)
  assert.match(await response.text(), /npm install @aws-sdk\/credential-providers/)
})
