import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CloudConfig, readCloudSettings } from '../../src/server/cloud-settings.ts'
import { ConfigError } from '../../src/server/config-error.ts'

const SECRET = 'CANARY-secret'

const read = (credentials: unknown, settings: Record<string, string> = {}, more: Partial<CloudConfig> = {}) =>
  readCloudSettings({
    credentials,
    settings: new Map(Object.entries(settings)),
    folder: '/etc/vz',
    environment: {},
    ...more,
  })

const KEYS = { access_key_id: 'AKID', secret_access_key: SECRET }

test('CLOUD-1: settings say where the objects of a cloud lie', () => {
  const settings = { VZ_S3_ENDPOINT: 'http://10.0.0.1:9000', VZ_S3_REGION: 'eu-west-1', VZ_S3_PATH_STYLE: 'false' }
  const endpoint = new URL('http://10.0.0.1:9000/')
  assert.deepEqual(read(undefined, settings).places.s3, { endpoint, region: 'eu-west-1', pathStyle: false })
  assert.deepEqual(read(undefined).places.s3, {})
  const others = { VZ_GS_ENDPOINT: 'http://10.0.0.1:4443', VZ_AZ_ENDPOINT: 'http://10.0.0.1:10000' }
  assert.deepEqual(read(undefined, others).places.gs, { endpoint: new URL('http://10.0.0.1:4443/') })
  assert.deepEqual(read(undefined, others).places.az, { endpoint: new URL('http://10.0.0.1:10000/') })
})

test('CLOUD-2: a secret stands in the file, in the environment, or in a file of its own', () => {
  const entry = {
    prefix: 's3://bucket/',
    kind: 'static',
    access_key_id: 'AKID',
    secret_access_key: { env: 'KEY' },
    session_token: { file: 'token' },
    endpoint: 'https://store.example.org/s3',
    requester_pays: true,
  }
  assert.deepEqual(read([entry], {}, { environment: { KEY: SECRET } }).prefixes, [
    {
      prefix: 's3://bucket/',
      place: { endpoint: new URL('https://store.example.org/s3'), requesterPays: true },
      credentials: {
        kind: 'static',
        accessKeyId: { text: 'AKID' },
        secretAccessKey: { text: SECRET },
        sessionToken: { file: '/etc/vz/token' },
      },
    },
  ])
  const kinds = read([{ prefix: 's3://a-b/' }, { prefix: 's3://', kind: 'default' }]).prefixes
  assert.deepEqual(
    kinds.map(({ credentials }) => credentials.kind),
    ['anonymous', 'default'],
  )
})

test('CLOUD-2: a service account, and who pays in Google Cloud', () => {
  const entry = { prefix: 'gs://bucket/', kind: 'service-account', key: { file: 'key.json' }, requester_pays: true }
  assert.deepEqual(read([entry, { ...entry, kind: 'default', key: null, project: 'payer' }]).prefixes, [
    {
      prefix: 'gs://bucket/',
      place: { requesterPays: true },
      credentials: { kind: 'service-account', key: { file: '/etc/vz/key.json' } },
    },
    { prefix: 'gs://bucket/', place: { requesterPays: true, project: 'payer' }, credentials: { kind: 'default' } },
  ])
})

test('what is wrong is named by its place, and no message shows a secret', () => {
  const entry = { prefix: 's3://bucket/', kind: 'static', ...KEYS }
  const cases: [entry: unknown, place: string][] = [
    [SECRET, 'credentials[0]'],
    [{ kind: 'default' }, 'credentials[0].prefix'],
    [{ ...entry, prefix: 'https://host/' }, 'credentials[0].prefix'],
    [{ ...entry, prefix: `s3://user:${SECRET}@bucket/` }, 'credentials[0].prefix'],
    [{ ...entry, prefix: 's3://bucket/../x' }, 'credentials[0].prefix'],
    [{ ...entry, kind: 'shared-key' }, 'credentials[0].kind'],
    [{ ...entry, kind: SECRET }, 'credentials[0].kind'],
    [{ ...entry, kind: 'anonymous' }, 'credentials[0].access_key_id'],
    [{ ...entry, secret: SECRET }, 'credentials[0].secret'],
    [{ ...entry, secret_access_key: undefined }, 'credentials[0].secret_access_key'],
    [{ ...entry, secret_access_key: '' }, 'credentials[0].secret_access_key'],
    [{ ...entry, secret_access_key: { env: 'MISSING' } }, 'credentials[0].secret_access_key'],
    [{ ...entry, secret_access_key: { text: SECRET } }, 'credentials[0].secret_access_key'],
    [{ ...entry, secret_access_key: { file: 'a', env: 'B' } }, 'credentials[0].secret_access_key'],
    [{ prefix: 'gs://bucket/', kind: 'default', requester_pays: true }, 'credentials[0].project'],
    [{ prefix: 'gs://bucket/', kind: 'default', project: 'a b' }, 'credentials[0].project'],
    [{ prefix: 'gs://bucket/', kind: 'sas', token: SECRET }, 'credentials[0].kind'],
    [{ ...entry, project: 'payer' }, 'credentials[0].project'],
    [{ ...entry, path_style: 'maybe' }, 'credentials[0].path_style'],
    [{ ...entry, region: 'a.b/' }, 'credentials[0].region'],
    [{ ...entry, endpoint: 'ftp://x' }, 'credentials[0].endpoint'],
    [{ ...entry, endpoint: `https://a:${SECRET}@x` }, 'credentials[0].endpoint'],
    [{ ...entry, endpoint: 'http://169.254.169.254/' }, 'credentials[0].endpoint'],
    [{ ...entry, endpoint: 'http://[fd00:ec2::254]/' }, 'credentials[0].endpoint'],
    [{ ...entry, endpoint: 'http://2852039166/' }, 'credentials[0].endpoint'],
  ]
  for (const [each, place] of cases) {
    const isNamed = (error: unknown) =>
      error instanceof ConfigError && error.message.startsWith(`${place}:`) && !error.message.includes(SECRET)
    assert.throws(() => read([each]), isNamed, place)
  }
  assert.throws(() => read({ prefix: 's3://bucket/' }), ConfigError)
})
