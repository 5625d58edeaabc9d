import assert from 'node:assert/strict'
import { generateKeyPairSync, verify } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { netcdf3File } from '../helpers/netcdf3-file.ts'
import { EMPTY_ARRAY, readByPattern, referencesTo, VALUES } from './cloud-documents.ts'
import { assertAllEqual, compareExamples, exampleFiles } from './cloud-examples.ts'
import { readOddKeys } from './cloud-keys.ts'
import { readWhileReplaced } from './cloud-replaced.ts'
import { type CloudService, startCloudService, storeOf } from './cloud-service.ts'
import { type Admits, startGoogle } from './fake-gcs.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const KEY_FILE = JSON.stringify({
  type: 'service_account',
  client_email: 'reader@project.iam.gserviceaccount.com',
  private_key_id: 'key-1',
  private_key: PEM,
  project_id: 'project',
})
const TOKEN = 'CANARY.static-token'

/** Whether a token is what Google asks of one that a service account signs itself. */
function isSelfSigned(token: string): boolean {
  const [header = '', claims = '', signature = ''] = token.split('.')
  if (!verify('sha256', Buffer.from(`${header}.${claims}`), publicKey, Buffer.from(signature, 'base64url')))
    return false
  const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as Record<string, unknown>
  const told = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>
  const now = Date.now() / 1000
  const isNow =
    Number(told['iat']) <= now && Number(told['exp']) > now && Number(told['exp']) - Number(told['iat']) <= 3600
  const isReader =
    told['iss'] === told['sub'] && told['scope'] === 'https://www.googleapis.com/auth/devstorage.read_only'
  return alg === 'RS256' && kid === 'key-1' && isNow && isReader
}

const admits: Admits = (bucket, token) => {
  if (bucket.startsWith('open')) return token === undefined ? 'yes' : 'unknown'
  if (token === undefined) return 'refused'
  return token === TOKEN || isSelfSigned(token) ? 'yes' : 'unknown'
}

