import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { netcdf3File } from '../helpers/netcdf3-file.ts'
import { startAzure } from './azurite.ts'
import { assertAllEqual, compareExamples, exampleFiles } from './cloud-examples.ts'
import { readOddKeys } from './cloud-keys.ts'
import { readWhileReplaced } from './cloud-replaced.ts'
import { type CloudService, startCloudService, storeOf } from './cloud-service.ts'

const ACCOUNT = 'testaccount'
const SECRET = Buffer.from('CANARY: the key of the account').toString('base64')
/** Azure takes a backslash for a slash. */
const NOT_HERE = ['b\\c']

describe('Azure Blob Storage, spoken by Azurite', async () => {
  const store = await startAzure(ACCOUNT, SECRET)
  if ('skip' in store) {
    test('objects of Azure', { skip: store.skip }, () => undefined)
    return
  }
  let service: CloudService
  const get: CloudService['get'] = (path) => service.get(path)

  before(async () => {
    for (const container of ['examples', 'signed', 'hidden']) await store.make(container)
    await store.make('open', 'blob')
    for (const [key, bytes] of exampleFiles()) await store.put('examples', `of é+/${key}`, bytes)
    const credentials = [
      { prefix: `az://${ACCOUNT}/examples/`, kind: 'shared-key', account_key: { env: 'STORE_SECRET' } },
      { prefix: `abfs://signed@${ACCOUNT}.dfs.core.windows.net/`, kind: 'sas', token: store.sas() },
    ]
    service = await startCloudService({ credentials, az_endpoint: store.endpoint }, SECRET)
  })
  after(async () => {
    await service?.stop()
    await store.close()
  })

  test('CLOUD-1: every example reads through the service as it does over HTTP', async () => {
    const rows = await compareExamples(service, (key) => `az://${ACCOUNT}/examples/of é+/${key}`)
    console.log(`${assertAllEqual(rows)} arrays equal`)
  })

  test('CLOUD-1: keys hold any sign, and each is its own object', async () => {
    const put = (key: string, bytes: Uint8Array) => store.put('examples', `odd/${key}`, bytes)
    await readOddKeys(service, `az://${ACCOUNT}/examples/odd/`, put, NOT_HERE)
  })

  test('CLOUD-2: a shared access signature, by the other form of a location', async () => {
    await store.put('signed', 'a b/x.nc', netcdf3File({ first: 7 }))
    const chunk = await get(`${storeOf(`abfs://signed@${ACCOUNT}.dfs.core.windows.net/a b/x.nc`)}temperature/c/0/0`)
    assert.equal(chunk.bytes.readFloatBE(0), 7)
    assert.equal((await get(`${storeOf(`az://${ACCOUNT}/signed/none.nc`)}zarr.json`)).status, 404)
  })

  test('CLOUD-2: public blobs need no credentials, private ones are denied and never fill', async () => {
    await store.put('open', 'x.nc', netcdf3File({ first: 9 }))
    const chunk = await get(`${storeOf(`az://${ACCOUNT}/open/x.nc`)}temperature/c/0/0`)
    assert.equal(chunk.bytes.readFloatBE(0), 9)
    await store.put('hidden', 'x.nc', netcdf3File())
    const hidden = await get(`${storeOf(`az://${ACCOUNT}/hidden/x.nc`)}zarr.json`)
    assert.equal(hidden.status, 502, `${hidden.bytes}`)
    assert.match(hidden.bytes.toString(), /source-denied/)
  })

  test('VERSION-1: a blob that is replaced under 50 readers is never mixed', async () => {
    const put = (bytes: Uint8Array) => store.put('examples', 'replaced.nc', bytes)
    await readWhileReplaced(service, `az://${ACCOUNT}/examples/replaced.nc`, put)
  })

  test('GUARD-9: no answer, page, export, metric or log line holds a secret', async () => {
    const location = encodeURIComponent(`az://${ACCOUNT}/examples/of é+/sea-surface.nc`)
    for (const path of [
      '',
      'metrics',
      'datasets',
      `resolve?url=${location}`,
      `inspect?url=${location}`,
      `export?url=${location}`,
    ])
      await get(path)
    for (const wrong of ['examples/none', 'examples/', 'signed/none', 'signed/', 'none/x', '', 'hidden/']) {
      await get(`inspect?url=${encodeURIComponent(`az://${ACCOUNT}/${wrong}`)}`)
      await get(`${storeOf(`az://${ACCOUNT}/${wrong}`)}c/0`)
    }
    const secrets = [
      SECRET,
      'SharedKey ',
      'CANARY',
      /sig=(.*)/.exec(store.sas())?.[1] ?? 'SECRET',
      'spr=https',
      'srt=co',
    ]
    for (const text of service.said()) {
      for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} in ${text.slice(0, 500)}`)
    }
  })
})
