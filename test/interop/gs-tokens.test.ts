import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOrigin } from '../helpers/origin.ts'
import { readWhileExpiring, startTokenReader, startTokens } from './cloud-tokens.ts'
import { besideOptions } from './npm-tool.ts'

const PACKAGE = { name: 'google-auth-library', version: '11.3.4' }

test("CLOUD-2: tokens of Google's own chain expire in the middle of 1,000 chunk reads, and no reader notices", async (t) => {
  const options = besideOptions(PACKAGE.name, PACKAGE.version)
  if (options === undefined) return t.skip(`${PACKAGE.name} can't be had from this registry`)
  const tokens = await startTokens(t, ({ token, expires }) => ({
    access_token: token,
    expires_in: Math.round((expires - Date.now()) / 1000),
    token_type: 'Bearer',
  }))
  const origin = await startOrigin()
  const refused = { kind: 'status', status: 401, body: '<Error><Code>AuthenticationRequired</Code></Error>' } as const
  origin.faultOf = ({ headers }) =>
    tokens.isGood(headers['authorization']?.slice('Bearer '.length)) ? undefined : refused
  const credentials = [{ prefix: 'gs://bucket/', kind: 'default', requester_pays: true, project: 'payer' }]
  // The address that the chain asks for tokens is where machines of that cloud ask: it may be a private one.
  const environment = {
    NODE_OPTIONS: options,
    GCE_METADATA_HOST: new URL(tokens.url).host,
    METADATA_SERVER_DETECTION: 'assume-present',
  }
  const server = await startTokenReader(t, origin, { gs_endpoint: origin.base, credentials }, environment)
  await readWhileExpiring({ origin, path: 'bucket/array' }, server, 'gs://bucket/array/', tokens)
  assert.ok(origin.requests.every(({ headers }) => headers['x-goog-user-project'] === 'payer'))
})