describe('Google Cloud Storage, spoken by fake-gcs-server', async () => {
  const store = await startGoogle(admits)
  if ('skip' in store) {
    test('objects of Google Cloud Storage', { skip: store.skip }, () => undefined)
    return
  }
  let service: CloudService
  const get: CloudService['get'] = (path, isKept) => service.get(path, isKept)

  before(async () => {
    for (const bucket of ['examples', 'tokens', 'open.data', 'hidden']) await store.make(bucket)
    await store.make('versions', 'versioned')
    for (const [key, bytes] of exampleFiles()) await store.put('examples', `of é+/${key}`, bytes)
    const credentials = [
      ...['examples', 'versions'].map((bucket) => ({
        prefix: `gs://${bucket}/`,
        kind: 'service-account',
        key: { env: 'STORE_SECRET' },
      })),
      { prefix: 'gcs://tokens/', kind: 'bearer', token: TOKEN },
    ]
    service = await startCloudService({ credentials, gs_endpoint: store.endpoint }, KEY_FILE)
  })
  after(async () => {
    await service?.stop()
    await store.close()
  })

  test('CLOUD-1: every example reads through the service as it does over HTTP', async () => {
    const rows = await compareExamples(service, (key) => `gs://examples/of é+/${key}`)
    console.log(`${assertAllEqual(rows)} arrays equal`)
  })

  test('CLOUD-1: keys hold any sign, and each is its own object', async () => {
    await readOddKeys(service, 'gs://examples/odd/', (key, bytes) => store.put('examples', `odd/${key}`, bytes))
  })

  test('CLOUD-2: a bucket with dots, for strangers; a token; and what is private is denied and never fill', async () => {
    await store.put('open.data', 'x.nc', netcdf3File({ first: 9 }))
    await store.put('tokens', 'x.nc', netcdf3File({ first: 8 }))
    await store.put('hidden', 'x.nc', netcdf3File())
    const first = async (location: string) => (await get(`${storeOf(location)}temperature/c/0/0`)).bytes.readFloatBE(0)
    assert.equal(await first('gs://open.data/x.nc'), 9)
    assert.equal(await first('gs://tokens/x.nc'), 8)
    const hidden = await get(`${storeOf('gs://hidden/x.nc')}zarr.json`)
    assert.equal(hidden.status, 502)
    assert.match(hidden.bytes.toString(), /source-denied/)
  })

  test('CLOUD-1: a generation that is named stays, whatever is written after it', async () => {
    const generation = await store.put('versions', 'x.nc', netcdf3File({ first: 1 }))
    await store.put('versions', 'x.nc', netcdf3File({ first: 2 }))
    const first = async (location: string) => (await get(`${storeOf(location)}temperature/c/0/0`)).bytes.readFloatBE(0)
    assert.equal(await first(`gs://versions/x.nc?generation=${generation}`), 1)
    assert.equal(await first('gs://versions/x.nc'), 2)
    assert.equal((await get(`${storeOf('gs://versions/x.nc?generation=12345')}zarr.json`)).status, 404)
  })

  test('VERSION-1: an object that is replaced under 50 readers is never mixed', async () => {
    const put = (bytes: Uint8Array) => store.put('examples', 'replaced.nc', bytes)
    await readWhileReplaced(service, 'gs://examples/replaced.nc', put)
  })

  test('VERSION-1: the same bytes written anew are another version', async () => {
    const url = storeOf('gs://examples/again.nc')
    await store.put('examples', 'again.nc', netcdf3File({ rows: 300, columns: 300 }))
    assert.equal((await get(`${url}zarr.json`)).status, 200)
    await store.put('examples', 'again.nc', netcdf3File({ rows: 300, columns: 300 }))
    assert.equal((await get(`${url}temperature/c/0/0`)).status, 409)
    assert.equal((await get(`${url}zarr.json`)).status, 200)
    assert.equal((await get(`${url}temperature/c/0/0`)).status, 200)
  })

  test('a missing chunk is missing', async () => {
    const zarr = storeOf('gs://examples/of é+/forest.zarr/')
    assert.equal((await get(`${zarr}zarr.json`)).status, 200)
    await store.put('open.data', 'lost/zarr.json', EMPTY_ARRAY)
    assert.equal((await get(`${storeOf('gs://open.data/lost/')}c/0`)).status, 404, 'never written')
    assert.equal((await get(`${storeOf('gs://open-none/x.nc')}zarr.json`)).status, 404)
  })

  test('CLOUD-1: references of a document lead to objects as fsspec spells them, and exports spell them so', async () => {
    const at = 'gs://examples/raw/a b%41#é?.bin'
    await store.put('examples', 'raw/a b%41#é?.bin', VALUES)
    await store.put('examples', 'refs/refs.json', referencesTo(at))
    const location = 'gs://examples/refs/refs.json'
    assert.deepEqual((await get(`${storeOf(location)}a/c/1`)).bytes, VALUES.subarray(8))
    const exported = await get(`export?url=${encodeURIComponent(location)}`)
    assert.deepEqual((JSON.parse(exported.bytes.toString()) as { refs: Record<string, unknown> }).refs['a/1'], [
      at,
      8,
      8,
    ])
    // A stranger's document is read as a stranger would.
    await store.put('open.data', 'refs.json', referencesTo(at))
    assert.equal((await get(`${storeOf('gs://open.data/refs.json')}a/c/1`)).status, 424)
  })

  test('a pattern is answered by the listing', async () => {
    const put = (key: string, bytes: Uint8Array) => store.put('examples', `parts é/${key}`, bytes)
    await readByPattern(service, 'gs://examples/parts é/', put)
  })

  test('GUARD-9: no answer, page, export, metric or log line holds a secret', async () => {
    const location = encodeURIComponent('gs://examples/of é+/sea-surface.nc')
    for (const path of ['', 'metrics', 'datasets', 'openapi.json']) await get(path)
    for (const path of ['resolve', 'inspect', 'export']) await get(`${path}?url=${location}`)
    for (const wrong of ['examples/none', 'examples/', 'tokens/none', 'hidden/x', 'none/x', 'examples/a/../b']) {
      await get(`inspect?url=${encodeURIComponent(`gs://${wrong}`)}`)
      await get(`${storeOf(`gs://${wrong}`)}zarr.json`)
      await get(`${storeOf(`gs://${wrong}`)}c/0`)
    }
    const secrets = ['CANARY', 'PRIVATE KEY', PEM.slice(100, 140), 'Bearer ey', 'eyJhbGciOi', 'gserviceaccount']
    assert.ok(service.said().length > 20)
    for (const text of service.said()) {
      for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} in ${text.slice(0, 500)}`)
    }
  })
})
