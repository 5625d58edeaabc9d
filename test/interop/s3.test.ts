import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { runCli } from '../helpers/process.ts'
import { EMPTY_ARRAY, readByPattern, referencesTo, VALUES } from './cloud-documents.ts'
import { assertAllEqual, exampleFiles, readExamples } from './cloud-examples.ts'
import { readOddKeys } from './cloud-keys.ts'
import { readWhileReplaced } from './cloud-replaced.ts'
import { type CloudService, startCloudService, storeOf } from './cloud-service.ts'
import { startS3 } from './versitygw.ts'

const KEY = { accessKeyId: 'CANARYid', secretAccessKey: 'CANARYsecretOfTheStore' }
const SEA = readFileSync(new URL('../../examples/sea-surface.nc', import.meta.url))

describe('S3, spoken by versitygw', async () => {
  const store = await startS3(KEY)
  if ('skip' in store) {
    test('objects of S3', { skip: store.skip }, () => undefined)
    return
  }
  let service: CloudService
  const get: CloudService['get'] = (path, isKept) => service.get(path, isKept)

  before(async () => {
    await store.make('examples')
    await store.make('versions', 'versioned')
    for (const [key, bytes] of exampleFiles()) await store.put('examples', `of é+/${key}`, bytes)
    const secrets = { access_key_id: KEY.accessKeyId, secret_access_key: { env: 'STORE_SECRET' } }
    const credentials = ['s3://examples/', 's3://versions/'].map((prefix) => ({ prefix, kind: 'static', ...secrets }))
    service = await startCloudService({ credentials, s3_endpoint: store.endpoint }, KEY.secretAccessKey)
  })
  after(async () => {
    await service?.stop()
    await store.close()
  })

  test('CLOUD-1: every example reads through the service as its file does', async () => {
    const rows = await readExamples(service, (key) => `s3://examples/of é+/${key}`)
    console.log(`${assertAllEqual(rows)} arrays equal`)
  })

  test('CLOUD-1: keys hold any sign, and each is its own object', async () => {
    // This server keeps objects as files of a folder, where two slashes are one.
    const put = (key: string, bytes: Uint8Array) => store.put('examples', `odd/${key}`, bytes)
    await readOddKeys(service, 's3://examples/odd/', put, ['x//y'])
    assert.equal((await get(`${storeOf('s3://examples/odd/missing')}zarr.json`)).status, 404)
  })

  test('CLOUD-1: a version that is named stays, whatever is written after it', async () => {
    const other = Buffer.from(SEA)
    other.fill(7, other.length - 4096)
    const first = await store.put('versions', 'sea.nc', SEA)
    await store.put('versions', 'sea.nc', other)
    assert.ok(first !== undefined)
    const last = lastChunk(await get(`${storeOf('s3://examples/of é+/sea-surface.nc')}zarr.json`))
    const expected = await get(`${storeOf('s3://examples/of é+/sea-surface.nc')}${last}`)
    const pinned = await get(`${storeOf(`s3://versions/sea.nc?versionId=${first}`)}${last}`)
    const newest = await get(`${storeOf('s3://versions/sea.nc')}${last}`)
    assert.ok(pinned.bytes.equals(expected.bytes))
    assert.ok(!newest.bytes.equals(expected.bytes))
  })

  test('VERSION-1: an object that is replaced under 50 readers is never mixed', async () => {
    // 424: this store removes an object before it writes the next one, and says so.
    const put = (bytes: Uint8Array) => store.put('examples', 'replaced.nc', bytes)
    await readWhileReplaced(service, 's3://examples/replaced.nc', put, [424])
  })

  test('a missing chunk is missing, and a bucket that is none is no fill', async () => {
    const zarr = storeOf('s3://examples/of é+/forest.zarr/')
    assert.equal((await get(`${zarr}zarr.json`)).status, 200)
    await store.put('examples', 'lost/zarr.json', EMPTY_ARRAY)
    assert.equal((await get(`${storeOf('s3://examples/lost/')}c/0`)).status, 404, 'never written')
    // Without credentials this server refuses: nobody can tell what is there.
    const closed = await get(`${storeOf('s3://elsewhere/x.nc')}zarr.json`)
    assert.ok(closed.status >= 500, `${closed.status}`)
  })

  test('CLOUD-1: references of a document lead to objects as fsspec spells them', async () => {
    const location = 's3://examples/raw/a b%41#é?.bin'
    await store.put('examples', 'raw/a b%41#é?.bin', VALUES)
    await store.put('examples', 'refs/refs.json', referencesTo(location))
    const url = storeOf('s3://examples/refs/refs.json')
    assert.equal((await get(`${url}zarr.json`)).status, 200)
    assert.deepEqual((await get(`${url}a/c/1`)).bytes, VALUES.subarray(8))
  })

  test('an export names objects as fsspec does, and reads as the store it is of', async () => {
    const location = 's3://examples/of é+/sea-surface.nc'
    const exported = await get(`export?url=${encodeURIComponent(location)}`)
    const { refs } = JSON.parse(exported.bytes.toString()) as { refs: Record<string, unknown> }
    assert.ok(Array.isArray(refs['sst/0.0.0']) && refs['sst/0.0.0'][0] === location, String(refs['sst/0.0.0']))
    await store.put('examples', 'refs/exported.json', exported.bytes)
    // There each record is a chunk of its own.
    const first = await get(`${storeOf('s3://examples/refs/exported.json')}sst/c/0/0/0`)
    const all = await get(`${storeOf(location)}sst/c/0/0/0`)
    assert.equal(first.status, 200)
    assert.ok(first.bytes.equals(all.bytes.subarray(0, 36 * 72 * 2)))
  })

  test('a pattern is answered by the listing', async () => {
    const put = (key: string, bytes: Uint8Array) => store.put('examples', `parts é/${key}`, bytes)
    await readByPattern(service, 's3://examples/parts é/', put)
  })

  test('the command line reads what the configuration opens', async () => {
    const environment = { VZ_CONFIG: service.config, STORE_SECRET: KEY.secretAccessKey }
    const { code, stdout } = await runCli(['inspect', 's3://examples/of é+/sea-surface.nc'], environment)
    assert.equal(code, 0)
    assert.match(stdout, /^s3:\/\/examples\/of%20%C3%A9\+\/sea-surface\.nc\n/)
  })

  test('GUARD-9: no answer, page, export, metric or log line holds a secret', async () => {
    const location = encodeURIComponent('s3://examples/of é+/sea-surface.nc')
    const paths = [
      '',
      'metrics',
      'datasets',
      'openapi.json',
      `resolve?url=${location}`,
      `inspect?url=${location}`,
      `export?url=${location}`,
    ]
    const wrong = [
      's3://examples/none',
      's3://examples/',
      's3://examples/of é+/',
      's3://examples/a/../b',
      's3://none/x',
      `${store.endpoint}examples/x`,
    ]
    for (const path of paths) await get(path)
    for (const each of wrong) {
      await get(`inspect?url=${encodeURIComponent(each)}`)
      await get(`${storeOf(each)}zarr.json`)
      await get(`${storeOf(each)}c/0`)
    }
    await get(storeOf('s3://examples/of é+/sea-surface.nc'))
    const said = service.said()
    assert.ok(said.length > 21 && (said.at(-1)?.length ?? 0) > 1000)
    for (const text of said) {
      assert.doesNotMatch(text, /CANARY/)
      assert.doesNotMatch(text, /X-Amz|AWS4-HMAC/i)
    }
  })
})

/** The key of the last chunk of `sst`, which lies at the end of the file. */
function lastChunk({ bytes }: { readonly bytes: Buffer }): string {
  const { consolidated_metadata: inner } = JSON.parse(bytes.toString()) as {
    consolidated_metadata: {
      metadata: Record<string, { shape: number[]; chunk_grid: { configuration: { chunk_shape: number[] } } }>
    }
  }
  const { shape = [], chunk_grid: grid } = inner.metadata['sst'] ?? {}
  return `sst/c/${shape.map((length, axis) => Math.ceil(length / (grid?.configuration.chunk_shape[axis] ?? 1)) - 1).join('/')}`
}
