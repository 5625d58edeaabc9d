import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { exportIcechunk } from '../../src/service/export/icechunk/export.ts'
import { DEFAULT_SOURCE_SETTINGS } from '../../src/source/settings.ts'
import { hashOf } from '../corpus/values.ts'
import { netcdf3File } from '../helpers/netcdf3-file.ts'
import { startOrigin } from '../helpers/origin.ts'
import { filesBelow, testStores } from '../helpers/test-stores.ts'
import { v3Array } from '../helpers/zarr-store.ts'

const EXAMPLES = new URL('../../examples/', import.meta.url)
const NATIVE = { codecs: 'native' }

async function served(t: TestContext) {
  const origin = await startOrigin()
  const stores = testStores({ ...DEFAULT_SOURCE_SETTINGS, allow: [origin.base] })
  t.after(async () => {
    await stores.close()
    await origin.close()
  })
  /** Puts the export of a source at the origin, and opens it. */
  const exported = async (name: string) => {
    const paths: string[] = []
    for await (const [path, bytes] of exportIcechunk(await stores.open(origin.url(name), NATIVE).describe())) {
      origin.put(`exported/${path}`, bytes)
      paths.push(path)
    }
    return { store: stores.open(origin.url('exported/'), NATIVE), paths }
  }
  return { origin, stores, exported }
}

test('an exported repository is the same store again, and knows the version of its source', async (t) => {
  const { origin, stores, exported } = await served(t)
  origin.put('some%20data.nc', { bytes: netcdf3File(), etag: '"first"' })
  const source = stores.open(origin.url('some%20data.nc'), NATIVE)
  const { store, paths } = await exported('some%20data.nc')
  assert.equal(paths.at(-1), 'refs/branch.main/ref.json', 'what makes it a repository comes last')
  const { nodes } = (await source.describe()).store
  for (const [path, { kind }] of nodes) {
    if (kind !== 'array') continue
    assert.equal(hashOf(await store.values(path)), hashOf(await source.values(path)), path)
    const [one, other] = [await source.document(path), await store.document(path)]
    assert.deepEqual(other['attributes'], one['attributes'], path)
    assert.deepEqual(other['dimension_names'], one['dimension_names'], path)
  }
  const { parsed } = await store.describe()
  const conditions = [...parsed.conditions.values()]
  assert.ok(conditions.length > 0 && conditions.every(({ etag }) => etag === '"first"'))
  // Replaced: no chunk of the repository is read from another version.
  origin.put('some%20data.nc', { bytes: netcdf3File(), etag: '"second"' })
  const again = testStores({ ...DEFAULT_SOURCE_SETTINGS, allow: [origin.base] })
  t.after(() => again.close())
  const [path = ''] = [...nodes].filter(([, { kind }]) => kind === 'array').map(([name]) => name)
  await assert.rejects(again.open(origin.url('exported/'), NATIVE).values(path), { code: 'source-not-found' })
})

test('objects of a Zarr folder are references with their lengths; those never written are none', async (t) => {
  const { origin, exported } = await served(t)
  origin.put(
    'a.zarr/zarr.json',
    Buffer.from(
      JSON.stringify(
        v3Array({
          shape: [4, 6],
          chunk_grid: { name: 'regular', configuration: { chunk_shape: [2, 3] } },
          data_type: 'float32',
        }),
      ),
    ),
  )
  origin.put('a.zarr/c/0/1', Buffer.alloc(24, 1))
  const { store } = await exported('a.zarr/')
  assert.equal((await store.chunk('', [0, 1]))?.length, 24)
  assert.equal(await store.chunk('', [0, 0]), undefined)
})

test('what lies in a compressed file is in no repository', async (t) => {
  const { gzipSync } = await import('node:zlib')
  const { origin, exported } = await served(t)
  origin.put('a.nc.gz', gzipSync(netcdf3File()))
  await assert.rejects(exported('a.nc.gz'), { code: 'unsupported-feature', message: /compressed as a whole/ })
})

test('the same store makes the same manifests, whatever the time', async (t) => {
  const stores = testStores(filesBelow(EXAMPLES))
  t.after(async () => {
    await stores.close()
  })
  const names = async () => {
    const found: string[] = []
    const source = stores.open(new URL('sea-surface.nc', EXAMPLES).href, NATIVE)
    for await (const [path] of exportIcechunk(await source.describe())) found.push(path)
    return found
  }
  assert.deepEqual(await names(), await names())
})
