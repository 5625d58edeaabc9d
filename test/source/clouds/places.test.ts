import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cloud, CloudPlace } from '../../../src/source/clouds/cloud.ts'
import type { CredentialSettings, PrefixSettings } from '../../../src/source/clouds/settings.ts'
import { openSources } from '../../../src/source/open.ts'
import { startOrigin } from '../../helpers/origin.ts'
import { failure, patterned, QUICK } from '../world.ts'

const KEYS: CredentialSettings = { kind: 'static', accessKeyId: { text: 'AKID' }, secretAccessKey: { text: 'CANARY' } }

test('CLOUD-2: hosts of one protocol side by side, each by its prefix and with its own key', async (t) => {
  const [minio, ceph, google] = await Promise.all([startOrigin(), startOrigin(), startOrigin()])
  const at = (base: string, place: CloudPlace = {}): CloudPlace => ({ endpoint: new URL(base), ...place })
  const prefixes: PrefixSettings[] = [
    { prefix: 's3://minio-data/', place: at(minio.base), credentials: KEYS },
    {
      prefix: 's3://ceph-data/',
      place: at(`${ceph.base}rgw/`, { region: 'garage' }),
      credentials: { ...KEYS, accessKeyId: { text: 'OTHER' } },
    },
    { prefix: 'gs://lab/', place: at(google.base), credentials: { kind: 'bearer', token: { text: 'CANARY' } } },
  ]
  const sources = openSources({ ...QUICK, clouds: { places: {}, prefixes } })
  t.after(() => Promise.all([sources, minio, ceph, google].map((each) => each.close())))
  minio.put('minio-data/a', patterned(100))
  ceph.put('rgw/ceph-data/a', patterned(100))
  google.put('lab/a', patterned(100))
  for (const location of ['s3://minio-data/a', 's3://ceph-data/a', 'gs://lab/a']) await sources.open(location)
  const signed = [minio, ceph, google].map(({ requests }) =>
    requests.map(({ headers }) => headers['authorization'] ?? ''),
  )
  const [[atMinio = ''] = [], [atCeph = ''] = [], [atGoogle = ''] = []] = signed
  assert.match(atMinio, /Credential=AKID\/\d+\/us-east-1\/s3\//)
  assert.match(atCeph, /Credential=OTHER\/\d+\/garage\/s3\//)
  assert.equal(atGoogle, 'Bearer CANARY')
  assert.deepEqual(
    signed.map((each) => each.length),
    [1, 1, 1],
  )
})

test('CLOUD-2: no redirect carries what proves who asks, in any cloud', async (t) => {
  const [origin, canary] = await Promise.all([startOrigin(), startOrigin()])
  const endpoint = new URL(origin.base)
  const prefixes: PrefixSettings[] = [
    { prefix: 's3://box/', place: {}, credentials: KEYS },
    { prefix: 'gs://box/', place: {}, credentials: KEYS },
    { prefix: 'az://account/box/', place: {}, credentials: { kind: 'sas', token: { text: 'sig=CANARY' } } },
  ]
  const places: Partial<Record<Cloud['name'], CloudPlace>> = { s3: { endpoint }, gs: { endpoint }, az: { endpoint } }
  const sources = openSources({ ...QUICK, clouds: { places, prefixes } })
  t.after(() => Promise.all([sources, origin, canary].map((each) => each.close())))
  for (const status of [301, 302, 303, 307, 308]) {
    origin.faultOf = () => ({ kind: 'status', status, headers: { location: canary.url('box/a') } })
    for (const location of ['s3://box/a', 'gs://box/a', 'az://account/box/a']) {
      await assert.rejects(sources.open(location), failure('source-unavailable'), `${location} ${status}`)
      await assert.rejects(sources.object(location), failure('source-unavailable'), `${location} ${status}`)
      await assert.rejects(sources.list(location), failure('source-unavailable'), `${location} ${status}`)
    }
  }
  assert.equal(canary.connections, 0)
})

test('CLOUD-2: where machines are told their secrets is no source, also by the names that clouds give it', async (t) => {
  const sources = openSources(QUICK, {
    resolve: (_host, done) => done(null, [{ address: '169.254.169.254', family: 4 }]),
  })
  t.after(() => sources.close())
  const urls = [
    'http://169.254.169.254/latest/meta-data/',
    'http://metadata.google.internal/computeMetadata/v1/',
    'http://[fd00:ec2::254]/latest/',
    'http://168.63.129.16/',
    'http://innocent.example.org/latest/',
  ]
  for (const url of urls) await assert.rejects(sources.open(url), failure('source-forbidden'), url)
})
